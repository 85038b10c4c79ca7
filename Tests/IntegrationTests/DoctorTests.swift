// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl doctor", .ownThreads)
struct DoctorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The findings that are a problem, or a note.
    private func found(_ ended: EndedProgram) -> Set<String> {
        Set(ended.objects.compactMap { $0.text("finding") }).subtracting(["ok"])
    }

    private func doctor(_ arguments: String..., environment: [String: String] = [:]) throws -> EndedProgram {
        try runCtl(["doctor", "--json"] + arguments, environment: environment, in: folder)
    }

    private func firstCommand(of finding: String, _ ended: EndedProgram) throws -> String {
        let object = try #require(ended.objects.first { $0.text("finding") == finding }, "\(ended.output)")
        return try #require((object["commands"] as? [String])?.first)
    }

    private func type(_ command: String) throws -> Program {
        try Program("/bin/bash", ["-c", "cd \(folder.url.path); PATH=\(programs.path):$PATH; \(command)"], in: folder)
    }

    @Test("The doctor ends with status 0 for a healthy daemon, with its verdict last, and pulses only if that was agreed to")
    func healthy() throws {
        let daemon = try Daemon()
        let ended = try doctor("--socket", daemon.socket)
        let verdict = try #require(ended.objects.last)
        #expect(ended.quietStatus == (verdict.number("problems") == 0 ? 0 : nil), "\(ended)")
        #expect(found(ended).isSubset(of: ["device.simulated", "memory.short"]), "\(ended.output)")
        let people = try daemon.ctl("doctor")
        #expect(people.output.contains("  ok       connected at \(daemon.socket)\n"), "\(people.output)")
        #expect(people.output.contains("  note     main is simulated\n"))
        func decisions() throws -> Int { (try daemon.status()["decisions"] as? [Any] ?? []).count }
        #expect(try daemon.ctl("doctor", "--no-pulse").status == people.status)
        #expect(try decisions() == 0, "nobody is there to be asked")
        let pulse = try doctor("--socket", daemon.socket, "--pulse")
        #expect(pulse.objects.contains { $0.text("what") == "main: the test pulse was played" }, "\(pulse.output)")
        #expect(try decisions() == 1)
        for (one, other) in [("--pulse", "--no-pulse"), ("--explain", "--json"), ("--explain", "--pulse")] {
            #expect(try runCtl(["doctor", one, other]).status == 2, "\(one) \(other)")
        }
    }

    @Test("No daemon, a silent one, a stale socket and a file in its place are findings, not exit status 3")
    func noDaemon() throws {
        let path = folder.path("hapticd.sock")
        let missing = try doctor("--socket", path)
        #expect(missing.errors.contains("fix first: there is no socket at "), "\(missing.errors)")
        let people = try runCtl(["doctor", "--socket", path], in: folder)
        #expect((people.status, people.errors) == (1, ""))
        #expect(people.output.contains("; fix first: "))
        let silent: EndedProgram = try {
            // Closed with the handle; the file stays.
            let socket = try listeningSocket(at: path)
            defer { withExtendedLifetime(socket) {} }
            return try doctor("--socket", path)
        }()
        let stale = try doctor("--socket", path)
        try FileManager.default.removeItem(atPath: path)
        try folder.write("no socket", to: "hapticd.sock")
        let foreign = try doctor("--socket", path)
        for (ended, finding) in [
            (missing, "socket.missing"), (silent, "daemon.silent"), (stale, "socket.stale"), (foreign, "socket.foreign"),
        ] {
            #expect(ended.status == 1)
            #expect(found(ended).contains(finding), "\(ended.output)")
        }
        let variable = try doctor(environment: ["HAPTICD_SOCKET": folder.path("none.sock")])
        #expect(found(variable).contains(geteuid() == 0 ? "socket.ignored" : "socket.variable"), "\(variable.output)")
    }

    @Test("The remedy of a stale socket, typed, brings a daemon there")
    func remedy() throws {
        let path = folder.path("it's $(one).sock")
        _ = try listeningSocket(at: path)
        let command = try firstCommand(of: "socket.stale", doctor("--socket", path))
        let daemon = try type("exec \(command)")
        try daemon.waitUntilListening(at: path)
        #expect(try doctor("--socket", path).objects.contains { $0.text("what") == "connected at \(path)" })
        withExtendedLifetime(daemon) {}
    }

    @Test("On a terminal the doctor asks before the pulse, and then whether it was felt; the last line counts all problems")
    func asks() throws {
        let daemon = try Daemon()
        let bad = try daemon.folder.write("profil: full\n", to: "bad.yaml")
        let terminal = try PseudoTerminal()
        // Whose `main` is not simulated, as far as it says.
        let liar = try DistortingDaemon(before: daemon, .init(areTexts: true, values: ["main"]))
        let program = try Program(
            "hapticctl", ["doctor", "--socket", liar.socket, "--config", bad], environment: ["TERM": "xterm"],
            input: terminal.terminal, output: terminal.terminal, in: daemon.folder)
        for question in ["Play a test pulse on main? [y/N] ", "Did you feel it? [Y/n] "] {
            try terminal.see(question)
            terminal.type("y\n")
        }
        #expect(try program.wait().status == 1)
        let said = terminal.written()
        #expect(said.contains("the test pulse was felt"), "\(said)")
        #expect(said.split(whereSeparator: \.isNewline).last?.contains("fix first: \(bad) has ") == true, "\(said)")
    }

    @Test("docs/troubleshooting.md contains the text that `--explain` prints")
    func page() throws {
        let table = try runCtl(["doctor", "--explain"]).output
        let page = try String(contentsOf: package.appendingPathComponent("docs/troubleshooting.md"), encoding: .utf8)
        #expect(page.contains("\n\(table)\n"), "run `make doctor-page` to put it there")
        #expect(table.contains("| `socket.group` |"))
    }
}
