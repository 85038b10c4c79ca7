// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

/// `hapticctl` while hapticd is killed and started again. Nothing here waits for a time, only for an output.
@Suite("Clients whose daemon is killed and started again", .ownThreads)
struct ReconnectTests {
    private static let (lost, again) = (#""connected":false"#, #""connected":true"#)

    /// A stream of progress that writes each decision as JSON, after its first step has been played.
    private func stream(_ daemon: Daemon, _ arguments: String..., first: String = "0.2") throws -> Program {
        let stream = try daemon.start(["progress", "copy", "--stdin", "--json"] + arguments)
        stream.write(first + "\n")
        try stream.wait(toSay: #""value":0.2,"#)
        return stream
    }

    private func decisions(_ ended: EndedProgram) -> [[String: Any]] {
        ended.objects.map { $0.object("decision") }.filter { !$0.isEmpty }
    }

    /// Kills `daemon` and waits until `client` has seen it.
    private func kill(_ daemon: Daemon, seenBy client: Program) throws {
        _ = try daemon.stop(SIGKILL)
        try client.wait(toSay: Self.lost)
    }

    @Test("The monitor continues, reports the gap in words and as JSON, and ends with 0 by Ctrl-C, with 143 by SIGTERM")
    func monitor() throws {
        let first = try Daemon()
        let monitor = try first.start(["monitor", "--json"])
        try first.waitForSubscriber()
        _ = try first.ctl("progress", "before", "0.001")
        try monitor.wait(toSay: "before")
        try kill(first, seenBy: monitor)
        let second = try Daemon(in: first.folder)
        try monitor.wait(toSay: Self.again)
        _ = try second.ctl("progress", "after", "0.001")
        try monitor.wait(toSay: "after")
        monitor.signal(SIGINT)
        let ended = try monitor.wait()
        #expect(ended.status == 0)
        let kinds = ended.objects.filter { $0["actuator"] == nil }.map { $0.keys.first { $0 != "schema" } ?? "none" }
        #expect(kinds == ["decision", "connection", "connection", "decision"], "\(ended.output)")
        let gap = ended.objects.map { $0.object("connection") }.filter { !$0.isEmpty }
        #expect(gap.map { Set($0.keys) } == [["connected", "atNs", "awayMs"], ["connected", "atNs", "awayMs"]])
        let times = gap.compactMap { $0.number("atNs") }
        #expect(gap[0]["awayMs"] is NSNull)
        #expect(abs((times[1] - times[0]) / 1e6 - (gap[1].number("awayMs") ?? 0)) < 0.01)
        #expect(ended.errors.contains("the connection to hapticd was lost; trying again…"), "\(ended.errors)")
        #expect(ended.errors.contains("connected again after "), "\(ended.errors)")
        let other = try second.start(["monitor"])
        try second.waitForSubscriber()
        other.signal(SIGTERM)
        #expect(try other.wait().status == 143)
    }

    @Test("A stream of progress continues: played steps are not repeated, and the next step is played")
    func stepsGoOn() throws {
        let first = try Daemon()
        let stream = try stream(first)
        try kill(first, seenBy: stream)
        let second = try Daemon(in: first.folder)
        try stream.wait(toSay: Self.again)
        stream.write("0.205\n")
        try stream.wait(toSay: #""value":0.205,"#)
        stream.write("0.215\n")
        stream.closeInput()
        let ended = try stream.wait()
        #expect(ended.status == 0, "\(ended.errors)")
        let all = decisions(ended)
        #expect(all.compactMap { $0.number("value") } == [0.2, 0.205, 0.215])
        #expect(all.map { $0.text("reason") ?? "felt" } == ["felt", "belowStep", "felt"])
        #expect(try second.status().number("sources") == 1)
    }

    @Test("A completion that comes while the daemon is away is played once it is back, however much came before it")
    func completion() throws {
        let first = try Daemon()
        let stream = try stream(first, "--max", "1000", first: "200")
        try kill(first, seenBy: stream)
        // More than any pipe holds: it is read on, so the writer never waits for a daemon.
        stream.write((0..<30_000).map { "\(201 + $0 % 700)\n" }.joined())
        stream.write("1000\n")
        stream.closeInput()
        let second = try Daemon(in: first.folder)
        let ended = try stream.wait()
        #expect(ended.status == 0, "\(ended.errors)")
        let last = try #require(decisions(ended).last)
        #expect((last.number("value"), last.text("pattern")) == (1, "success"))
        withExtendedLifetime(second) {}
    }

    @Test("A completion is played also if the daemon was stopped in order, and its service manager keeps the socket open")
    func inheritedSocket() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("kept.sock")
        let given = try listeningSocket(at: path)
        let first = try startInheriting(given, in: folder)
        let stream = try Program("hapticctl", ["progress", "copy", "--stdin", "--json", "--socket", path], in: folder)
        stream.write("0.2\n")
        try stream.wait(toSay: #""value":0.2,"#)
        first.signal(SIGTERM)
        #expect(try first.wait().status == 0)
        try stream.wait(toSay: Self.lost)
        // Whoever connects now waits for the next daemon.
        stream.write("1\n")
        stream.closeInput()
        let second = try startInheriting(given, in: folder)
        let ended = try stream.wait()
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(decisions(ended).last?.text("pattern") == "success", "\(ended.output)")
        withExtendedLifetime(second) {}
    }

    @Test("If the daemon does not come back, undelivered values are named, with status 3; without a wait there is no delay")
    func neverBack() throws {
        for (value, status) in [("0.4\n", 3), ("", 0)] as [(String, Int32)] {
            let daemon = try Daemon()
            let stream = try stream(daemon, "--reconnect-for", "200ms")
            try kill(daemon, seenBy: stream)
            stream.write(value)
            stream.closeInput()
            let ended = try stream.wait()
            #expect(ended.status == status)
            #expect(ended.errors.contains("copy at 40% was not delivered") == (status == 3), "\(ended.errors)")
            #expect(ended.errors.contains("start it") == (status == 3), "\(ended.errors)")
        }
        let daemon = try Daemon()
        let monitor = try daemon.start(["monitor", "--json", "--reconnect-for", "0s"])
        try daemon.waitForSubscriber()
        _ = try daemon.stop(SIGKILL)
        let ended = try monitor.wait()
        #expect(ended.status == 3)
        #expect(ended.errors.contains("has not come back within 0"), "\(ended)")
    }

    // After the 5 s that an answer may take.
    @Test("A daemon that stands still counts as away since its last answer", .enabled(if: isNightly))
    func standsStill() throws {
        let daemon = try Daemon()
        let stream = try stream(daemon, "--reconnect-for", "200ms")
        daemon.program.signal(SIGSTOP)
        defer { daemon.program.signal(SIGCONT) }
        stream.write("0.4\n")
        stream.closeInput()
        let ended = try stream.wait()
        #expect(ended.status == 3)
        #expect(ended.errors.contains(#/hapticd has been away for [1-9][0-9.]* s/#), "\(ended.errors)")
    }

    @Test("Ctrl-C ends a command that waits for a daemon")
    func interrupted() throws {
        let daemon = try Daemon()
        let monitor = try daemon.start(["monitor", "--json"])
        let stream = try stream(daemon)
        try daemon.waitForSubscriber()
        try kill(daemon, seenBy: stream)
        try monitor.wait(toSay: Self.lost)
        for (program, status) in [(monitor, 0), (stream, 130)] as [(Program, Int32)] {
            program.signal(SIGINT)
            #expect(try program.wait().status == status, "\(program.errors)")
        }
    }

    @Test("A charge whose daemon is killed completes with the next one; a command that waits for an answer reports it")
    func charge() throws {
        let first = try Daemon()
        let watcher = try first.connect()
        try watcher.subscribe("decisions")
        let play = try first.start(["play", "--pattern", "alarm", "--class", "alarm", "--repeat", "100"])
        while try watcher.notification("decision").text("input") != "play" {}
        let charge = try first.start(["charge", "--json"])
        while try watcher.notification("decision").text("input") != "progress" {}
        try kill(first, seenBy: charge)
        let waiting = try play.wait()
        #expect(waiting.status == 3)
        #expect(waiting.errors.contains("stopped or restarted"))
        #expect(waiting.errorLines.count == 1)
        let second = try Daemon(in: first.folder)
        let ended = try charge.wait()
        #expect(ended.status == 0, "\(ended.errors)")
        let last = try #require(decisions(ended).last)
        #expect((last.number("value"), last.text("outcome")) == (1, "played"), "\(last)")
        #expect(try second.status().number("sources") == 1)
    }
}
