// SPDX-License-Identifier: MIT

/// Where the kernel shows its devices as files. A test gives a folder of its own that imitates it.
public struct SysfsRoot: Hashable, Sendable {
    /// Without a slash at its end.
    public var path: String

    public init(path: String) { self.path = path }

    public static let system = SysfsRoot(path: "/sys")

    var pwmFolder: String { "\(path)/class/pwm" }
    var ledFolder: String { "\(path)/class/leds" }
}
