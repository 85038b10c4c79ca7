// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl monitor", .ownThreads)
struct MonitorTests {
    @Test("The monitor writes each notice as JSON as it comes, with every pulse")
    func json() throws {
        let daemon = try Daemon()
        let monitor = try daemon.start(["monitor", "--json", "--playbacks", "1"])
        try daemon.waitForSubscriber()
        #expect(try daemon.ctl("play", "--pattern", "soft", "--steps", "3", "--duration", "60ms").status == 0)
        let ended = try monitor.wait()
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(Set(ended.objects.flatMap(\.keys)).isSuperset(of: ["decision", "playback", "actuation"]))
        var counter = PulseCounter()
        for actuation in ended.objects.map({ $0.object("actuation") }) where !actuation.isEmpty { counter.add(actuation) }
        // On a busy machine some may come too late, and are left out and counted.
        let missed = try #require(try daemon.status().number("missedActuations"))
        #expect(counter.pulses + Int(missed) == 3)
    }

    @Test("The monitor begins with its daemon and how to quit, names the sender of each input, and obeys its filters")
    func people() throws {
        let daemon = try Daemon()
        let monitor = try daemon.start(
            ["monitor", "--outcome", "felt", "--source", "d*", "--time", "clock", "--playbacks", "1"])
        try monitor.wait(toSay: "Ctrl-C ends this")
        #expect(try daemon.ctl("profile", "quiet").status == 0)
        #expect(try daemon.ctl("event", "nobody.cares", "--id", "door").status == 0)
        for id in ["other", "door"] {
            #expect(try daemon.ctl("play", "soft", "--class", "alarm", "--id", id).status == 0)
        }
        let lines = try monitor.wait().output.split(separator: "\n")
        try #require(lines.count == 3, "\(lines)")
        #expect(lines[0].contains(" at \(daemon.socket), profile full, only --source d* --outcome felt; Ctrl-C ends this"))
        #expect(lines[1].contains("changed: profile  by \(NSUserName()) (process "), "\(lines)")
        #expect(lines[2].contains("play door: felt: soft"), "\(lines)")
        #expect(lines[2].contains(", hapticctl (process "), "\(lines)")
        #expect(lines[2].prefix(12).allSatisfy { $0.isNumber || $0 == ":" || $0 == "." }, "\(lines)")
        let playbacks = try daemon.start(["monitor", "--playbacks", "1", "--topics", "decisions,playbacks"])
        try daemon.waitForSubscriber()
        _ = try daemon.ctl("event", "z", "--value", "\u{1b}[2J\nforged")
        _ = try daemon.ctl("play", "soft", "--class", "alarm")
        let shown = try playbacks.wait().output
        #expect(shown.contains("completed"), "only on request, as above")
        #expect(shown.contains(#"= `\u{1b}[2J\nforged`"#), "\(shown)")
        #expect(!shown.contains("\u{1b}"), "a client's text, and it moves no cursor")
    }
}
