// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl monitor, as a person uses it")
struct MonitorTests {
    @Test("The monitor shows what happens, as it happens")
    func monitor() throws {
        let daemon = try Daemon()
        let monitor = try Program(
            "hapticctl", ["monitor", "--json", "--playbacks", "1", "--socket", daemon.socket], in: daemon.folder)
        try wait(for: "the monitor to be shown something") {
            _ = try daemon.ctl("progress", "probe", "0.001")
            return monitor.output.contains("belowStep")
        }
        #expect(try daemon.ctl("play", "--pattern", "soft", "--steps", "3", "--duration", "60ms").status == 0)
        let ended = try monitor.wait()
        #expect(ended.status == 0, "\(ended.errors)")
        let kinds = Set(ended.objects.flatMap(\.keys))
        #expect(kinds.isSuperset(of: ["decision", "playback", "actuation"]))
        var counter = PulseCounter()
        for actuation in ended.objects.map({ $0.object("actuation") }) where !actuation.isEmpty { counter.add(actuation) }
        // On a busy machine some may come too late, and are left out and counted.
        let status = try daemon.ctl("status", "--json")
        let missed = try #require(status.objects.first?.number("missedActuations"))
        #expect(counter.pulses + Int(missed) == 3)
    }

    @Test(
        "The monitor shows people a completed playback only where they ask for playbacks",
        arguments: [([], false), (["--topics", "decisions,playbacks"], true)])
    func monitorOfCompletions(arguments: [String], isShown: Bool) throws {
        let daemon = try Daemon()
        let monitor = try Program(
            "hapticctl", ["monitor", "--playbacks", "1", "--socket", daemon.socket] + arguments, in: daemon.folder)
        try wait(for: "the monitor to be there") {
            try daemon.ctl("status", "--json").objects[0].number("subscribers") == 1
        }
        _ = try daemon.ctl("play", "--pattern", "soft")
        let ended = try monitor.wait()
        #expect(ended.output.contains("felt: soft"), "\(ended)")
        #expect(ended.output.contains("completed") == isShown, "\(ended)")
    }
}
