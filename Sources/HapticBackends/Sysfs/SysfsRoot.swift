// SPDX-License-Identifier: MIT

/// Where the kernel shows its devices as files. A test gives a folder of its own that imitates it.
public struct SysfsRoot: Hashable, Sendable {
    /// Without a slash at its end.
    public var path: String

    public init(path: String) { self.path = path }

    public static let system = SysfsRoot(path: "/sys")

    var pwmFolder: String { "\(path)/class/pwm" }
    var ledFolder: String { "\(path)/class/leds" }

    /// What udev calls the `DEVPATH` of the device that a folder below here leads to; nil where there is none. Blocks.
    func devicePath(_ name: String) -> String? { devicePath(of: "\(path)/\(name)") }

    /// The same of a folder anywhere; nil where that is of no device here.
    func devicePath(of folder: String) -> String? {
        guard let real = resolved(folder), let root = resolved(path), real.hasPrefix("\(root)/devices/") else { return nil }
        return String(real.dropFirst(root.count))
    }
}
