// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticFormats
internal import HapticText
internal import HapticWire

/// Patterns that come in several `play`s and are not complete, at most one of each connection.
struct BegunPlays {
    /// The most bytes of all lines.
    static let most = 4 * 1024 * 1024
    /// The most bytes of one user's lines, root's too: no single user keeps the others from sending large patterns.
    static let mostOfUser = most / 2

    private enum Begun {
        case growing(PatternParts, bytes: Int, user: UInt32)
        /// The error that answers each further part, up to the last one.
        case refused(WireError)
    }

    private var begun: [UInt64: Begun] = [:]
    /// The total of all lines.
    private(set) var bytes = 0
    /// The totals of the users who have begun any.
    private var bytesByUser: [UInt32: Int] = [:]

    var count: Int { begun.count }

    /// Returns whether a part of a pattern has come that is not complete, or was refused.
    func hasBegun(of connection: UInt64) -> Bool { begun[connection] != nil }

    /// The entries of the track that the next part may continue.
    func lastTrackEntryCount(of connection: UInt64) -> Int {
        guard case .growing(let parts, _, _) = begun[connection] else { return 0 }
        return parts.lastTrackEntryCount
    }

    /// Adds a part before the last one, from a line of `size` bytes of `user`.
    ///
    /// - Returns: Bytes of all its parts so far.
    mutating func take(
        _ pattern: PatternReference, _ size: Int, of connection: UInt64, user: UInt32
    ) throws(WireError) -> Int {
        let former = try end(of: connection)
        var parts = former?.parts ?? PatternParts()
        let total = (former?.bytes ?? 0) + size
        guard total <= WireLimit.patternInParts else {
            throw WireError(
                .quota,
                "the lines of a pattern may have \(WireLimit.patternInParts) bytes; put it into a directory that `patterns` of the configuration names, and play it by its name"
            )
        }
        guard bytesByUser[user, default: 0] + total <= Self.mostOfUser else {
            throw WireError(
                .quota,
                "the patterns that your connections have begun to send may have \(Self.mostOfUser) bytes; complete one first, or close its connection"
            )
        }
        guard bytes + total <= Self.most else {
            throw WireError(
                .quota, "the patterns that clients have begun to send have \(Self.most) bytes already; send it again later")
        }
        // trap: what is no object was refused when the params were read.
        guard case .inline(let tree) = pattern else { preconditionFailure("a part is an object") }
        do throws(InvalidDocument) {
            try parts.add(tree, path: "pattern")
        } catch {
            throw WireError(error)
        }
        begun[connection] = .growing(parts, bytes: total, user: user)
        bytes += total
        bytesByUser[user, default: 0] += total
        return total
    }

    /// Removes and returns the parts before the last one; `nil` if no pattern has begun.
    ///
    /// - Throws: The refusal of an earlier part.
    mutating func end(of connection: UInt64) throws(WireError) -> (parts: PatternParts, bytes: Int)? {
        switch begun.removeValue(forKey: connection) {
        case nil: return nil
        case .growing(let parts, let size, let user):
            free(size, of: user)
            return (parts, size)
        case .refused(let error):
            begun[connection] = .refused(error)
            var refusal = error
            refusal.message = "an earlier part of this pattern was refused, so send all of it again: \(error.message)"
            throw refusal
        }
    }

    /// Drops the pattern of a part that was refused. `more`: other parts follow, which are refused, too.
    mutating func refuse(for error: WireError, more: Bool, of connection: UInt64) {
        var first = error
        switch begun[connection] {
        case .growing(_, let size, let user): free(size, of: user)
        case .refused(let earlier): first = earlier
        case nil: break
        }
        begun[connection] = more ? .refused(first) : nil
    }

    /// Refuses a pattern that has begun: a line or a notification that cannot be used may have been a part of it.
    mutating func mayHaveMissed(for error: WireError, of connection: UInt64) {
        if begun[connection] != nil { refuse(for: error, more: true, of: connection) }
    }

    mutating func forget(_ connection: UInt64) {
        if case .growing(_, let size, let user) = begun.removeValue(forKey: connection) { free(size, of: user) }
    }

    /// Keeps a part before the last one.
    ///
    /// The part is charged for the entries that it may continue: they are copied, and a line may have many small parts.
    mutating func takePart(_ params: PlayParams, of client: Client, on line: CurrentLine) throws(WireError) -> PlayPartResult {
        let entries = lastTrackEntryCount(of: client.connection)
        guard entries == 0 || line.resolver.work.take(entries * WorkBudget.Cost.partEntry) else {
            throw WireError(.quota, "the parts in this line cost more than it may; send fewer parts in a line")
        }
        let bytes = try take(params.pattern, line.takeBytes(), of: client.connection, user: client.peer.user)
        return PlayPartResult(bytes: bytes)
    }

    /// Refuses the rest of a pattern if `request` was a part of it. A request that may be sent again in its place leaves no gap.
    mutating func refuse(_ request: Request, for error: WireError, of client: Client) {
        let comesAgain = request.wantsReply && error.data?.retryAfterMs != nil
        guard !comesAgain else { return }
        if let more = request.more {
            refuse(for: error, more: more, of: client.connection)
        } else if request.mayHaveBeenPart, !request.wantsReply || request.isAnonymous {
            mayHaveMissed(for: error, of: client.connection)
        }
    }

    private mutating func free(_ size: Int, of user: UInt32) {
        bytes -= size
        let left = bytesByUser[user, default: 0] - size
        bytesByUser[user] = left == 0 ? nil : left
    }
}

extension WireError {
    /// The first mistake of a pattern object; the others come to light once that is fixed.
    init(_ document: InvalidDocument) {
        let first = document.diagnostics[0]
        self.init(
            .invalidParams, "`\(first.path)`: \(first.message)", data: .init(path: first.path, didYouMean: first.didYouMean))
    }
}
