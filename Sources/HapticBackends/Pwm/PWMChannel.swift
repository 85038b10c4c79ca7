// SPDX-License-Identifier: MIT
private import Glibc
public import HapticCore

/// A motor on a channel of a PWM chip, through `/sys/class/pwm`.
///
/// **Off is a duty of 0 on an enabled channel**, not a disabled one: "don't rely on the output's state for a disabled PWM … use
/// .duty_cycle=0, .enabled=true" (the kernel's Documentation/driver-api/pwm.rst). Some chips then hold the last level, some let
/// the pin float. So the channel also stays enabled when it is given back, and what guards it writes a duty of 0 and nothing else.
/// Polarity is the board's and is left as it is.
public final class PWMChannel: LevelDevice, @unchecked Sendable {
    // Unchecked, because it is used by one thread at a time, as `LevelDevice` says.
    public let name: String
    let chip: String
    let channel: Int
    private let period: Nanoseconds
    private let mostDrive: Drive
    private let root: SysfsRoot
    private var exported: Exported?

    /// A channel that was found, for as long as it is open.
    private struct Exported {
        var chip: PWMChip
        var folder: String
        /// By this one, so it is for this one to take it back.
        var isOurs: Bool
        var duty: SysfsAttribute?
        /// Nil where nobody knows.
        var written: Int64?
    }

    /// `chip`: a name or a folder, see `PWMChip.find`. `period` is above 0. `mostDrive`: what a duty of all of the
    /// period is, 1…1.5.
    public init(
        chip: String, channel: Int, period: Nanoseconds, mostDrive: Drive = .rated, root: SysfsRoot = .system
    ) {
        self.mostDrive = mostDrive
        self.chip = chip
        self.channel = channel
        self.period = period
        self.root = root
        name = "PWM channel \(channel) of \(chip)"
    }

    func foundChip() throws(DriverFault) -> PWMChip { try PWMChip.find(chip, in: root, device: name) }

    public func open() throws(DriverFault) -> [GuardedOutput] {
        close()
        let chip = try foundChip()
        guard channel < chip.channelCount else {
            throw DriverFault(
                .unusable(
                    why: "\(chip.name) has the channels 0 to \(chip.channelCount - 1)",
                    remedy: "correct `channel` in the configuration"),
                device: name)
        }
        do throws(DriverFault) {
            exported = Exported(chip: chip, folder: chip.channelFolder(channel), isOurs: try export(on: chip))
            return [GuardedOutput(descriptor: try start().descriptor, off: .zero)]
        } catch {
            close()
            throw error
        }
    }

    public func show(_ drive: Drive) throws(DriverFault) {
        guard let duty = exported?.duty else { throw DriverFault(.closed, device: name) }
        let wanted = PWMDuty.nanoseconds(drive, mostDrive: mostDrive, period: period)
        guard wanted != exported?.written else { return }
        exported?.written = nil
        try attempt(duty.path, isOpen: true) { () throws(SystemError) in try duty.write("\(wanted)") }
        exported?.written = wanted
    }

    public func switchOff() {
        guard let exported else { return }
        self.exported?.written = nil
        let duty = "\(exported.folder)/duty_cycle"
        do {
            if let open = exported.duty { try open.write("0") } else { try Sysfs.write("0", to: duty) }
        } catch {
            do { try Sysfs.write("0", to: duty) } catch { try? Sysfs.write("0", to: "\(exported.folder)/enable") }
        }
    }

    public func close() {
        guard let exported else { return }
        // A channel that was never got hold of is not ours to switch.
        if exported.duty != nil { switchOff() }
        self.exported = nil
        if exported.isOurs { try? Sysfs.write("\(channel)", to: "\(exported.chip.folder)/unexport") }
    }

    /// Where the channel is, whoever has exported it; nil where nobody has, or its chip is not there.
    func exportedFolder() throws(DriverFault) -> String? {
        let chip: PWMChip
        do throws(DriverFault) {
            chip = try PWMChip.find(self.chip, in: root, device: name)
        } catch  where error.cause == .absent {
            return nil
        }
        let folder = chip.channelFolder(channel)
        return Sysfs.exists(folder) ? folder : nil
    }

    // MARK: Getting hold of it

    /// How long an exported channel may take to appear and to be given to the daemon's group: udev does that a moment later.
    private static let (attempts, pause) = (50, useconds_t(10_000))

    /// Makes the channel appear; false where it was there already.
    private func export(on chip: PWMChip) throws(DriverFault) -> Bool {
        let folder = chip.channelFolder(channel)
        if Sysfs.exists(folder) { return false }
        do throws(SystemError) {
            try Sysfs.write("\(channel)", to: "\(chip.folder)/export")
        } catch {
            // Someone else was quicker: that is the channel being there.
            if error.isBusy, Sysfs.exists(folder) { return false }
            throw fault(error, "\(chip.folder)/export", isOpen: false)
        }
        // What it lacks after that shows at its use.
        let files = ["period", "duty_cycle", "enable"].map { "\(folder)/\($0)" }
        for _ in 0..<Self.attempts where files.contains(where: { Sysfs.refusal(of: $0) != nil }) { usleep(Self.pause) }
        return true
    }

    /// Brings the channel to its period and to off, and returns the file of its duty.
    ///
    /// In an order without a moment of on: off first where it was on; a duty is never above the period, or the kernel refuses; and
    /// enabled only at a duty of 0. A new channel has a period of 0, where any duty is refused.
    private func start() throws(DriverFault) -> SysfsAttribute {
        guard let folder = exported?.folder else { throw DriverFault(.closed, device: name) }
        let path = "\(folder)/duty_cycle"
        let duty = try attempt(path) { () throws(SystemError) in try SysfsAttribute(path) }
        exported?.duty = duty
        if try number("duty_cycle", folder) != 0 {
            try attempt(path) { () throws(SystemError) in try duty.write("0") }
        }
        if try number("period", folder) != Int(period.count) { try setPeriod("\(folder)/period") }
        // Also where it says 0 already: some chips are not asked what their bootloader made of them.
        try attempt(path) { () throws(SystemError) in try duty.write("0") }
        if try number("enable", folder) != 1 {
            try attempt("\(folder)/enable") { () throws(SystemError) in try Sysfs.write("1", to: "\(folder)/enable") }
        }
        exported?.written = 0
        return duty
    }

    private func setPeriod(_ path: String) throws(DriverFault) {
        do throws(SystemError) {
            try Sysfs.write("\(period.count)", to: path)
        } catch  where error.isRefusedValue {
            throw DriverFault(
                .unusable(why: "it cannot do a period of \(period)", remedy: "choose another `frequency` in the configuration"),
                device: name)
        } catch  where error.isBusy {
            throw DriverFault(
                .unusable(
                    why: "the channels of its chip share one period, and another is in use with one that is not \(period)",
                    remedy: "give all of them the same `frequency`"), device: name)
        } catch {
            throw fault(error, path, isOpen: false)
        }
    }

    private func number(_ file: String, _ folder: String) throws(DriverFault) -> Int {
        let path = "\(folder)/\(file)"
        return try attempt(path) { () throws(SystemError) in try Sysfs.number(path) }
    }

    // MARK: Faults

    @discardableResult
    private func attempt<Result>(
        _ path: String, isOpen: Bool = false, _ body: () throws(SystemError) -> Result
    ) throws(DriverFault) -> Result {
        do throws(SystemError) { return try body() } catch { throw fault(error, path, isOpen: isOpen) }
    }

    private func fault(_ error: SystemError, _ path: String, isOpen: Bool) -> DriverFault {
        if error.isPermission { return DriverFault(.permission, device: "\(path) (for \(name))") }
        if error.isBusy {
            return DriverFault(
                .busy(holder: "another driver or program (`sudo cat /sys/kernel/debug/pwm` says which)"), device: name)
        }
        // A file that is missing on a chip that is there: it went away in between.
        if error.isGone { return DriverFault(isOpen ? .deviceLost : .absent, device: name) }
        return DriverFault(errno: error.errno, device: "\(path) (for \(name))", isOpen: isOpen)
    }
}
