// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl report")
struct ReportTests {
    private static let configuration = """
        version: 1
        actuators: [{ name: annas-motor, backend: simulated }]
        events: [{ match: anna.calls, pattern: ring }]

        """

    private func report(_ arguments: [String], _ daemon: Daemon, _ file: String) throws -> EndedProgram {
        try runCtl(["report", "--socket", daemon.socket, "--config", file] + arguments, in: daemon.folder)
    }

    @Test("It shows what it writes, into a new file that only its owner may read, without any name")
    func hashed() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.configuration, to: "hapticd.yaml")
        let daemon = try Daemon(["--config", file], in: folder)
        #expect(try daemon.ctl("event", "anna.calls", "--id", "anna-1").status == 0)
        let socket = folder.path("annasock")
        try FileManager.default.createSymbolicLink(atPath: socket, withDestinationPath: daemon.socket)
        let path = folder.path("report.txt")
        let old = umask(0)
        let ended = try runCtl(["report", "--yes", "-o", path, "--socket", socket, "--config", file], in: folder)
        umask(old)
        #expect(ended.status == 0, "\(ended.errors)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(ended.output == text + "Written to \(path).\n")
        #expect(!text.contains("anna"), "\(text)")
        #expect(!text.contains(folder.url.path) && text.contains("connected at #"), "\(text)")
        for part in [
            "== versions", "== configuration", "== devices", "== status", "== what the doctor finds", "== log of the service",
        ] {
            #expect(text.contains("\n\(part)"), "\(part)")
        }
        #expect(text.contains(#"events[0].pattern: "ring""#) && text.contains("\"outcome\":\"played\""))
        #expect(text.contains(#""chain":[{"link":"rule","reason":null"#), "\(text)")
    }

    @Test("With --full names are shown")
    func full() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.configuration, to: "hapticd.yaml")
        let daemon = try Daemon(["--config", file], in: folder)
        let ended = try report(["--yes", "--full", "-o", folder.path("report.txt")], daemon, file)
        #expect(ended.status == 0 && ended.output.contains("name: annas-motor"), "\(ended.output)")
    }

    @Test("Nothing is overwritten, no link is followed, and nothing is written unasked")
    func careful() throws {
        let folder = try TemporaryFolder()
        let daemon = try Daemon(in: folder)
        let taken = try folder.write("mine", to: "taken")
        let file = try folder.write("", to: "hapticd.yaml")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path("target"))
        for path in [taken, folder.path("link")] {
            let ended = try report(["--yes", "-o", path], daemon, file)
            #expect(ended.status == 1 && ended.errors.contains("it is left as it is"), "\(ended.errors)")
        }
        #expect(try String(contentsOfFile: taken, encoding: .utf8) == "mine")
        #expect(!FileManager.default.fileExists(atPath: folder.path("target")))
        let unasked = try report(["-o", folder.path("new")], daemon, file)
        #expect(unasked.status == 2 && unasked.errors.contains("--yes"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
        for wrong in [["--yes", "--json"], ["--quiet"], ["--quiet", "--yes"], ["--quiet", "-o", folder.path("new")]] {
            #expect(try report(wrong, daemon, file).status == 2, "\(wrong)")
        }
        #expect(try report(["--yes", "-o", folder.path("new")], daemon, folder.path("none.yaml")).status == 1)
        #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
        #expect(try report(["--yes", "--quiet", "-o", folder.path("new")], daemon, file).output.isEmpty)
        #expect(FileManager.default.fileExists(atPath: folder.path("new")))
    }

    @Test("`-` is standard output: all of the report and nothing else, unasked, also with --quiet")
    func standardOutput() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.configuration, to: "hapticd.yaml")
        let daemon = try Daemon(["--config", file], in: folder)
        for quiet in [[], ["--quiet"]] {
            let ended = try report(["-o", "-"] + quiet, daemon, file)
            #expect(ended.status == 0 && ended.output.hasPrefix("hapticd report of "), "\(ended.output)\(ended.errors)")
            #expect(!ended.output.contains("Written to"))
        }
        #expect(!FileManager.default.fileExists(atPath: daemon.folder.path("-")))
    }

    @Test("On a terminal it asks, and no is no")
    func asks() throws {
        let daemon = try Daemon()
        let terminal = try PseudoTerminal()
        let path = daemon.folder.path("report.txt")
        let program = try Program(
            "hapticctl", ["report", "-o", path, "--socket", daemon.socket], environment: ["TERM": "xterm"],
            input: terminal.terminal,
            output: terminal.terminal, in: daemon.folder)
        var said = ""
        try wait(for: "the question: \(said)") {
            said += terminal.written()
            return said.contains("Write it to \(path)? [y/N] ")
        }
        terminal.type("\n")
        #expect(try program.wait().status == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
