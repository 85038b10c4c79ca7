// SPDX-License-Identifier: MIT
public import HapticCore

/// A light under `/sys/class/leds`, as bright as it is meant to look.
///
/// Its trigger (what the kernel makes it blink for) is taken off while it is open, and it gets its colour, where it has several channels;
/// both are put back at the end.
public final class LEDLight: LevelDevice, @unchecked Sendable {
    // Unchecked, because it is used by one thread at a time, as `LevelDevice` says.
    public let name: String
    let led: String
    private let colour: LEDColour?
    private let root: SysfsRoot
    private var light: Light?

    /// A light that was found, for as long as it is open.
    private struct Light {
        var maximum: Int
        var brightness: SysfsAttribute
        /// What was changed: the file and what it said.
        var before: [(path: String, text: String)] = []
        /// Nil where nobody knows.
        var written: Int?
    }

    /// `led`: its name under `/sys/class/leds`. `colour`: nil is white, and what a light with one channel is in any case.
    public init(_ led: String, colour: LEDColour? = nil, root: SysfsRoot = .system) {
        self.led = led
        self.colour = colour
        self.root = root
        name = "LED \(led)"
    }

    var folder: String { "\(root.ledFolder)/\(led)" }
    var ledsFolder: String { root.ledFolder }

    public func open() throws(DriverFault) -> [GuardedOutput] {
        close()
        let names = Sysfs.names(in: root.ledFolder)
        guard names.contains(led) else {
            let there = names.isEmpty ? "this machine has no LEDs" : "this machine has \(names.joined(separator: ", "))"
            throw DriverFault(.absent, device: "\(name) (\(there))")
        }
        do throws(DriverFault) {
            let maximum = try attempt("max_brightness") { path throws(SystemError) in try Sysfs.number(path) }
            let brightness = try attempt("brightness") { path throws(SystemError) in try SysfsAttribute(path) }
            light = Light(maximum: max(maximum, 1), brightness: brightness)
            try takeTrigger()
            // Dark before the colour changes: that must not be seen.
            try show(.zero)
            try takeColour()
            return [GuardedOutput(descriptor: brightness.descriptor, off: .zero)]
        } catch {
            close()
            throw error
        }
    }

    public func show(_ drive: Drive) throws(DriverFault) {
        guard let light else { throw DriverFault(.closed, device: name) }
        let wanted = LEDBrightness.value(Intensity(clamping: drive.value), maximum: light.maximum)
        guard wanted != light.written else { return }
        self.light?.written = nil
        try attempt("brightness", isOpen: true) { _ throws(SystemError) in try light.brightness.write("\(wanted)") }
        self.light?.written = wanted
    }

    public func switchOff() {
        guard let light else { return }
        self.light?.written = nil
        do { try light.brightness.write("0") } catch { try? Sysfs.write("0", to: "\(folder)/brightness") }
    }

    public func close() {
        guard let light else { return }
        switchOff()
        self.light = nil
        // The last change first: a trigger may light it up again.
        for (path, text) in light.before.reversed() { try? Sysfs.write(text, to: path) }
    }

    /// A trigger would switch it on and off in between. Not every light has one.
    private func takeTrigger() throws(DriverFault) {
        let path = "\(folder)/trigger"
        guard let text = try? Sysfs.text(path), let trigger = LEDTrigger.current(text), trigger != LEDTrigger.none else { return }
        try attempt("trigger") { path throws(SystemError) in try Sysfs.write(LEDTrigger.none, to: path) }
        if !Canary.is("light-trigger-not-put-back") { light?.before.append((path, trigger)) }
    }

    private func takeColour() throws(DriverFault) {
        let path = "\(folder)/multi_intensity"
        guard let light, let index = try? Sysfs.text("\(folder)/multi_index"), let before = try? Sysfs.text(path),
            let wanted = LEDColour.intensities(
                colour, index: index, limits: try? Sysfs.text("\(folder)/multi_max_intensity"), maximum: light.maximum),
            wanted != before
        else { return }
        try attempt("multi_intensity") { path throws(SystemError) in try Sysfs.write(wanted, to: path) }
        self.light?.before.append((path, before))
    }

    @discardableResult
    private func attempt<Result>(
        _ file: String, isOpen: Bool = false, _ body: (_ path: String) throws(SystemError) -> Result
    ) throws(DriverFault) -> Result {
        let path = "\(folder)/\(file)"
        do throws(SystemError) {
            return try body(path)
        } catch  where error.isPermission {
            throw DriverFault(.permission, device: "\(path) (for \(name))")
        } catch  where error.isGone {
            throw DriverFault(isOpen ? .deviceLost : .absent, device: name)
        } catch {
            throw DriverFault(errno: error.errno, device: "\(path) (for \(name))", isOpen: isOpen)
        }
    }
}
