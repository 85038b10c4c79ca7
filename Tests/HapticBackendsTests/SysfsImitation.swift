// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import HapticCore
import Testing

@testable import HapticBackends

/// A folder of real files that looks like `/sys`, gone with its last reference. Drivers write to it as they do to the kernel's.
final class SysfsImitation: Sendable {
    let root: SysfsRoot

    init() throws {
        root = SysfsRoot(path: "/tmp/hapticd-sysfs-\(UInt64.random(in: .min ... .max))")
        for folder in ["class/pwm", "class/leds", "class/input"] { try makeFolder(folder) }
    }

    deinit { try? FileManager.default.removeItem(atPath: root.path) }

    func path(_ name: String) -> String { "\(root.path)/\(name)" }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    func write(_ text: String, to name: String) throws { try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: path(name))) }

    /// The first line of a file: sysfs holds no more, a plain file keeps the end of a longer value that was there before.
    func text(_ name: String) -> String {
        let all = (try? String(contentsOfFile: path(name), encoding: .utf8)) ?? ""
        return String(all.prefix { $0 != "\n" })
    }

    func number(_ name: String) -> Int? { Int(text(name)) }
    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    /// Puts a link to a file that really refuses in the place of one.
    func replace(_ name: String, byLinkTo target: String) throws {
        try remove(name)
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    /// A device with its folder, and a link to that among those of its class.
    func makeDevice(_ folder: String, in list: String) throws {
        try makeFolder(folder)
        try makeFolder(list)
        let name = folder.split(separator: "/").last.map(String.init) ?? folder
        try FileManager.default.createSymbolicLink(atPath: path("\(list)/\(name)"), withDestinationPath: path(folder))
    }

    // MARK: What it has

    func makeChip(_ number: Int = 0, channels: Int = 2) throws {
        let chip = "class/pwm/pwmchip\(number)"
        try makeFolder(chip)
        try write("\(channels)", to: "\(chip)/npwm")
        for file in ["export", "unexport"] { try write("", to: "\(chip)/\(file)") }
    }

    /// As the kernel has it after an export: no period yet, off, disabled.
    func makeChannel(
        _ channel: Int, chip: Int = 0, period: Int = 0, duty: Int = 0, enable: Int = 0
    ) throws {
        let folder = "class/pwm/pwmchip\(chip)/pwm\(channel)"
        try makeFolder(folder)
        for (file, value) in [
            ("polarity", "normal"), ("period", "\(period)"), ("duty_cycle", "\(duty)"), ("enable", "\(enable)"),
        ] {
            try write(value, to: "\(folder)/\(file)")
        }
    }

    func makeLED(_ name: String, maximum: Int = 255, trigger: String? = "[none] timer", brightness: Int = 0) throws {
        let folder = "class/leds/\(name)"
        try makeFolder(folder)
        try write("\(maximum)", to: "\(folder)/max_brightness")
        try write("\(brightness)", to: "\(folder)/brightness")
        if let trigger { try write(trigger, to: "\(folder)/trigger") }
    }

    // MARK: Witnesses

    /// What a PWM channel puts out.
    func output(ofChannel channel: Int = 0, chip: Int = 0) -> Level {
        let folder = "class/pwm/pwmchip\(chip)/pwm\(channel)"
        guard let period = number("\(folder)/period"), let duty = number("\(folder)/duty_cycle"), period > 0,
            number("\(folder)/enable") == 1
        else { return .off }
        return Level(intensity: Intensity(clamping: Double(duty) / Double(period)), sharpness: .zero)
    }

    /// How bright a light looks, by the definition of CIE 1976 lightness.
    func output(ofLED name: String) -> Level {
        guard let value = number("class/leds/\(name)/brightness"), let maximum = number("class/leds/\(name)/max_brightness")
        else { return .off }
        let luminance = Double(value) / Double(maximum)
        let lightness = luminance > 216 / 24_389 ? 116 * cbrt(luminance) - 16 : luminance * 24_389 / 27
        return Level(intensity: Intensity(clamping: lightness / 100), sharpness: .zero)
    }

    /// Makes this process's descriptors of a file lead to one that refuses every write (ENOSPC), until the file is opened again.
    func refuseWrites(to name: String) {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        for descriptor in descriptors(of: name) { dup2(full, descriptor) }
    }

    /// This process's open descriptors of a file.
    func descriptors(of name: String) -> [Int32] {
        let path = path(name)
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.compactMap { number in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
            return target == path ? Int32(number) : nil
        }
    }
}

/// The order in which files of a folder are written, as the kernel tells it.
final class WriteLog {
    private let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))

    init(_ folder: String) {
        inotify_add_watch(descriptor, folder, UInt32(IN_MODIFY))
    }

    deinit { close(descriptor) }

    /// The names since the last call. One that is written twice in a row counts once.
    func names() -> [String] { inotifyEvents(descriptor).map(\.name) }
}

/// Reads what is there to be read; waits for it where `descriptor` blocks.
private func inotifyEvents(_ descriptor: Int32) -> [(watch: Int32, name: String)] {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = read(descriptor, &buffer, buffer.count)
    var events: [(Int32, String)] = []
    var at = 0
    while at < count {
        let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: inotify_event.self) }
        let start = at + MemoryLayout<inotify_event>.size
        let name = buffer[start..<start + Int(event.len)].prefix { $0 != 0 }
        events.append((event.wd, String(decoding: name, as: UTF8.self)))
        at = start + Int(event.len)
    }
    return events
}

/// The kernel's part at a chip: makes a channel when its number is written to `export`, and takes it away for `unexport`.
final class ChipImitation: Sendable {
    private let sysfs: SysfsImitation
    private let chip: Int

    /// Goes on until the end of the process or a channel below 0.
    init(_ sysfs: SysfsImitation, chip: Int = 0) {
        self.sysfs = sysfs
        self.chip = chip
        let descriptor = inotify_init1(Int32(IN_CLOEXEC))
        let folder = "class/pwm/pwmchip\(chip)"
        inotify_add_watch(descriptor, sysfs.path(folder), UInt32(IN_CLOSE_WRITE))
        Thread.detachNewThread { [sysfs] in
            defer { close(descriptor) }
            while true {
                for (_, file) in inotifyEvents(descriptor) {
                    guard let channel = sysfs.number("\(folder)/\(file)") else { continue }
                    if channel < 0 { return }
                    if file == "export" { try? sysfs.makeChannel(channel, chip: chip) }
                    if file == "unexport" { try? sysfs.remove("\(folder)/pwm\(channel)") }
                }
            }
        }
    }

    deinit { try? sysfs.write("-1", to: "class/pwm/pwmchip\(chip)/export") }
}

/// Runs `body` with the file rights of nobody, on this thread: root may do everything, so that it would see no refusal.
func asNobody<Result>(_ body: () throws -> Result) rethrows -> Result {
    // Not in a header that Swift imports.
    typealias SetFileUser = @convention(c) (UInt32) -> Int32
    let set = unsafeBitCast(dlsym(nil, "setfsuid"), to: SetFileUser.self)
    _ = set(65_534)
    defer { _ = set(geteuid()) }
    return try body()
}

/// Violations of the contract by a driver of `device`, opened; `written` is the file that it writes, `output` the witness.
func violations(
    of device: () -> any LevelDevice, writing file: String, in sysfs: SysfsImitation, resolution: Double,
    output: @escaping () -> Level
) -> [String] {
    DriverConformance.violations(startingAt: .zero + .seconds(5)) {
        let driver = SettlingDriver(LevelDriver(device(), maxOn: .seconds(2), outputGuard: nil))
        try driver.open(at: .zero + .seconds(5))
        return DriverUnderTest(
            driver: driver, output: output, maxOn: .seconds(2), breakDevice: { sysfs.refuseWrites(to: file) },
            resolution: resolution)
    }
}

/// A guard that shares descriptors as the real one does, in this process.
final class SharingGuard: OutputGuard, @unchecked Sendable {
    // Unchecked: a test uses it on one thread.
    private(set) var held: [UInt32: [GuardedOutput]] = [:]
    private(set) var devices: [String] = []
    var refusal: DriverFault?

    func takeOver(device: String) throws(DriverFault) {}

    func hold(_ outputs: [GuardedOutput], device: String) throws(DriverFault) -> GuardedSet {
        if let refusal { throw refusal }
        devices.append(device)
        let number = UInt32(devices.count)
        held[number] = outputs.map { GuardedOutput(descriptor: dup($0.descriptor), off: $0.off) }
        return GuardedSet(number)
    }

    func release(_ set: GuardedSet) {
        for copy in held.removeValue(forKey: set.number) ?? [] { close(copy.descriptor) }
    }

    /// What the real one does when the daemon has gone.
    func switchEverythingOff() {
        for copy in held.values.joined() { copy.off.perform(on: copy.descriptor) }
    }
}
