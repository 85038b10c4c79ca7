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

    @Test("The scan's `--json` is one object a line for each device, and nothing else")
    func json() throws {
        let ended = try runCtl(["actuators", "--scan", "--json"])
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(ended.objects.allSatisfy { $0.text("backend") != nil }, "\(ended.output)")
    }
}
