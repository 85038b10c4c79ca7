// SPDX-License-Identifier: MIT
internal import HapticBackends

/// What the daemon sends its guard, one message each. The descriptors of `hold` travel beside it, in its order.
enum GuardMessage: Hashable {
    /// Keep these outputs under this number. Answered.
    case hold(GuardedSet, [Kind])
    /// Close the outputs of this number. Answered.
    case release(GuardedSet)
    /// An output is on, or about to be.
    case beat
    /// Everything is off, and stays so until the next beat.
    case rest
    /// The daemon ends in order, with everything off.
    case goodbye

    enum Kind: UInt8 {
        case line = 1
        case zero = 2
    }

    static let most = 4
    static let longest = 5 + most

    private enum Code: UInt8 {
        case hold = 1
        case release, beat, rest, goodbye
    }

    /// A code, a number of 4 bytes (0 where there is none), and a kind for each output.
    var bytes: [UInt8] {
        switch self {
        case .hold(let set, let kinds): Self.head(.hold, set.number) + kinds.map(\.rawValue)
        case .release(let set): Self.head(.release, set.number)
        case .beat: Self.head(.beat, 0)
        case .rest: Self.head(.rest, 0)
        case .goodbye: Self.head(.goodbye, 0)
        }
    }

    private static func head(_ code: Code, _ number: UInt32) -> [UInt8] {
        [code.rawValue] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Nil where `bytes` is no message.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 5, let code = Code(rawValue: bytes[0]) else { return nil }
        let set = GuardedSet(bytes[1..<5].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        switch code {
        case .hold:
            let kinds = bytes[5...].compactMap(Kind.init)
            guard !kinds.isEmpty, kinds.count <= Self.most, kinds.count == bytes.count - 5 else { return nil }
            self = .hold(set, kinds)
        case .release: self = .release(set)
        case .beat: self = .beat
        case .rest: self = .rest
        case .goodbye: self = .goodbye
        }
    }
}

/// What the guard says to `hold` and `release`, and, with the number 0, once it is ready.
///
/// With the number, so that an answer that came too late for one who waited is not taken for the next one's.
struct GuardAnswer: Hashable {
    static let size = 8

    var set: GuardedSet
    /// 0 or an errno.
    var error: Int32

    /// Two numbers of 4 bytes.
    var bytes: [UInt8] {
        [set.number, UInt32(bitPattern: error)].flatMap { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
    }

    init(_ set: GuardedSet, error: Int32) {
        self.set = set
        self.error = error
    }

    /// Nil where `bytes` is no answer.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        func number(_ range: Range<Int>) -> UInt32 { bytes[range].reversed().reduce(0) { $0 << 8 | UInt32($1) } }
        self.init(GuardedSet(number(0..<4)), error: Int32(bitPattern: number(4..<8)))
    }
}

extension GuardedSet {
    /// Of what is answered once, before any set is held.
    static let none = GuardedSet(0)
}
