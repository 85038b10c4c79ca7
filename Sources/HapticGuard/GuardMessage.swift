// SPDX-License-Identifier: MIT
internal import HapticBackends

/// What the daemon tells its guard, one message each. The descriptors of `hold` travel beside it, in its order.
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
