// SPDX-License-Identifier: MIT
internal import HapticCore

/// What the kernel reports of the edges of a line. Pure.
///
/// It keeps some edges for who reads them late, and drops others. The second version of its interface numbers them. The first does not,
/// and keeps `most`: where so many were waiting, others may have come to nothing.
struct LineEdges: Hashable, Sendable {
    struct Edge: Hashable, Sendable {
        var isRising: Bool
        var at: MonotonicInstant
        /// From 1, as 32 bits; nil where the kernel does not number them.
        var sequence: UInt32?
    }

    /// How many are read at once, and kept by the first version.
    let most: Int
    /// How many of the supervisor's inputs are this line.
    let inputCount: Int
    private var last: UInt32 = 0

    init(most: Int, inputCount: Int) {
        self.most = most
        self.inputCount = inputCount
    }

    mutating func take(_ edges: [Edge]) -> InputReading {
        var reading = InputReading(isLast: edges.count < most)
        for edge in edges {
            if let sequence = edge.sequence {
                if sequence != last &+ 1 { reading.hasGap = true }
                last = sequence
            }
            for input in 0..<inputCount {
                reading.edges.append(InputEdge(input: input, isDown: edge.isRising, at: edge.at))
            }
        }
        if edges.count >= most, edges.contains(where: { $0.sequence == nil }) { reading.hasGap = true }
        return reading
    }
}
