// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl hold, as a person uses it", .ownThreads)
struct HoldCommandTests {
    private let daemon: Daemon
    private let watcher: Connection

    /// `slow` is only confirmed after 8 s, which nobody waits for; `quick` after a quarter of a second; `tap` begins no charge.
    private static let rules = """
        holds:
          - { match: slow, press: 50ms, duration: 8s }
          - { match: quick, press: 50ms, duration: 200ms }
          - { match: tap, press: 30s }
          - { match: pay }
        """

    init() throws {
        daemon = try Daemon(configuration: Self.rules + "\nevents: [{ match: '*.confirmed', pattern: heavy }]")
        watcher = try daemon.connect()
        try watcher.subscribe("holds", "decisions")
    }

    private func start(
        _ id: String = "slow", _ arguments: String..., input: FileHandle? = nil, output: FileHandle? = nil,
        errors: FileHandle? = nil
    ) throws -> Program {
        try daemon.start(["hold", id] + arguments, input: input, output: output, errors: errors)
    }

    private func wait(for state: String) throws {
        while try watcher.notification("hold").text("state") != state {}
    }

    private func states(_ ended: EndedProgram) -> [String] { ended.objects.compactMap { $0.object("hold").text("state") } }
    private func reasons(_ ended: EndedProgram) -> [String] { ended.objects.compactMap { $0.object("decision").text("reason") } }

    @Test("A hold to the end is confirmed, which is an event, too, if a rule matches; status 0")
    func confirmed() throws {
        let program = try start("pay", "--for", "3s", "--json")
        // Ignored with --for.
        program.closeInput()
        var event = [String: Any]()
        while event.text("input") != "event" { event = try watcher.notification("decision") }
        #expect((event.text("name"), event.text("source")) == ("pay.confirmed", "pay"))
        let ended = try program.wait()
        #expect(ended.quietStatus == 0, "\(ended)")
        #expect((states(ended).first, states(ended).last) == ("began", "confirmed"))
        #expect((3...78).contains(states(ended).count), "a machine that stands still may take two steps as one")
        #expect((reasons(ended).first, reasons(ended).last) == ("pressed", "released"))
    }

    @Test("With --for an unreadable input is ignored, and a confirmed hold ends with 0 even if nothing can be written")
    func descriptors() throws {
        func unreadable() throws -> FileHandle { try #require(FileHandle(forWritingAtPath: "/dev/null")) }
        #expect(try start("quick", "--for", "1s", input: unreadable()).wait().status == 0)
        let without = try start(input: unreadable()).wait()
        #expect(without.status == 1)
        #expect(without.errors.contains("cannot be read; --for says"), "\(without)")
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let ended = try start("quick", "--for", "60s", output: full).wait()
        #expect(ended.status == 0)
        #expect(ended.errors.contains("quick is confirmed; cannot write the output"), "\(ended)")
    }

    enum Way: CaseIterable { case enter, endOfInput, interrupt, stop, terminate }

    @Test(
        "A hold that is released early, by Enter, the end of input, Ctrl-C, Ctrl-Z or SIGTERM, falls back unconfirmed",
        arguments: Way.allCases)
    func early(way: Way) throws {
        let program = try start()
        try wait(for: "progress")
        switch way {
        case .enter: program.write("\n")
        case .endOfInput: program.closeInput()
        case .interrupt: program.signal(SIGINT)
        case .stop: program.signal(SIGTSTP)
        case .terminate: program.signal(SIGTERM)
        }
        let ended = try program.wait()
        #expect(ended.status == (way == .terminate ? 143 : 1))
        #expect(way == .terminate || ended.errors.contains("not confirmed"), "\(ended)")
        #expect(ended.errors.contains("--for") == (way == .endOfInput), "\(ended.errors)")
        try wait(for: "released")
    }

    @Test("A press before the charge begins is a tap; with --json the error has a code for it")
    func tap() throws {
        let ended = try daemon.ctl("hold", "tap", "--for", "50ms", "--json")
        #expect(ended.status == 1)
        #expect(try ended.error().text("code") == "notConfirmed")
        #expect(try ended.error().text("message")?.contains("before its charge began") == true)
    }

    @Test("A second hold of the same id is refused with a remedy, and a reload that removes the rule ends the first")
    func duplicate() throws {
        let program = try start()
        try wait(for: "progress")
        let second = try daemon.ctl("hold", "slow", "--for", "3s")
        #expect(second.status == 1)
        #expect(second.errors.contains("it is held already"), "\(second)")
        try daemon.folder.configure("holds: [{ match: other }]")
        try watcher.request("reload")
        program.write("\n")
        let ended = try program.wait()
        #expect(ended.status == 1)
        #expect(ended.errors.contains("let go by hapticd, as by a reload"), "\(ended)")
    }

    @Test("On a terminal a bar shows the progress of the hold; in a pipe there is none")
    func bar() throws {
        let terminal = try PseudoTerminal()
        terminal.setWidth(60)
        let program = try start(errors: terminal.terminal)
        try wait(for: "progress")
        program.write("\n")
        #expect(try program.wait().status == 1)
        let written = terminal.written()
        for part in ["slow", "0%", "not confirmed"] { #expect(written.contains(part), "\(written)") }
        #expect(try daemon.ctl("hold", "slow", "--for", "600ms").errorLines.count == 1)
    }

    @Test("If the daemon goes, a hold is released with status 3; an earlier confirmation stays")
    func lost() throws {
        let program = try start()
        try wait(for: "progress")
        let confirmed = try start("quick", "--for", "60s")
        try wait(for: "confirmed")
        try confirmed.wait(toSay: "confirmed")
        daemon.program.signal(SIGKILL)
        let ended = try program.wait()
        #expect(ended.status == 3)
        #expect(ended.errors.contains("slow is not confirmed: "), "\(ended)")
        let stays = try confirmed.wait()
        #expect((stays.status, stays.output) == (0, "quick: confirmed\n"))
        #expect(stays.errors.contains("quick is confirmed; since then hapticd does not answer"), "\(stays)")
    }

    @Test("SIGTERM after the confirmation changes no status, also if the daemon does not answer any more")
    func terminatedAfterwards() throws {
        let program = try start("quick", "--for", "60s")
        try program.wait(toSay: "confirmed")
        daemon.program.signal(SIGSTOP)
        program.signal(SIGTERM)
        #expect(try program.wait().status == 0)
        daemon.program.signal(SIGCONT)
    }

    @Test("A hold that SIGSTOP stops is released when its lease ends, and reports that once it continues")
    func frozen() throws {
        let program = try start()
        try wait(for: "progress")
        program.signal(SIGSTOP)
        var last: String?
        while last != "released" {
            last = try watcher.notification("hold").text("state")
            #expect(last != "confirmed")
        }
        program.signal(SIGCONT)
        let ended = try program.wait()
        #expect(ended.status == 1)
        #expect(ended.errors.contains("hapticctl was stopped for 1 s or longer"), "\(ended)")
    }
}
