// SPDX-License-Identifier: MIT
import HapticInputs
import Testing

@testable import HapticBackends
@testable import hapticctl

@Suite("udev rules for the devices of a configuration")
struct ScanUdevTests {
    private let chip = DeviceRule(#"SUBSYSTEM=="gpio", DEVPATH=="/devices/a""#, .node)
    private let pad = DeviceRule(#"SUBSYSTEM=="input", ENV{ID_PATH}=="usb-1""#, .node)
    private let evil = #"x", RUN+="/bin/false"# + "\nKERNEL==\"*\""

    private func scan(_ rules: [(String, Result<DeviceRule?, DriverFault>)]) -> ScanUdev {
        ScanUdev(rules.map { .init(name: $0.0, backend: "gpio", rule: $0.1) })
    }

    @Test("Each device has one rule, below the actuator that it is of, and what is done for all of a kind comes once, at the end")
    func rules() {
        let scan = scan([("main", .success(chip)), ("second", .success(chip)), ("pad", .success(pad)), ("none", .success(nil))])
        let start = scan.lines.firstIndex { !$0.hasPrefix("#") } ?? 0
        let first = [
            #"ACTION=="remove", GOTO="hapticd_end""#, "", "# Actuator 1, main (gpio)", chip.line, "",
            "# Actuator 2, second (gpio): as above.", "", "# Actuator 3, pad (gpio)", pad.line, "",
            "# Actuator 4, none (gpio): needs no device.", "", "# The same as in the package's rules, where comments say why.",
        ]
        let expected: [String] = first + DeviceRule.Grant.node.lines + ["", #"LABEL="hapticd_end""#]
        #expect(Array(scan.lines[start...]) == expected)
        #expect(scan.problems == [])
        for word in ["/etc/udev/rules.d/70-hapticd.rules", "udevadm control --reload", "udevadm trigger"] {
            #expect(scan.lines[..<start].contains { $0.contains(word) })
        }
    }

    @Test("A device without a rule is a comment, and its fault is for standard error only")
    func faults() {
        let causes: [DriverFault.Cause] = [
            .absent, .permission, .ambiguous([evil]), .unusable(why: evil, remedy: evil), .deviceLost, .busy(holder: evil),
        ]
        let scan = ScanUdev(
            causes.map { .init(name: evil, backend: "gpio", rule: .failure(DriverFault($0, device: evil))) })
        #expect(scan.problems.count == causes.count)
        #expect(scan.lines.count { $0.hasPrefix("# Actuator") && $0.contains(" (gpio) has no rule: ") } == causes.count)
        #expect(!scan.lines.contains { $0.contains("/bin/false") || $0.contains("\n") })
        #expect(scan.lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.count == 2)
    }

    @Test("A key has its rule behind those of the actuators, by which it is read only; a pad that is driven, too, has both")
    func keys() {
        let key = DeviceRule(#"SUBSYSTEM=="input", ENV{ID_PATH}=="usb-1""#, .reading)
        let scan = ScanUdev(
            [.init(name: "pad", backend: "evdev", rule: .success(pad))],
            [.init(name: "power", isKey: true, rule: .success(key)), .init(name: "again", isKey: true, rule: .success(key))])
        let start = scan.lines.firstIndex { $0.hasPrefix("# Actuator 1") } ?? 0
        #expect(
            scan.lines[start...].prefix(7) == [
                "# Actuator 1, pad (evdev)", pad.line, "", "# Hold 1, power (a key)", key.line, "",
                "# Hold 2, again (a key): as above.",
            ])
        #expect(key.line.contains(#"ENV{.HAPTICD}!="node", ENV{.HAPTICD}="read""#))
        #expect(scan.lines.contains { $0.contains("setfacl -m g:hapticd:r $devnode") })
        #expect(scan.lines.contains { $0.contains("setfacl -m g:hapticd:rw $devnode") })
    }

    @Test("A key without a rule is said as a key is")
    func keyFaults() {
        let fault = InputFault(DriverFault(.absent, device: evil), isKey: true)
        let scan = ScanUdev([], [.init(name: evil, isKey: true, rule: .failure(fault))])
        #expect(scan.lines.contains("# Hold 1 (a key) has no rule: it is missing; connect it, and print the rules again."))
        #expect(scan.problems.count == 1 && scan.problems[0].contains("/proc/bus/input/devices"))
        #expect(!scan.lines.contains { $0.contains("/bin/false") })
    }
}
