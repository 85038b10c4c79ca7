// SPDX-License-Identifier: MIT
private import Glibc

/// An input device as sysfs describes it, which needs no permission for the device.
package struct InputNode: Hashable, Sendable {
    /// Its `event` number.
    var number: Int
    /// `/dev/input/event3`
    package var path: String
    var name: String
    var phys: String
    var ids: InputIDs
    var hasForceFeedback: Bool
    /// Whether this process may open it for reading and writing.
    var isAccessible: Bool
    /// Made by a program, through uinput.
    var isVirtual: Bool
    /// Whether this process may open it for reading.
    var isReadable = true
    var bitmaps = InputBitmaps()
}

/// The numbers that identify the model of an input device: the kernel's `input_id`.
package struct InputIDs: Hashable, Sendable {
    /// The kind of connection: `BUS_USB` and the like.
    var bus = 0
    var vendor: Int
    var product: Int
}

extension InputNode: CustomStringConvertible {
    /// `"Name" (/dev/input/event3, phys usb-1/input0)`.
    package var description: String { "\"\(name)\" (\(path)\(phys.isEmpty ? "" : ", phys \(phys)"))" }
}

extension InputNode {
    /// All input devices there are now, by number.
    package static func all(devices: String = "/dev/input", classes: String = "/sys/class/input") -> [InputNode] {
        entries(of: devices).compactMap { name -> InputNode? in
            guard name.hasPrefix("event"), let number = Int(name.dropFirst(5)) else { return nil }
            return InputNode(number: number, path: "\(devices)/\(name)", folder: "\(classes)/\(name)/device")
        }.sorted { $0.number < $1.number }
    }

    private init?(number: Int, path: String, folder: String) {
        // Without it the device went away since its node was seen.
        guard let name = Self.text("\(folder)/name") else { return nil }
        func id(_ file: String) -> Int { Self.text("\(folder)/id/\(file)").flatMap { Int($0, radix: 16) } ?? 0 }
        self.number = number
        self.path = path
        self.name = name
        phys = Self.text("\(folder)/phys") ?? ""
        ids = InputIDs(bus: id("bustype"), vendor: id("vendor"), product: id("product"))
        hasForceFeedback = (Self.text("\(folder)/capabilities/ff") ?? "").contains { $0 != "0" && $0 != " " }
        // They go into rules of udev.
        func bitmap(_ capability: InputCapability) -> String {
            Self.text("\(folder)/capabilities/\(capability.rawValue)")
                .flatMap { $0.allSatisfy { $0 == " " || $0.isHexDigit } ? $0 : nil } ?? ""
        }
        bitmaps = InputBitmaps(keys: bitmap(.key), switches: bitmap(.sw), axes: bitmap(.abs))
        isReadable = faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0
        isAccessible = faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) == 0
        isVirtual = resolved(folder)?.hasPrefix("/sys/devices/virtual/input/") ?? false
    }

    /// The first line of a small file, without its end; nil where it cannot be read.
    private static func text(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
