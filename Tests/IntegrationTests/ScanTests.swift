// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl actuators --scan, on the machine of the test")
struct ScanTests {
    @Test("The scan needs no daemon and lists every kind, whatever this machine has")
    func text() throws {
        let ended = try runCtl(["actuators", "--scan", "--socket", "/tmp/no-such-hapticd.sock"])
        #expect(ended.status == 0, "\(ended.errors)")
        for backend in ["gpio", "pwm", "evdev", "led"] {
            #expect(ended.output.contains("(backend \(backend))"), "\(ended.output)")
        }
    }

    @Test("The scan's `--yaml` passes `check-config` in a file with a version")
    func yaml() throws {
        let folder = try TemporaryFolder()
        let ended = try runCtl(["actuators", "--scan", "--yaml"])
        #expect(ended.status == 0, "\(ended.errors)")
        let file = try folder.write("version: 1\n" + ended.output, to: "scan.yaml")
        let checked = try runCtl(["check-config", file])
        #expect(checked.status == 0, "\(checked.errors)\n\(ended.output)")
    }

    @Test("`--udev` prints rules for what the configuration names, and says with status 1 what has none")
    func udev() throws {
        let folder = try TemporaryFolder()
        func file(_ actuators: String) throws -> String {
            try folder.write("version: 1\nactuators:\n\(actuators)", to: "\(actuators.utf8.count).yaml")
        }
        let simulated = try runCtl([
            "actuators", "--scan", "--udev", "--config", try file("  - { name: main, backend: simulated }\n"),
        ])
        #expect(simulated.status == 0 && simulated.errors == "", "\(simulated.errors)")
        #expect(simulated.output.contains("# Actuator 1, main (simulated): needs no device.\n"), "\(simulated.output)")
        let odd = #"nowhere\" RUN+=\"x"#
        let missing = try runCtl([
            "actuators", "--scan", "--udev", "--config", try file("  - { name: \"a b\", backend: led, led: \"\(odd)\" }\n"),
        ])
        #expect(missing.status == 1 && missing.errors.contains("is not there"), "\(missing.errors)")
        #expect(missing.output.contains("# Actuator 1 (led) has no rule: it is missing;"), "\(missing.output)")
        #expect(!missing.output.contains("nowhere") && !missing.output.contains("RUN"), "\(missing.output)")
    }

    @Test("`--udev` without a configuration says which file it wants, and what to do")
    func udevWithoutConfiguration() throws {
        let ended = try runCtl(["actuators", "--scan", "--udev", "--config", "/no/such.yaml"])
        #expect(ended.status == 1 && ended.output == "")
        #expect(ended.errors.contains("there is no /no/such.yaml") && ended.errors.contains("--config"), "\(ended.errors)")
    }

    @Test("The scan's `--json` is one object a line for each device, and nothing else")
    func json() throws {
        let ended = try runCtl(["actuators", "--scan", "--json"])
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(ended.objects.allSatisfy { $0.text("backend") != nil }, "\(ended.output)")
    }
}
