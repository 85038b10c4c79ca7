// SPDX-License-Identifier: MIT
import HapticInputs
import TestSupport
import Testing

@testable import HapticBackends
@testable import HapticDoctor

@Suite("udev rules for the devices of a configuration")
struct ScanUdevTests {
    private let chip = DeviceRule(#"SUBSYSTEM=="gpio", DEVPATH=="/devices/a""#, .node)
    private let pad = DeviceRule(#"SUBSYSTEM=="input", ENV{ID_PATH}=="usb-1""#, .node)
    private let evil = #"x", RUN+="/bin/false"# + "\nKERNEL==\"*\""

    private func scan(_ rules: [(String, Result<DeviceRule?, DriverFault>)]) -> ScanUdev {
        ScanUdev(rules.map { .init(name: $0.0, backend: "gpio", rule: $0.1) })
    }

    @Test("Each device has one rule, below its actuator or hold; keys come next, and rules for a whole kind last")
    func rules() throws {
        var cases = SnapshotCases()
        let actuators = [("main", chip), ("second", chip), ("pad", pad), ("none", nil)]
        let devices = scan(actuators.map { ($0, .success($1)) })
        cases.add("four actuators", devices.lines)
        let key = DeviceRule(#"SUBSYSTEM=="input", ENV{ID_PATH}=="usb-1""#, .reading)
        let keys = ScanUdev(
            [.init(name: "pad", backend: "evdev", rule: .success(pad))],
            [.init(name: "power", isKey: true, rule: .success(key)), .init(name: "again", isKey: true, rule: .success(key))])
        cases.add("a pad, and a key of it that is only read", keys.lines)
        try expectSnapshot(of: cases.text, "udev")
        #expect(devices.problems == [])
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

    @Test("A key without a rule is a comment, and its fault helps to find a key")
    func keyFaults() {
        let fault = InputFault(DriverFault(.absent, device: evil), isKey: true)
        let scan = ScanUdev([], [.init(name: evil, isKey: true, rule: .failure(fault))])
        #expect(
            scan.lines.contains(
                "# Input 1 (of an input device) has no rule: it is missing; connect it, and print the rules again."))
        #expect(scan.problems.count == 1)
        #expect(scan.problems[0].contains("/proc/bus/input/devices"))
        #expect(!scan.lines.contains { $0.contains("/bin/false") })
    }
}
