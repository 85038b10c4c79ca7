// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl report", .ownThreads)
struct ReportTests {
    private let folder: TemporaryFolder
    private let daemon: Daemon
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.configure(
            "events: [{ match: anna.calls, pattern: ring }]", actuators: "[{ name: annas-motor, backend: simulated }]")
        daemon = try Daemon(["--config", file], in: folder)
    }

    private func report(_ arguments: String..., socket: String? = nil, file: String? = nil) throws -> EndedProgram {
        try runCtl(
            ["report", "--socket", socket ?? daemon.socket, "--config", file ?? self.file] + arguments, in: folder)
    }

    @Test("A report is shown, written to a new file that only its owner may read, and has names only with --full")
    func hidden() throws {
        #expect(try daemon.ctl("event", "anna.calls", "--id", "anna-1").status == 0)
        let socket = folder.path("annasock")
        try FileManager.default.createSymbolicLink(atPath: socket, withDestinationPath: daemon.socket)
        let path = folder.path("report.txt")
        let ended = try report("--yes", "-o", path, socket: socket)
        #expect(ended.status == 0, "\(ended.errors)")
        let text = try folder.read("report.txt")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(ended.output == text + "Written to \(path).\n")
        #expect(!text.contains("anna"), "\(text)")
        #expect(!text.contains(folder.url.path), "\(text)")
        for part in ["versions", "configuration", "devices", "status", "what the doctor finds", "log of the service"] {
            #expect(text.contains("\n== \(part)"), "\(part)")
        }
        for part in [
            "connected at [hidden]", #"events[0].pattern: "ring""#, "\"outcome\":\"played\"",
            #""chain":[{"link":"rule","reason":null"#,
        ] { #expect(text.contains(part), "\(text)") }
        let full = try report("--yes", "--full", "-o", folder.path("full.txt"))
        #expect(full.output.contains("name: annas-motor"), "\(full.output)")
        for quiet in [[], ["--quiet"]] {
            let printed = try runCtl(["report", "--socket", daemon.socket, "--config", file, "-o", "-"] + quiet, in: folder)
            #expect(printed.status == 0)
            #expect(printed.output.hasPrefix("hapticd report of "), "\(printed.output)\(printed.errors)")
            #expect(!printed.output.contains("Written to"))
        }
    }

    @Test("Nothing is overwritten, no link is followed, and nothing is written unasked")
    func careful() throws {
        let new = folder.path("new")
        let taken = try folder.write("mine", to: "taken")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path("target"))
        for path in [taken, folder.path("link")] {
            let ended = try report("--yes", "-o", path)
            #expect(ended.status == 1)
            #expect(ended.errors.contains("it is left as it is"), "\(ended.errors)")
        }
        #expect(try folder.read("taken") == "mine")
        #expect(!folder.has("target"))
        let unasked = try report("-o", new)
        #expect(unasked.status == 2)
        #expect(unasked.errors.contains("--yes"))
        #expect(try report("--yes", "--json").status == 2)
        #expect(try report("--quiet", "-o", new).status == 2)
        #expect(try report("--yes", "-o", new, file: folder.path("none.yaml")).status == 1)
        #expect(!folder.has("new"))
        #expect(try report("--yes", "--quiet", "-o", new).output.isEmpty)
        #expect(folder.has("new"))
    }

    @Test("On a terminal the report asks before it is written, and \"no\" writes nothing")
    func asks() throws {
        let terminal = try PseudoTerminal()
        let path = folder.path("report.txt")
        let program = try daemon.start(
            ["report", "-o", path], environment: ["TERM": "xterm"], input: terminal.terminal, output: terminal.terminal)
        let question = "Write it to \(path)? [y/N] "
        try terminal.see(question)
        terminal.type("\n")
        #expect(try program.wait().status == 0)
        #expect(!folder.has("report.txt"))
    }
}
