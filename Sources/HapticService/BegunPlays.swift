// SPDX-License-Identifier: MIT
internal import HapticFormats
internal import HapticJSON
internal import HapticWire

/// Patterns that come in several `play`s and are not complete, at most one of each connection.
struct BegunPlays {
    /// The most bytes of all lines.
    static let most = 4 * 1024 * 1024

    private enum Begun {
        case growing(PatternParts, Int)
        /// The error that answers each further part, up to the last one.
        case refused(WireError)
    }

    private var begun: [UInt64: Begun] = [:]
    /// The total of all lines.
    private(set) var bytes = 0

    var count: Int { begun.count }

    /// Adds a part before the last one, from a line of `size` bytes.
    ///
    /// - Returns: Bytes of all its parts so far.
    mutating func take(_ pattern: PatternReference, _ size: Int, of connection: UInt64) throws(WireError) -> Int {
        let former = try end(of: connection)
        var parts = former?.parts ?? PatternParts()
        let total = (former?.bytes ?? 0) + size
        guard total <= WireLimit.patternInParts else {
            throw WireError(
                .quota,
                "the lines of a pattern may have \(WireLimit.patternInParts) bytes; put it into a directory that `patterns` of the configuration names, and play it by its name"
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
        begun[connection] = .growing(parts, total)
        bytes += total
        return total
    }

    /// Removes and returns the parts before the last one; `nil` if no pattern has begun.
    ///
    /// - Throws: The refusal of an earlier part.
    mutating func end(of connection: UInt64) throws(WireError) -> (parts: PatternParts, bytes: Int)? {
        switch begun.removeValue(forKey: connection) {
        case nil: return nil
        case .growing(let parts, let size):
            bytes -= size
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
        case .growing(_, let size): bytes -= size
        case .refused(let earlier): first = earlier
        case nil: break
        }
        begun[connection] = more ? .refused(first) : nil
    }

    /// Refuses a pattern that has begun: a line that cannot be read may have been a part of it.
    mutating func mayHaveMissed(for error: WireError, of connection: UInt64) {
        if begun[connection] != nil { refuse(for: error, more: true, of: connection) }
    }

    mutating func forget(_ connection: UInt64) {
        if case .growing(_, let size) = begun.removeValue(forKey: connection) { bytes -= size }
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
