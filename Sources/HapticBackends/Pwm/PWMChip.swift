// SPDX-License-Identifier: MIT

/// A PWM chip of this machine: a folder `pwmchipN`.
struct PWMChip: Hashable, Sendable {
    var folder: String
    var channelCount: Int

    var name: String { folder.split(separator: "/").last.map(String.init) ?? folder }

    func channelFolder(_ channel: Int) -> String { "\(folder)/pwm\(channel)" }

    /// Finds the chip that a configuration means: by its name (`pwmchip0`), its folder, or the folder of its
    /// device, which keeps its name where the numbers change. `device`: for whom, in a fault.
    static func find(_ chip: String, in root: SysfsRoot, device: String) throws(DriverFault) -> PWMChip {
        let folders = folders(chip, root)
        guard let folder = folders.first else {
            let others = names(in: root.pwmFolder)
            let there = others.isEmpty ? "this machine has no PWM chip" : "this machine has \(others.joined(separator: ", "))"
            throw DriverFault(.absent, device: "the PWM chip `\(chip)` of \(device) (\(there))")
        }
        guard folders.count == 1 else { throw DriverFault(.ambiguous(folders), device: "the PWM chip `\(chip)` of \(device)") }
        do throws(SystemError) {
            return PWMChip(folder: folder, channelCount: try Sysfs.number("\(folder)/npwm"))
        } catch {
            throw DriverFault(errno: error.errno, device: "\(folder)/npwm (for \(device))")
        }
    }

    /// The names of all chips, by number.
    static func names(in folder: String) -> [String] { Sysfs.names(in: folder).filter { $0.hasPrefix("pwmchip") } }

    private static func folders(_ chip: String, _ root: SysfsRoot) -> [String] {
        guard chip.contains("/") else {
            let folder = "\(root.pwmFolder)/\(chip)"
            return Sysfs.exists("\(folder)/npwm") ? [folder] : []
        }
        var path = chip
        while path.count > 1, path.last == "/" { path.removeLast() }
        if Sysfs.exists("\(path)/npwm") { return [path] }
        for parent in ["\(path)/pwm", path] {
            let chips = names(in: parent).map { "\(parent)/\($0)" }.filter { Sysfs.exists("\($0)/npwm") }
            if !chips.isEmpty { return chips }
        }
        return []
    }
}
