// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticService
internal import HapticWire
internal import NIOCore

/// What a session's client has said and nobody has taken yet.
struct Inbox {
    private let backlog: Backlog
    private let user: UserBacklog
    private var framer = LineFramer(limit: WireLimit.clientLine)
    /// What came while lines waited for their turn or for room: at a half-close NIO reads all that the kernel has.
    private var ahead = CircularBuffer<(bytes: [UInt8], at: MonotonicInstant)>(initialCapacity: 1)
    private(set) var aheadCount = 0
    /// When the bytes that lines are taken of came.
    private(set) var readAt = MonotonicInstant.zero

    init(_ backlog: Backlog, of user: UserBacklog) { (self.backlog, self.user) = (backlog, user) }

    var isAhead: Bool { aheadCount > 0 }
    var count: Int { framer.pendingCount + aheadCount }

    mutating func append(_ bytes: some Collection<UInt8>, at instant: MonotonicInstant) {
        readAt = instant
        framer.append(bytes)
    }

    /// What has to wait for its turn.
    mutating func keep(_ bytes: some Collection<UInt8>, at instant: MonotonicInstant) {
        ahead.append((Array(bytes), instant))
        keepAhead(bytes.count)
    }

    mutating func next() -> LineFramer.Output? {
        while true {
            if let line = framer.next() { return line }
            guard let next = ahead.popFirst() else { return nil }
            keepAhead(-next.bytes.count)
            append(next.bytes, at: next.at)
        }
    }

    /// What is left is a line, too: there is no more to come.
    mutating func finish() -> LineFramer.Output? { framer.finish() }

    mutating func drop() {
        framer = LineFramer(limit: WireLimit.clientLine)
        ahead.removeAll()
        keepAhead(-aheadCount)
    }

    private mutating func keepAhead(_ count: Int) {
        aheadCount += count
        backlog.keep(count, for: user)
    }
}
