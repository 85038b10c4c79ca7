// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc

/// The system call that switches an output off, as plain data: the guard performs it and knows no kind of device.
public struct OffCall: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        /// Writes `bytes`: at `offset` of a file, or in sequence if `offset` is `nil`, to a device that has no offsets.
        case write(bytes: [UInt8], offset: UInt32?)
        /// Performs an ioctl with a copy of `argument`, whose size is the one that the number of `request` contains.
        case ioctl(request: UInt32, argument: [UInt8])
    }

    /// The most bytes that an action writes or passes; it has at least one.
    public static var mostBytes: Int { Int(CLINUX_MOST_ARGUMENT) }

    public let action: Action
    /// Whether the call may wait for a slow device. Such calls come after all others.
    public let mayBlock: Bool

    /// `action` must be valid.
    public init(_ action: Action, mayBlock: Bool) {
        // trap: drivers give constants; the guard checks `isValid` for messages.
        precondition(action.isValid)
        self.action = action
        self.mayBlock = mayBlock
    }

    /// Performs the call once. An error has no effect: nobody could do more. Allocates nothing.
    public func perform(on descriptor: Int32) {
        switch action {
        case .write(let bytes, let offset?): _ = pwrite(descriptor, bytes, bytes.count, off_t(offset))
        case .write(let bytes, nil): _ = write(descriptor, bytes, bytes.count)
        case .ioctl(let request, let argument): _ = clinux_ioctl(descriptor, request, argument, argument.count)
        }
    }
}

extension OffCall.Action {
    /// Whether the bytes have a permitted size.
    public var isValid: Bool {
        switch self {
        case .write(let bytes, _): (1...OffCall.mostBytes).contains(bytes.count)
        // With another size the kernel would read, or write, beyond the argument.
        case .ioctl(let request, let argument):
            (1...OffCall.mostBytes).contains(argument.count) && argument.count == clinux_ioctl_size(request)
        }
    }
}
