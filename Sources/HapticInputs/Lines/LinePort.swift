// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticCore

#if GPIO
    private import CGPIOD
    private import Glibc
    private import HapticThreads

    /// An input line of the kernel, requested through libgpiod, whose edges are reported.
    final class LinePort: InputPort, @unchecked Sendable {
        // Unchecked: `edges`, and what libgpiod reads into, belong to whoever reads, which is one thread at a time by the rules of
        // `InputPort`. Levels are read without either.
        private static let most = Int(CGPIOD_MOST_EDGES)

        let path: String
        private let input: UnsafeMutablePointer<cgpiod_input>
        private var edges: LineEdges

        /// Blocks.
        init(_ address: GPIOAddress, bias: LineBias, inputCount: Int) throws(DriverFault) {
            let (chip, offset) = try address.find()
            var handle: OpaquePointer?
            let opening = cgpiod_open_chip(chip.path, &handle)
            guard opening == 0, let handle else { throw DriverFault(errno: opening, device: chip.path) }
            var input = cgpiod_input()
            let error = cgpiod_request_input(handle, UInt32(offset), address.isActiveLow, bias.ofLibrary, "hapticd", &input)
            guard error == 0 else {
                guard error == EINVAL || error == ENXIO || error == EOPNOTSUPP else {
                    throw address.refusal(error, chip: chip.path, offset: offset)
                }
                throw DriverFault(
                    .unusable(
                        why: "the kernel cannot report its edges\(bias == .asIs ? "" : ", or not with this bias")",
                        remedy: "choose a line of a chip with interrupts\(bias == .asIs ? "" : ", or `bias: as-is`")"),
                    device: "\(address)")
            }
            self.input = .allocate(capacity: 1)
            self.input.initialize(to: input)
            path = chip.path
            edges = LineEdges(most: Self.most, inputCount: inputCount)
        }

        deinit { input.deallocate() }

        var descriptor: Int32 { input.pointee.descriptor }

        func read() throws(InputPortError) -> InputReading {
            var raw = [cgpiod_edge](repeating: cgpiod_edge(), count: Self.most)
            let count = cgpiod_read_edges(input, &raw)
            guard count >= 0 else { throw InputPortError(errno: -count) }
            return edges.take(
                raw.prefix(Int(count)).map { edge in
                    LineEdges.Edge(
                        isRising: edge.is_rising, at: MonotonicInstant(nanoseconds: edge.ns),
                        sequence: edge.sequence == 0 ? nil : UInt32(truncatingIfNeeded: edge.sequence))
                })
        }

        func levels() throws(InputPortError) -> InputLevels {
            let now = SystemClock.now
            var isActive = false
            let error = cgpiod_read_level(input, &isActive)
            guard error == 0 else { throw InputPortError(errno: error) }
            return InputLevels(areDown: Array(repeating: isActive, count: edges.inputCount), at: now)
        }

        func close() { cgpiod_release_input(input) }
    }

    extension LineBias {
        fileprivate var ofLibrary: cgpiod_bias {
            switch self {
            case .asIs: CGPIOD_BIAS_AS_IS
            case .up: CGPIOD_BIAS_UP
            case .down: CGPIOD_BIAS_DOWN
            case .disabled: CGPIOD_BIAS_DISABLED
            }
        }
    }
#endif
