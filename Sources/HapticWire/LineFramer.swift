// SPDX-License-Identifier: MIT
/// Cuts a stream of bytes into lines that end in LF or CRLF. Pure and bounded; looks at each byte once.
public struct LineFramer: Sendable {
    public enum Output: Hashable, Sendable {
        /// Without its end.
        case line([UInt8])
        /// An empty line. It needs no work, but counts, because reading it takes time.
        case empty
        /// A line is longer than the limit. Nothing more comes out: the stream cannot be trusted any more.
        case tooLong
    }

    private let limit: Int
    private var buffer: [UInt8] = []
    /// The start of the next line.
    private var start = 0
    /// From here on no LF was looked for yet.
    private var scanned = 0
    private var isBroken = false

    /// `limit`: the bytes of a line without its end.
    public init(limit: Int) { self.limit = limit }

    /// The bytes that wait for the rest of their line or to be taken.
    public var pendingCount: Int { buffer.count - start }

    public mutating func append(_ bytes: some Collection<UInt8>) {
        guard !isBroken else { return }
        // What is moved here came with the last call, so in sum no byte is moved more often than it was appended.
        if start > 0 {
            buffer.removeFirst(start)
            scanned -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next line, or nil until more bytes are there.
    public mutating func next() -> Output? {
        guard !isBroken else { return nil }
        guard let end = buffer[scanned...].firstIndex(of: UInt8(ascii: "\n")) else {
            scanned = buffer.count
            // One more than the limit may be the CR of a line that is just short enough.
            return pendingCount > limit + 1 ? overflow() : nil
        }
        let line = takeLine(end: end)
        start = end + 1
        scanned = start
        return line.count > limit ? overflow() : line.isEmpty ? .empty : .line(line)
    }

    /// The bytes after the last line end, once the stream has ended.
    public mutating func finish() -> Output? {
        guard !isBroken, pendingCount > 0 else { return nil }
        let line = takeLine(end: buffer.count)
        start = buffer.count
        scanned = start
        return line.isEmpty ? nil : line.count > limit ? overflow() : .line(line)
    }

    private func takeLine(end: Int) -> [UInt8] {
        let hasCR = end > start && buffer[end - 1] == UInt8(ascii: "\r")
        return Array(buffer[start..<(hasCR ? end - 1 : end)])
    }

    private mutating func overflow() -> Output {
        isBroken = true
        buffer = []
        (start, scanned) = (0, 0)
        return .tooLong
    }
}
