// SPDX-License-Identifier: MIT
import Glibc

/// A keyboard made through `/dev/uinput`, unplugged by `remove`. A witness, as `UinputPad` is: by the kernel's headers, for a machine of 64 bits.
final class UinputKeys {
    struct Trouble: Error { var call: String, errno: Int32 }

    enum Code {
        static let a: UInt16 = 30
        static let volumeUp: UInt16 = 115
        static let power: UInt16 = 116
    }

    private let descriptor: Int32

    /// `_IOC` of the kernel for uinput: direction 0 none, 1 write.
    private static func request(_ direction: UInt, _ number: UInt, _ size: UInt) -> UInt {
        direction << 30 | size << 16 | UInt(UInt8(ascii: "U")) << 8 | number
    }

    init(name: String, keys: [UInt16] = [Code.a, Code.volumeUp, Code.power]) throws {
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
