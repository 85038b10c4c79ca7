// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("Real time, given and refused")
struct RealtimeTests {
    private static let file = """
        version: 1
        actuators:
          - { name: main, backend: simulated }
        """

    @Test("Without the privileges the daemon runs on, says so once with the remedies, and `status` shows it")
    func refused() throws {
        let folder = try TemporaryFolder()
        let noLimits = ["/usr/bin/prlimit", "--rtprio=0:0", "--memlock=65536:65536"]
        // Only root has these to lose, and may.
        let noCapabilities = ["/usr/bin/setpriv", "--bounding-set", "-sys_nice,-ipc_lock,-sys_resource"]
        let wrapper = noLimits + (geteuid() == 0 ? noCapabilities : [])
        let daemon = try Daemon(
            ["--config", folder.write(Self.file, to: "hapticd.yaml")], simulate: false, through: wrapper, in: folder)
        let client = try daemon.connect()
        #expect(try client.result("play", #"{"pattern":"soft"}"#).object("decision").text("outcome") == "played")
        let realtime = try client.result("status").object("realtime")
        #expect(realtime.number("priority") == 40 && realtime["lockMemory"] as? Bool == true)
        let granted = realtime.object("granted")
        #expect(granted["priority"] as? Bool == false && granted["lockMemory"] as? Bool == false && granted["cpu"] is NSNull)
        let remedies = realtime["remedies"] as? [String] ?? []
        #expect(remedies.count == 2 && remedies[0].contains("LimitRTPRIO=") && remedies[1].contains("LimitMEMLOCK=infinity"))
        let status = try daemon.ctl("status").output
        let errors = try daemon.stop().errors
        for remedy in remedies {
            #expect(errors.components(separatedBy: remedy).count == 2, "once: \(errors)")
            #expect(status.contains(remedy), "\(status)")
        }
    }
}
