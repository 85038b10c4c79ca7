// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import Testing

@testable import HapticBackends

@Suite struct LEDLightTests {
    private let sysfs: SysfsImitation
    private let folder = "class/leds/status"

    init() throws { sysfs = try SysfsImitation() }

    private func light() -> LEDLight { LEDLight("status", root: sysfs.root) }

    private func fault(_ body: () throws -> Void) -> DriverFault? {
        do {
            try body()
            return nil
        } catch {
            return error as? DriverFault
        }
    }

    @Test(
        "A brightness looks like its intensity: CIE 1976 lightness",
        // L* 50 is a luminance of 0.18419, L* 8 the end of the linear part at 0.008856.
        arguments: [
            (0, 255, 0), (1, 255, 255), (0.5, 1000, 184), (0.08, 100_000, 886), (0.04, 100_000, 443), (0.001, 255, 1),
            (0.01, 1, 1),
            (1, 1, 1),
        ] as [(Double, Int, Int)])
    func lightness(intensity: Double, maximum: Int, value: Int) {
        #expect(LEDBrightness.value(Intensity(clamping: intensity), maximum: maximum) == value)
    }

    @Test(
        "The trigger in force is the one in brackets",
        arguments: [("[none] timer", "none"), ("none [a-b]", "a-b"), ("none", nil)])
    func trigger(text: String, current: String?) {
        #expect(LEDTrigger.current(text) == current)
    }

    @Test("White is the limit of every channel, or else the maximum")
    func white() {
        #expect(LEDColour.intensities(nil, index: "red green blue", limits: nil, maximum: 255) == "255 255 255")
        #expect(LEDColour.intensities(nil, index: "red green blue", limits: "100 200", maximum: 255) == "100 200 255")
        #expect(LEDColour.intensities(nil, index: " ", limits: nil, maximum: 255) == nil)
    }

    @Test("A colour is the share of each channel; other channels stay dark")
    func colour() {
        let orange = LEDColour(red: .one, green: Share(clamping: 0.5), blue: .zero)
        #expect(LEDColour.intensities(orange, index: "green blue red amber", limits: nil, maximum: 200) == "100 0 200 0")
        let pale = LEDColour(red: .one, green: Share(clamping: 0.5), blue: Share(clamping: 0.25))
        #expect(LEDColour.intensities(pale, index: "red white", limits: "255 100", maximum: 255) == "255 25")
    }

    @Test("The driver keeps the contract, by what the file says", arguments: [(255, 0.01), (65_535, 0.001)])
    func conformance(maximum: Int, resolution: Double) throws {
        try sysfs.makeLED("status", maximum: maximum)
        let found = violations(
            of: { light() }, writing: "\(folder)/brightness", in: sysfs, resolution: resolution,
            output: { sysfs.output(ofLED: "status") })
        #expect(found == [])
    }

    @Test("A light that is only on or off is on for any intensity")
    func onOrOff() throws {
        try sysfs.makeLED("status", maximum: 1)
        let light = light()
        _ = try light.open()
        for (intensity, value) in [(0.01, 1), (0, 0), (1, 1), (0, 0)] {
            try light.show(Drive(clamping: intensity))
            #expect(sysfs.number("\(folder)/brightness") == value)
        }
        light.close()
    }

    @Test("The trigger and colour of a light are replaced while it is open, and restored at the end")
    func putsBack() throws {
        // Longer than a page, as the list is on a machine with many processors.
        let triggers = "none " + (0..<1000).map { "cpu\($0)" }.joined(separator: " ")
        try sysfs.makeLED("status", trigger: "\(triggers) [heartbeat] timer", brightness: 200)
        try sysfs.write("red green blue", to: "\(folder)/multi_index")
        try sysfs.write("255 0 12", to: "\(folder)/multi_intensity")
        let log = WriteLog(sysfs.path(folder))
        let light = light()
        let outputs = try light.open()
        #expect(log.names() == ["trigger", "brightness", "multi_intensity"], "dark before the colour changes")
        #expect(sysfs.text("\(folder)/trigger") == "none")
        #expect(sysfs.text("\(folder)/brightness") == "0")
        #expect(sysfs.text("\(folder)/multi_intensity") == "255 255 255")
        #expect(outputs.map(\.descriptor) == sysfs.descriptors(of: "\(folder)/brightness"), "the guard gets the brightness")
        try light.show(Drive(clamping: 1))
        _ = log.names()
        light.close()
        #expect(log.names() == ["brightness", "multi_intensity", "trigger"], "dark before its trigger is back")
        #expect(sysfs.text("\(folder)/trigger") == "heartbeat")
        #expect(sysfs.text("\(folder)/multi_intensity") == "255 0 12")
        #expect(sysfs.text("\(folder)/brightness") == "0")
        #expect(sysfs.descriptors(of: "\(folder)/brightness").isEmpty)
    }

    @Test("A driver that fails to open puts back what it had already taken")
    func failsHalfway() throws {
        try sysfs.makeLED("status", trigger: "none [timer]")
        try sysfs.write("red", to: "\(folder)/multi_index")
        try sysfs.write("0", to: "\(folder)/multi_intensity")
        try sysfs.replace("\(folder)/multi_intensity", byLinkTo: "/proc/self/oom_score_adj")
        try sysfs.write("5000", to: "\(folder)/max_brightness")
        let fault = fault { _ = try light().open() }
        #expect(fault?.cause == .io(errno: EINVAL))
        #expect(fault?.device.contains("multi_intensity") == true)
        #expect(sysfs.text("\(folder)/trigger") == "timer")
    }

    @Test("A light that is not there is refused with those that are", arguments: ["status", "../leds/a", ""])
    func missing(name: String) throws {
        #expect(fault { _ = try light().open() }?.description.contains("this machine has no LEDs") == true)
        try sysfs.makeLED("a")
        try sysfs.makeLED("b")
        let fault = fault { _ = try LEDLight(name, root: sysfs.root).open() }
        #expect(fault?.cause == .absent)
        #expect(fault?.description.contains("this machine has a, b") == true, "\(String(describing: fault))")
    }
}
