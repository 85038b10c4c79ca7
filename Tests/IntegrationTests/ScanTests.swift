// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl actuators --scan, on the machine of the test")
struct ScanTests {
    @Test("The scan needs no daemon and lists every kind, whatever this machine has")
    func text() throws {
        let outcome = try runCtl(["actuators", "--scan", "--socket", "/tmp/no-such-hapticd.sock"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        for backend in ["gpio", "pwm", "evdev", "led"] {
            #expect(outcome.output.contains("(backend \(backend))"), "\(outcome.output)")
        }
    }

    @Test("The scan's `--yaml` passes `check-config` in a file with a version")
    func yaml() throws {
        let folder = try TemporaryFolder()
        let outcome = try runCtl(["actuators", "--scan", "--yaml"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let file = try folder.write("version: 1\n" + outcome.output, to: "scan.yaml")
        let checked = try runCtl(["check-config", file])
        #expect(checked.status == 0, "\(checked.errors)\n\(outcome.output)")
    }

    @Test("The scan's `--json` is one object a line for each device, and nothing else")
    func json() throws {
        let outcome = try runCtl(["actuators", "--scan", "--json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.objects.allSatisfy { $0.text("backend") != nil }, "\(outcome.output)")
    }
}
