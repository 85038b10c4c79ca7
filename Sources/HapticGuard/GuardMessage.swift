// SPDX-License-Identifier: MIT
internal import HapticBackends

/// What the daemon sends its guard, one message each. The descriptors of `hold` travel beside it, in its order.
enum GuardMessage: Hashable {
    /// Keep these outputs under this number, to be switched off by these calls. Answered.
    case hold(GuardedSet, [OffCall])
    /// Close the outputs of this number. Answered.
    case release(GuardedSet)
    /// An output is on, or about to be.
    case beat
    /// Everything is off, and stays so until the next beat.
    case idle
    /// The daemon ends in order, with everything off.
    case goodbye

    static let most = 4
    static var longest: Int { headSize + most * OffCall.longestMessage }

    private static let headSize = 5

    private enum Code: UInt8 {
        case hold = 1
        case release, beat, idle, goodbye
    }

    /// A code, a number of 4 bytes (0 where there is none), and the calls.
    var bytes: [UInt8] {
        switch self {
        case .hold(let set, let calls): Self.head(.hold, set.number) + calls.flatMap(\.messageBytes)
        case .release(let set): Self.head(.release, set.number)
        case .beat: Self.head(.beat, 0)
        case .idle: Self.head(.idle, 0)
        case .goodbye: Self.head(.goodbye, 0)
        }
    }

    private static func head(_ code: Code, _ number: UInt32) -> [UInt8] { [code.rawValue] + number.messageBytes }

    /// Nil where `bytes` is no message.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headSize, let code = Code(rawValue: bytes[0]) else { return nil }
        let set = GuardedSet(UInt32(messageBytes: bytes[1..<Self.headSize]))
        var rest = bytes[Self.headSize...]
        switch code {
        case .hold:
            var calls: [OffCall] = []
            while !rest.isEmpty {
                guard calls.count < Self.most, let call = OffCall(reading: &rest) else { return nil }
                calls.append(call)
            }
            guard !calls.isEmpty else { return nil }
            self = .hold(set, calls)
        case .release: self = .release(set)
        case .beat: self = .beat
        case .idle: self = .idle
        case .goodbye: self = .goodbye
        }
        guard rest.isEmpty else { return nil }
    }
}

extension OffCall {
    private enum Code: UInt8 {
        case write = 1
        case writeAt, ioctl
    }

    private static let headSize = 7
    fileprivate static var longestMessage: Int { headSize + mostBytes }

    /// A code, whether it may block, the offset or request of 4 bytes (0 where there is none), the number of bytes, and these.
    fileprivate var messageBytes: [UInt8] {
        let (code, number, bytes): (Code, UInt32, [UInt8]) =
            switch action {
            case .write(let bytes, let offset): (offset == nil ? .write : .writeAt, offset ?? 0, bytes)
            case .ioctl(let request, let argument): (.ioctl, request, argument)
            }
        return [code.rawValue, mayBlock ? 1 : 0] + number.messageBytes + [UInt8(clamping: bytes.count)] + bytes
    }

    /// Takes one call off `rest`. Nil where it begins with none.
    fileprivate init?(reading rest: inout ArraySlice<UInt8>) {
        let head = Array(rest.prefix(Self.headSize))
        guard head.count == Self.headSize, let code = Code(rawValue: head[0]), head[1] <= 1 else { return nil }
        let number = UInt32(messageBytes: head[2..<6])
        let bytes = Array(rest.dropFirst(Self.headSize).prefix(Int(head[6])))
        let action: Action =
            switch code {
            case .write: .write(bytes: bytes, offset: nil)
            case .writeAt: .write(bytes: bytes, offset: number)
            case .ioctl: .ioctl(request: number, argument: bytes)
            }
        guard bytes.count == head[6], action.isValid else { return nil }
        rest = rest.dropFirst(Self.headSize + bytes.count)
        self.init(action, mayBlock: head[1] == 1)
    }
}

extension UInt32 {
    /// The lowest byte first.
    fileprivate var messageBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }

    fileprivate init(messageBytes bytes: ArraySlice<UInt8>) { self = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
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
    var bytes: [UInt8] { [set.number, UInt32(bitPattern: error)].flatMap(\.messageBytes) }

    init(_ set: GuardedSet, error: Int32) {
        self.set = set
        self.error = error
    }

    /// Nil where `bytes` is no answer.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        self.init(
            GuardedSet(UInt32(messageBytes: bytes[..<4])), error: Int32(bitPattern: UInt32(messageBytes: bytes[4...])))
    }
}

extension GuardedSet {
    /// Of what is answered once, before any set is held.
    static let none = GuardedSet(0)
}
