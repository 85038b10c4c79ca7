// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Whether a program is on the PATH.
func isInstalled(_ name: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
}

@Suite("Completions, in the shells themselves", .serialized)
struct CompletionTests {
    enum Shell: String, CaseIterable {
        case bash, zsh, fish

        /// What prints what Tab offers, after the script, the folder and the line.
        var harness: [String] {
            switch self {
            case .bash: ["bash", "complete.bash"]
            case .zsh: ["zsh", "-f", "complete.zsh"]
            case .fish: ["zsh", "-f", "complete-fish.zsh"]
            }
        }
    }

    static let shells = Shell.allCases.filter { isInstalled($0.rawValue) && isInstalled($0.harness[0]) }

    /// A line, and the only word that it may become.
    static let lines = [
        ("hapticctl pl", "play"), ("hapticctl profile qui", "quiet"), ("hapticctl play --class ala", "alarm"),
        ("hapticctl play --cur", "--curve"), ("hapticctl play --curve lin", "linear"), ("hapticctl charge --mode gr", "grid"),
        ("hapticctl play --pattern sel", "selection"), ("hapticctl prepare soft sel", "selection"),
        ("hapticctl patterns sel", "selection"), ("hapticctl render sel", "selection"),
        ("hapticctl render soft --out", "--output"), ("hapticctl latency --pattern sel", "selection"),
        ("hapticctl play --pattern ./kn", "./knock.yaml"), ("hapticctl play --pattern mine/w", "mine/wave.yaml"),
        ("hapticctl play --actuator le", "left"), ("hapticctl latency --actuator ri", "right"),
        ("hapticctl play --simulate --config board.yaml --actuator on", "only"),
        ("hapticctl check-config boa", "board.yaml"), ("hapticctl monitor --topics decisions,pl", "decisions,playbacks"),
        ("hapticctl --socket /no/such play --cla", "--class"), ("hapticctl -q --json play --class ala", "alarm"),
        ("hapticctl --color never play --actuator le", "left"), ("hapticctl --socket /no/such play --pattern sel", "selection"),
        ("hapticctl release upl", "upload"), ("hapticctl cancel upl", "upload"), ("hapticctl event a --id upl", "upload"),
        ("hapticctl task copy succ", "succeeded"), ("hapticctl task bac", "backup"), ("hapticctl present car", "cart.items"),
        ("hapticctl hold --fee", "--feedback"), ("hapticctl present cart.items --feedback of", "off"),
        ("hapticctl monitor --app hapticc", "hapticctl"), ("hapticctl cancel --playback ", "4"),
        ("hapticd --log-level deb", "debug"), ("hapticd --config boa", "board.yaml"), ("hapticd --simul", "--simulate"),
    ]

    @Test("A beginning that can only become one word becomes that word", arguments: shells)
    func completes(shell: Shell) throws {
        let folder = try TemporaryFolder()
        let configuration = try folder.write(
            "version: 1\nactuators: [{ name: left, backend: simulated }, { name: right, backend: simulated }]\n", to: "two.yaml")
        let daemon = try Daemon(["--config", configuration], in: folder)
        _ = try folder.write("", to: "knock.yaml")
        _ = try folder.write("", to: "knocks.txt")
        _ = try folder.write("version: 1\nactuators: [{ name: only, backend: simulated }]\n", to: "board.yaml")
        try FileManager.default.createDirectory(atPath: folder.path("mine"), withIntermediateDirectories: false)
        _ = try folder.write("", to: "mine/wave.yaml")
        #expect(try daemon.ctl("progress", "upload", "1%").status == 0)
        #expect(try daemon.ctl("task", "backup", "began").status == 0)
        #expect(try daemon.ctl("present", "cart.items", "a").status == 0)
        #expect(try daemon.ctl("play", "ring", "--repeat", "1000", "--no-wait").status == 0)
        for name in ["hapticctl", "hapticd"] {
            let maker = package.appendingPathComponent("scripts/make-completion").path
            let made = try Program(maker, [programs.appendingPathComponent(name).path, shell.rawValue], in: folder).wait()
            try #require(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
            let script = try folder.write(made.output, to: "script-of-\(name)")
            for (line, word) in Self.lines where line.hasPrefix(name + " ") {
                var ended = try complete(line, shell, script: script, daemon)
                // On a busy machine the daemon's answer may come later than a shell is kept waiting.
                for _ in 0..<20 where ended.output == "\n" { ended = try complete(line, shell, script: script, daemon) }
                #expect(ended.output == word + "\n" && ended.errors.isEmpty, "\(line): \(ended)")
            }
        }
    }

    @Test("A name with a command in it is not offered, and the command not run", arguments: shells)
    func hostileNames(shell: Shell) throws {
        let folder = try TemporaryFolder()
        let configuration = try folder.write(
            """
            version: 1
            actuators: [{ name: "$(touch ran-it)", backend: simulated }, { name: "`touch ran-it`", backend: simulated }, { name: left, backend: simulated }]
            """, to: "hostile.yaml")
        let daemon = try Daemon(["--config", configuration, "--state", "none"], in: folder)
        _ = try folder.write("", to: "$(touch ran-it).yaml")
        let maker = package.appendingPathComponent("scripts/make-completion").path
        let made = try Program(maker, [programs.appendingPathComponent("hapticctl").path, shell.rawValue], in: folder).wait()
        let script = try folder.write(made.output, to: "script")
        for (line, word) in [("hapticctl play --actuator ", "left\n"), ("hapticctl play --pattern ./", "./hostile.yaml\n")] {
            let ended = try complete(line, shell, script: script, daemon)
            #expect(ended.output == word, "\(line): \(ended)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("ran-it")))
    }

    private func complete(_ line: String, _ shell: Shell, script: String, _ daemon: Daemon) throws -> EndedProgram {
        let path = "\(programs.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        let harness = package.appendingPathComponent("Tests/completions/\(shell.harness.last!)").path
        let arguments = shell.harness.dropLast() + [harness, script, daemon.folder.url.path, line]
        return try Program(
            "/usr/bin/env", Array(arguments), environment: ["PATH": path, "HAPTICD_SOCKET": daemon.socket], in: daemon.folder
        ).wait()
    }

    // MARK: Without an answer

    private func offers(for option: String, socket: String) throws -> EndedProgram {
        try runCtl(
            ["---completion", "play", "--", option, "3", "0", "hapticctl", "play", option, ""],
            environment: ["HAPTICD_SOCKET": socket])
    }

    @Test("Without a daemon the built-in patterns are offered, and no actuators; nothing is complained of")
    func noDaemon() throws {
        let patterns = try offers(for: "--pattern", socket: "/tmp/no-such-hapticd.sock")
        #expect(patterns.output.split(separator: "\n").contains("soft") && patterns.errors.isEmpty)
        let actuators = try offers(for: "--actuator", socket: "/tmp/no-such-hapticd.sock")
        #expect(actuators.status == 0 && actuators.output.filter { !$0.isNewline }.isEmpty && actuators.errors.isEmpty)
    }

    @Test("A daemon that never answers is not waited for")
    func silentDaemon() throws {
        let folder = try TemporaryFolder()
        let socket = try listeningSocket(at: folder.path("silent.sock"))
        defer { withExtendedLifetime(socket) {} }
        let patterns = try offers(for: "--pattern", socket: folder.path("silent.sock"))
        #expect(patterns.output.split(separator: "\n").contains("soft") && patterns.errors.isEmpty)
    }

    @Test("Of more patterns than one answer holds all are known and offered")
    func manyPatterns() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("many"), withIntermediateDirectories: false)
        let tap = "tracks: [{ events: [{ at: 0ms, type: transient, intensity: 1 }] }]"
        let names = (0..<600).map { "zz\(1000 + $0)" }
        for name in names { _ = try folder.write("version: 1\nname: \(name)\n\(tap)\n", to: "many/\(name).yaml") }
        let description = String(repeating: "long ", count: 70) + "end"
        let long = "version: 1\nname: zz1599\ndescription: \(description)\n\(tap)\n"
        _ = try folder.write(long, to: "many/zz1599.yaml")
        let configuration = "version: 1\npatterns: [many]\nactuators: [{ name: main, backend: simulated }]\n"
        let daemon = try Daemon(["--config", folder.write(configuration, to: "hapticd.yaml")], in: folder)
        let offered = try offers(for: "--pattern", socket: daemon.socket).output.split(separator: "\n").map(String.init)
        #expect(Set(names).isSubset(of: offered) && offered.contains("soft"))
        let last = try daemon.ctl("patterns", "zz1599", "--json")
        #expect(last.status == 0 && last.objects.first?.text("name") == "zz1599", "\(last)")
        #expect(last.objects.first?.text("description") == description)
    }

    @Test("A script of another version gets no answer, and nothing is drawn into the line")
    func otherVersion() throws {
        let ended = try runCtl(["---completion", "play", "--", "--no-such-option", "3", "0"])
        #expect(ended.status != 0 && ended.output.isEmpty && ended.errors.isEmpty)
    }
}
