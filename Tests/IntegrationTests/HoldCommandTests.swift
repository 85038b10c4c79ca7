// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl hold, as a person uses it")
struct HoldCommandTests {
    private let daemon: Daemon
    private let watcher: Connection

    init() throws {
        daemon = try Daemon()
        watcher = try daemon.connect()
        try watcher.request("subscribe", #"{"topics":["holds","decisions"]}"#)
    }

    private func start(_ arguments: String..., errors: FileHandle? = nil) throws -> Program {
        try Program("hapticctl", ["hold", "pay", "--socket", daemon.socket] + arguments, errors: errors, in: daemon.folder)
    }

    private func waitForStep() throws {
        while try watcher.notification("hold").text("state") != "progress" {}
    }

    @Test("Held to the end it is confirmed, which is an event, too, where a rule is for it; status 0")
    func confirmed() throws {
        let folder = try TemporaryFolder()
        let rules =
            "version: 1\nactuators: [{ name: main, backend: simulated }]\nevents: [{ match: '*.confirmed', pattern: heavy }]\n"
        let daemon = try Daemon(["--config", try folder.write(rules, to: "rules.yaml")], in: folder)
        let watcher = try daemon.connect()
        try watcher.request("subscribe", #"{"topics":["decisions"]}"#)
        let arguments = ["hold", "pay", "--socket", daemon.socket, "--for", "3s", "--json"]
        let program = try Program("hapticctl", arguments, in: folder)
        // Of no matter with --for.
        program.closeInput()
        var event = [String: Any]()
        while event.text("input") != "event" { event = try watcher.notification("decision") }
        #expect(event.text("name") == "pay.confirmed" && event.text("source") == "pay")
        let ended = try program.wait()
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended)")
        let states = ended.objects.map { $0.object("hold") }.compactMap { $0.text("state") }
        #expect(states.first == "began" && states.last == "confirmed" && states.count == 78, "\(states)")
        #expect(ended.objects.first?.object("decision").text("reason") == "pressed")
        #expect(ended.objects.last?.object("decision").text("reason") == "released")
    }

    @Test("With --for an input that cannot be read does not matter, as a service or a shell's `<&-` has it; without, it lets go")
    func unreadableInput() throws {
        func ended(_ arguments: String...) throws -> EndedProgram {
            let unreadable = try #require(FileHandle(forWritingAtPath: "/dev/null"))
            let common = ["hold", "pay", "--socket", daemon.socket]
            return try Program("hapticctl", common + arguments, input: unreadable, in: daemon.folder).wait()
        }
        #expect(try ended("--for", "3s").status == 0)
        let without = try ended()
        #expect(without.status == 1 && without.errors.contains("cannot be read; --for says"), "\(without)")
    }

    enum Way: CaseIterable { case enter, endOfInput, interrupt, stop }

    @Test(
        "Let go before, by Enter, the end of input, Ctrl-C or Ctrl-Z, it is not confirmed, and falls back; status 1",
        arguments: Way.allCases)
    func early(way: Way) throws {
        let program = try start()
        try waitForStep()
        switch way {
        case .enter: program.write("\n")
        case .endOfInput: program.closeInput()
        case .interrupt: program.signal(SIGINT)
        case .stop: program.signal(SIGTSTP)
        }
        let ended = try program.wait()
        #expect(ended.status == 1 && ended.errors.contains("not confirmed"), "\(ended)")
        #expect(ended.errors.contains("--for") == (way == .endOfInput), "\(ended.errors)")
        while try watcher.notification("hold").text("state") != "released" {}
    }

    @Test("What came of it is known once it is let go: nobody waits until it has fallen back")
    func fall() throws {
        let folder = try TemporaryFolder()
        let slow = "version: 1\nactuators: [{ name: main, backend: simulated }]\nholds: [{ match: '*', fall: 2s }]\n"
        let file = try folder.write(slow, to: "slow.yaml")
        let daemon = try Daemon(["--config", file], in: folder)
        let ended = try daemon.ctl("hold", "pay", "--for", "1.5s", "--json")
        let states = ended.objects.map { $0.object("hold") }.compactMap { $0.text("state") }
        #expect(ended.status == 1 && states.first == "began" && states.last == "progress", "\(ended)")
        #expect(ended.objects.last?.object("decision").text("reason") == "released")
    }

    @Test("SIGTERM lets go, and ends it as every other command")
    func terminated() throws {
        let program = try start()
        try waitForStep()
        program.signal(SIGTERM)
        #expect(try program.wait().status == 143)
    }

    @Test("What was not held long enough has not begun; with --json the error has a code for that")
    func tap() throws {
        let ended = try daemon.ctl("hold", "pay", "--for", "50ms", "--json")
        #expect(ended.status == 1)
        #expect(try ended.error().text("code") == "notConfirmed")
        #expect(try ended.error().text("message")?.contains("before its charge began") == true)
    }

    @Test("A second one for the same is refused, and says what to do")
    func duplicate() throws {
        let program = try start()
        try waitForStep()
        let second = try daemon.ctl("hold", "pay", "--for", "3s")
        #expect(second.status == 1 && second.errors.contains("it is held already"), "\(second)")
        program.write("\n")
        #expect(try program.wait().status == 1)
    }

    @Test("On a terminal a bar shows how far it has come; in a pipe there is none")
    func bar() throws {
        let terminal = try PseudoTerminal()
        terminal.setWidth(60)
        let program = try start(errors: terminal.terminal)
        try waitForStep()
        program.write("\n")
        #expect(try program.wait().status == 1)
        let written = terminal.written()
        #expect(written.contains("pay") && written.contains("0%") && written.contains("not confirmed"), "\(written)")
        let piped = try daemon.ctl("hold", "pay", "--for", "600ms")
        #expect(piped.errors.split(separator: "\n").count == 1, "\(piped.errors)")
    }

    @Test("Where the daemon goes it is let go, and the status says so")
    func lost() throws {
        let program = try start()
        try waitForStep()
        daemon.program.signal(SIGKILL)
        let ended = try program.wait()
        #expect(ended.status == 3 && ended.errors.contains("pay is not confirmed: "), "\(ended)")
    }

    @Test("What is confirmed stays so, and the status with it, where the daemon goes before it is let go")
    func lostAfterwards() throws {
        let program = try start("--for", "60s")
        while try watcher.notification("hold").text("state") != "confirmed" {}
        try wait(for: "the command to say so") { program.output.contains("confirmed") }
        daemon.program.signal(SIGKILL)
        let ended = try program.wait()
        #expect(ended.status == 0 && ended.output == "pay: confirmed\n", "\(ended)")
        #expect(ended.errors.contains("pay is confirmed; since then hapticd does not answer"), "\(ended)")
    }

    @Test("SIGTERM after the confirmation changes no status, also where the daemon does not answer any more")
    func terminatedAfterwards() throws {
        let program = try start("--for", "60s")
        try wait(for: "it to be confirmed") { program.output.contains("confirmed") }
        daemon.program.signal(SIGSTOP)
        program.signal(SIGTERM)
        #expect(try program.wait().status == 0)
        daemon.program.signal(SIGCONT)
    }

    @Test("Stopped by SIGSTOP it lets go when its lease is over, and says so once it goes on")
    func frozen() throws {
        let program = try start()
        try waitForStep()
        program.signal(SIGSTOP)
        var states: [String?] = []
        while states.last != "released" { states.append(try watcher.notification("hold").text("state")) }
        #expect(!states.contains("confirmed"))
        program.signal(SIGCONT)
        let ended = try program.wait()
        #expect(ended.status == 1 && ended.errors.contains("hapticctl was stopped for 1 s or longer"), "\(ended)")
    }

    @Test("A daemon that is stopped reads what was sent in time before it confirms", arguments: [true, false])
    func stoppedDaemon(isDated: Bool) throws {
        let client = try daemon.connect()
        _ = try client.request("hold", #"{"id":"till","state":"down"}"#)
        // The last steps come every 10 ms: from 0.8 on there are 0.2 s to go.
        var notice = [String: Any]()
        while (notice.number("value") ?? 0) < 0.8 { notice = try watcher.notification("hold") }
        daemon.program.signal(SIGSTOP)
        try wait(for: "the daemon to be stopped") { try isStopped(daemon.program.processIdentifier) }
        let at = isDated ? #","atNs":\#(monotonicNow())"# : ""
        try client.send(#"{"jsonrpc":"2.0","method":"hold","params":{"id":"till","state":"up"\#(at)}}"#)
        usleep(800_000)
        daemon.program.signal(SIGCONT)
        var states: [String?] = []
        while states.last != "released", states.last != "confirmed" {
            states.append(try watcher.notification("hold").text("state"))
        }
        #expect(states.last == "released")
    }

    private func isStopped(_ process: Int32) throws -> Bool {
        let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return stat.split(separator: ")").last?.hasPrefix(" T") == true
    }

    private func monotonicNow() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    @Test("A program that stops repeating its press lets go, and a repeat in time goes on")
    func leased() throws {
        let client = try daemon.connect()
        let down = #"{"id":"till","state":"down","leaseMs":700}"#
        #expect(try client.request("hold", down).object("result").text("reason") == "pressed")
        // It repeats the press at each step of the first second, and then no more.
        var (states, value) = ([String?](), 0.0)
        while states.last != "released", states.last != "confirmed" {
            let notice = try watcher.notification("hold")
            states.append(notice.text("state"))
            value = notice.number("value") ?? value
            if value < 0.2 { _ = try client.request("hold", down) }
        }
        #expect(states.first == "began" && states.last == "released", "\(states)")
        let entries = try client.result("history", #"{"last":100}"#)["entries"] as? [[String: Any]] ?? []
        let decision = try #require(entries.map { $0.object("decision") }.first { $0.text("reason") == "leaseExpired" })
        #expect(decision.text("value") == "up" && decision.text("source") == "till", "\(decision)")
    }

    @Test("A hold that was confirmed ends with 0 also where the output cannot be written")
    func unwritable() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let arguments = ["hold", "pay", "--socket", daemon.socket, "--for", "60s"]
        let ended = try Program("hapticctl", arguments, output: full, in: daemon.folder).wait()
        #expect(ended.status == 0 && ended.errors.contains("pay is confirmed; cannot write the output"), "\(ended)")
    }

    @Test("A reload that has no rule for it any more ends it, and that is said")
    func reloaded() throws {
        let folder = try TemporaryFolder()
        let actuators = "version: 1\nactuators: [{ name: main, backend: simulated }]\n"
        let file = try folder.write(actuators, to: "hold.yaml")
        let daemon = try Daemon(["--config", file], in: folder)
        let watcher = try daemon.connect()
        try watcher.request("subscribe", #"{"topics":["holds"]}"#)
        let program = try Program("hapticctl", ["hold", "pay", "--socket", daemon.socket], in: folder)
        while try watcher.notification("hold").text("state") != "progress" {}
        _ = try folder.write(actuators + "holds: [{ match: other }]\n", to: "hold.yaml")
        try watcher.request("reload")
        program.write("\n")
        let ended = try program.wait()
        #expect(ended.status == 1 && ended.errors.contains("let go by hapticd, as by a reload"), "\(ended)")
    }

    @Test("Without a daemon the same is drawn, in no time")
    func simulated() throws {
        let ended = try runCtl(["hold", "pay", "--simulate"])
        #expect(ended.status == 0 && ended.output.hasSuffix("pay: confirmed\n"), "\(ended)")
        let whole = try runCtl(["hold", "pay", "--simulate", "--json"]).objects.map { $0.object("decision") }
        let up = try #require(whole.last { $0.text("input") == "hold" && $0.text("value") == "up" })
        #expect(up.number("atNs") == 2_100_000_000, "let go once it is confirmed, as the help says")
        let early = try runCtl(["hold", "pay", "--for", "1s", "--simulate", "--json"])
        let states = early.objects.map { $0.object("hold") }.compactMap { $0.text("state") }
        #expect(early.status == 1 && states.first == "began" && states.last == "released", "\(early)")
    }
}
