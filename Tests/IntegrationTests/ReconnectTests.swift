// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `hapticctl` while hapticd is killed and started again. Nothing here waits for a time, only for what is said.
@Suite("Clients whose daemon is killed and started again")
struct ReconnectTests {
    private static let (lost, again) = (#""connected":false"#, #""connected":true"#)

    /// A stream of progress that tells each decision as JSON.
    private func stream(_ daemon: Daemon, _ arguments: String...) throws -> Program {
        try Program(
            "hapticctl", ["progress", "copy", "--stdin", "--json", "--socket", daemon.socket] + arguments, in: daemon.folder)
    }

    private func decisions(_ output: String) -> [[String: Any]] {
        EndedProgram(waited: 0, output: output, errors: "").objects.map { $0.object("decision") }.filter { !$0.isEmpty }
    }

    private func wait(for program: Program, toSay text: String) throws {
        try IntegrationTests.wait(for: "\(text) of a client that said \(program.output) \(program.errors)") {
            guard program.isRunning else { throw Waited(what: "it has ended: \(program.output) \(program.errors)") }
            return program.output.contains(text) || program.errors.contains(text)
        }
    }

    /// Kills `daemon` and waits until `client` knows.
    private func kill(_ daemon: Daemon, seenBy client: Program) throws {
        _ = try daemon.stop(SIGKILL)
        try wait(for: client, toSay: Self.lost)
    }

    @Test("The monitor goes on, and reports the gap in words and as JSON")
    func monitor() throws {
        let first = try Daemon()
        let monitor = try Program("hapticctl", ["monitor", "--json", "--socket", first.socket], in: first.folder)
        try IntegrationTests.wait(for: "the monitor") {
            try first.ctl("status", "--json").objects[0].number("subscribers") == 1
        }
        _ = try first.ctl("progress", "before", "0.001")
        try wait(for: monitor, toSay: "before")
        try kill(first, seenBy: monitor)
        let second = try Daemon(in: first.folder)
        try wait(for: monitor, toSay: Self.again)
        _ = try second.ctl("progress", "after", "0.001")
        try wait(for: monitor, toSay: "after")
        monitor.signal(SIGINT)
        let ended = try monitor.wait()
        #expect(ended.status == 0)
        let kinds = ended.objects.filter { $0["actuator"] == nil }.map { $0.keys.first { $0 != "schema" } ?? "none" }
        #expect(kinds == ["decision", "connection", "connection", "decision"], "\(ended.output)")
        let gap = ended.objects.map { $0.object("connection") }.filter { !$0.isEmpty }
        #expect(gap.map { Set($0.keys) } == [["connected", "atNs", "awayMs"], ["connected", "atNs", "awayMs"]])
        let times = gap.compactMap { $0.number("atNs") }
        #expect(gap[0]["awayMs"] is NSNull && abs((times[1] - times[0]) / 1e6 - (gap[1].number("awayMs") ?? 0)) < 0.01)
        #expect(ended.errors.contains("the connection to hapticd was lost; trying again…"), "\(ended.errors)")
        #expect(ended.errors.contains("connected again after "), "\(ended.errors)")
    }

    @Test("A stream of progress goes on: what was felt is not felt again, and the next step is")
    func stepsGoOn() throws {
        let first = try Daemon()
        let stream = try stream(first)
        stream.write("0.2\n")
        try wait(for: stream, toSay: #""value":0.2,"#)
        try kill(first, seenBy: stream)
        let second = try Daemon(in: first.folder)
        try wait(for: stream, toSay: Self.again)
        stream.write("0.205\n")
        try wait(for: stream, toSay: #""value":0.205,"#)
        stream.write("0.215\n")
        stream.closeInput()
        let ended = try stream.wait()
        #expect(ended.status == 0, "\(ended.errors)")
        let all = decisions(ended.output)
        #expect(all.compactMap { $0.number("value") } == [0.2, 0.205, 0.215])
        #expect(all.map { $0.text("reason") ?? "felt" } == ["felt", "belowStep", "felt"])
        #expect(try second.ctl("status", "--json").objects[0].number("sources") == 1)
    }

    @Test("A completion that comes while the daemon is away is felt once it is back, however much came before it")
    func completion() throws {
        let first = try Daemon()
        let stream = try stream(first, "--max", "1000")
        stream.write("200\n")
        try wait(for: stream, toSay: #""value":0.2,"#)
        try kill(first, seenBy: stream)
        // More than any pipe holds: it is read on, so who writes never waits for a daemon.
        stream.write((0..<30_000).map { "\(201 + $0 % 700)\n" }.joined())
        stream.write("1000\n")
        stream.closeInput()
        let second = try Daemon(in: first.folder)
        let ended = try stream.wait()
        #expect(ended.status == 0, "\(ended.errors)")
        let last = try #require(decisions(ended.output).last)
        #expect((last.number("value"), last.text("outcome"), last.text("pattern")) == (1, "played", "success"))
        #expect(try second.ctl("status", "--json").objects[0].number("clients") == 1)
    }

    @Test("A completion is felt also where the daemon was stopped in order, and its service manager keeps the socket open")
    func inheritedSocket() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("kept.sock")
        let given = try listeningSocket(at: path)
        let script = #"LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" --simulate 3<&0 0</dev/null"#
        func start() throws -> Program {
            try Program(
                "/bin/sh", ["-c", script, programs.appendingPathComponent("hapticd").path], input: given, in: folder)
        }
        let first = try start()
        let stream = try Program("hapticctl", ["progress", "copy", "--stdin", "--json", "--socket", path], in: folder)
        stream.write("0.2\n")
        try wait(for: stream, toSay: #""value":0.2,"#)
        first.signal(SIGTERM)
        #expect(try first.wait().status == 0)
        try wait(for: stream, toSay: Self.lost)
        // Whoever connects now waits for the next daemon.
        stream.write("1\n")
        stream.closeInput()
        let second = try start()
        let ended = try stream.wait()
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(decisions(ended.output).last?.text("pattern") == "success", "\(ended.output)")
        second.signal(SIGTERM)
        _ = try second.wait()
    }

    @Test("Where the daemon does not come back, what was not delivered is named, with status 3")
    func neverBack() throws {
        let daemon = try Daemon()
        let stream = try stream(daemon, "--reconnect-for", "200ms")
        stream.write("0.2\n")
        try wait(for: stream, toSay: #""value":0.2,"#)
        try kill(daemon, seenBy: stream)
        stream.write("0.4\n")
        stream.closeInput()
        let ended = try stream.wait()
        #expect(ended.status == 3)
        #expect(
            ended.errors.contains("copy at 40% was not delivered") && ended.errors.contains("start it"), "\(ended.errors)")
        #expect(ended.objects.allSatisfy { !$0.isEmpty })
    }

    @Test("A daemon that stands still has been away since it was heard of last")
    func standsStill() throws {
        let daemon = try Daemon()
        let stream = try stream(daemon, "--reconnect-for", "200ms")
        stream.write("0.2\n")
        try wait(for: stream, toSay: #""value":0.2,"#)
        daemon.program.signal(SIGSTOP)
        defer { daemon.program.signal(SIGCONT) }
        stream.write("0.4\n")
        stream.closeInput()
        let ended = try stream.wait()
        #expect(ended.status == 3)
        // After the 5 s that an answer may take.
        #expect(
            ended.errors.contains("hapticd has been away for") && !ended.errors.contains("away for 0")
                && !ended.errors.contains("ms,"), "\(ended.errors)")
    }

    @Test("Where all had been delivered before, no daemon is waited for")
    func allDelivered() throws {
        let daemon = try Daemon()
        let stream = try stream(daemon)
        stream.write("0.2\n")
        try wait(for: stream, toSay: #""value":0.2,"#)
        try kill(daemon, seenBy: stream)
        stream.closeInput()
        #expect(try stream.wait().status == 0)
    }

    @Test("The monitor ends with status 3 where it is not to wait")
    func monitorThatDoesNotWait() throws {
        let daemon = try Daemon()
        let monitor = try Program(
            "hapticctl", ["monitor", "--json", "--reconnect-for", "0s", "--socket", daemon.socket], in: daemon.folder)
        try IntegrationTests.wait(for: "the monitor") {
            try daemon.ctl("status", "--json").objects[0].number("subscribers") == 1
        }
        _ = try daemon.stop(SIGKILL)
        let ended = try monitor.wait()
        #expect(ended.status == 3 && ended.errors.contains("has not come back within 0"), "\(ended)")
    }

    @Test("Ctrl-C ends who waits for a daemon")
    func interrupted() throws {
        let daemon = try Daemon()
        let monitor = try Program("hapticctl", ["monitor", "--json", "--socket", daemon.socket], in: daemon.folder)
        let stream = try stream(daemon)
        stream.write("0.2\n")
        try wait(for: stream, toSay: #""value":0.2,"#)
        try IntegrationTests.wait(for: "the monitor") {
            try daemon.ctl("status", "--json").objects[0].number("subscribers") == 1
        }
        try kill(daemon, seenBy: stream)
        try wait(for: monitor, toSay: Self.lost)
        for (program, status) in [(monitor, 0), (stream, 130)] as [(Program, Int32)] {
            program.signal(SIGINT)
            #expect(try program.wait().status == status, "\(program.errors)")
        }
    }

    @Test("A charge whose daemon is killed completes with the next one")
    func charge() throws {
        let first = try Daemon()
        let watcher = try first.connect()
        try watcher.request("subscribe", #"{"topics":["decisions"]}"#)
        let charge = try Program(
            "hapticctl", ["charge", "--json", "--tick", "20ms", "--socket", first.socket], in: first.folder)
        while try watcher.notification("decision").text("outcome") != "played" {}
        try kill(first, seenBy: charge)
        let second = try Daemon(in: first.folder)
        let ended = try charge.wait()
        #expect(ended.status == 0, "\(ended.errors)")
        let last = try #require(decisions(ended.output).last)
        #expect((last.number("value"), last.text("outcome")) == (1, "played"), "\(last)")
        #expect(try second.ctl("status", "--json").objects[0].number("sources") == 1)
    }

    @Test("A command that waits for an answer when the daemon is killed says that, with status 3")
    func waiting() throws {
        let daemon = try Daemon()
        let watcher = try daemon.connect()
        try watcher.request("subscribe", #"{"topics":["decisions"]}"#)
        let play = try Program(
            "hapticctl", ["play", "--pattern", "alarm", "--repeat", "100", "--socket", daemon.socket], in: daemon.folder)
        _ = try watcher.notification("decision")
        _ = try daemon.stop(SIGKILL)
        let ended = try play.wait()
        #expect(ended.status == 3)
        #expect(ended.errors.contains("stopped or restarted") && ended.errors.split(separator: "\n").count == 1)
    }
}
