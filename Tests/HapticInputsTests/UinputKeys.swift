// SPDX-License-Identifier: MIT
import Glibc

/// A keyboard with switches and an axis, made through `/dev/uinput`, unplugged by `remove`. A witness, as `UinputPad` is: by the kernel's headers, for a machine of 64 bits.
final class UinputKeys {
    struct Trouble: Error { var call: String, errno: Int32 }

    enum Code {
        static let a: UInt16 = 30
        static let volumeUp: UInt16 = 115
        static let power: UInt16 = 116
        static let lid: UInt16 = 0
        static let mute: UInt16 = 14
        static let soundProfile: UInt16 = 34
    }

    private let descriptor: Int32

    /// `_IOC` of the kernel for uinput: direction 0 none, 1 write.
    private static func request(_ direction: UInt, _ number: UInt, _ size: UInt) -> UInt {
        direction << 30 | size << 16 | UInt(UInt8(ascii: "U")) << 8 | number
    }

    /// `axis`: goes from 0 to 2.
    init(
        name: String, keys: [UInt16] = [Code.a, Code.volumeUp, Code.power], switches: [UInt16] = [], axis: UInt16? = nil
    ) throws {
        let descriptor = open("/dev/uinput", O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Trouble(call: "open", errno: errno) }
        self.descriptor = descriptor
        func set(_ number: UInt, _ value: Int32) throws {
            guard ioctl(descriptor, Self.request(1, number, 4), value) >= 0 else {
                throw Trouble(call: "set \(number)", errno: errno)
            }
        }
        try set(100, 1)
        for key in keys { try set(101, Int32(key)) }
        if !switches.isEmpty { try set(100, 5) }
        for code in switches { try set(109, Int32(code)) }
        if let axis {
            try set(100, 3)
            try set(103, Int32(axis))
            var range = [UInt8](repeating: 0, count: 28)
            range.replaceSubrange(0..<2, with: [UInt8(axis), 0])
            // The maximum, after the code with its padding, the value and the minimum.
            range[12] = 2
            guard ioctl(descriptor, Self.request(1, 4, 28), &range) >= 0 else { throw Trouble(call: "axis", errno: errno) }
        }
        var setup = [UInt8](repeating: 0, count: 92)
        setup.replaceSubrange(0..<6, with: [0x03, 0, 0x34, 0x12, 0x78, 0x56])
        setup.replaceSubrange(8..<8 + name.utf8.count, with: name.utf8)
        guard ioctl(descriptor, Self.request(1, 3, 92), &setup) >= 0 else { throw Trouble(call: "setup", errno: errno) }
        guard ioctl(descriptor, Self.request(0, 1, 0), 0) >= 0 else { throw Trouble(call: "create", errno: errno) }
    }

    /// A key goes to a level: 1 is down, 2 a repeat.
    func set(_ key: UInt16, _ value: Int32) {
        send(1, key, value)
        send(0, 0, 0)
    }

    func toggle(_ code: UInt16, _ value: Int32) {
        send(5, code, value)
        send(0, 0, 0)
    }

    func move(_ axis: UInt16, _ value: Int32) {
        send(3, axis, value)
        send(0, 0, 0)
    }

    func remove() {
        _ = ioctl(descriptor, Self.request(0, 2, 0), 0)
        close(descriptor)
    }

    private func send(_ type: UInt16, _ code: UInt16, _ value: Int32) {
        var event = [UInt8](repeating: 0, count: 16)
        withUnsafeBytes(of: type) { event += $0 }
        withUnsafeBytes(of: code) { event += $0 }
        withUnsafeBytes(of: value) { event += $0 }
        _ = write(descriptor, event, event.count)
    }
}
