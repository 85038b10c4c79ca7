// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Whether a program is on the PATH.
func isInstalled(_ name: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
}

@Suite("Completions, in the shells themselves", .ownThreads)
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

    /// A line, and the only word that it may become: one of each kind, by hapticd as well.
    private static let kinds = [
        ("hapticctl pl", "play"), ("hapticctl play --class ala", "alarm"), ("hapticctl play --cur", "--curve"),
        ("hapticctl play --pattern sel", "selection"), ("hapticctl play --pattern mine/w", "mine/wave.yaml"),
        ("hapticctl play --actuator le", "left"), ("hapticctl release upl", "upload"), ("hapticd --log-level deb", "debug"),
    ]
    /// More lines for the quickest shell only, because the offers do not depend on the shell.
    private static let more = [
        ("hapticctl profile qui", "quiet"), ("hapticctl prepare soft sel", "selection"),
        ("hapticctl render soft --out", "--output"), ("hapticctl play --pattern ./kn", "./knock.yaml"),
        ("hapticctl play --simulate --config board.yaml --actuator on", "only"), ("hapticctl check-config boa", "board.yaml"),
        ("hapticctl monitor --topics decisions,pl", "decisions,playbacks"),
        ("hapticctl --socket /no/such play --pattern sel", "selection"), ("hapticctl --color never play --actuator le", "left"),
        ("hapticctl event a --id upl", "upload"), ("hapticctl task copy succ", "succeeded"), ("hapticctl task bac", "backup"),
        ("hapticctl condition cam", "camera"),
        ("hapticctl present car", "cart.items"), ("hapticctl present cart.items --feedback of", "off"),
        ("hapticctl monitor --app hapticc", "hapticctl"), ("hapticctl cancel --playback ", "4"),
        ("hapticd --config boa", "board.yaml"), ("hapticd --simul", "--simulate"),
    ]

    @Test("A prefix of only one word is completed to that word", arguments: shells)
    func completes(shell: Shell) throws {
        let folder = try TemporaryFolder()
        let daemon = try Daemon(
            configuration: "conditions: [{ match: camera, profile: quiet }]",
            actuators: "[{ name: left, backend: simulated }, { name: right, backend: simulated }]", in: folder)
        for name in ["knock.yaml", "knocks.txt"] { try folder.write("", to: name) }
        try folder.write("version: 1\nactuators: [{ name: only, backend: simulated }]\n", to: "board.yaml")
        try folder.makeFolder("mine")
        try folder.write("", to: "mine/wave.yaml")
        for arguments in [
            ["progress", "upload", "1%"], ["task", "backup", "began"], ["present", "cart.items", "a"],
            ["play", "ring", "--repeat", "1000", "--no-wait"],
        ] { #expect(try daemon.start(arguments).wait().status == 0) }
        let scripts = try ["hapticctl", "hapticd"].map { ($0, try script(of: $0, shell, in: folder)) }
        for (line, word) in Self.kinds + (shell == .bash ? Self.more : []) {
            let script = try #require(scripts.first { line.hasPrefix($0.0 + " ") }).1
            let ended = try completeInTime(line, shell, script: script, daemon)
            #expect((ended.output, ended.errors) == (word + "\n", ""), "\(line)")
        }
    }

    @Test("A name with a command in it is not offered, and the command not run", arguments: shells)
    func hostileNames(shell: Shell) throws {
        let folder = try TemporaryFolder()
        let names = ["\"$(touch ran-it)\"", "\"`touch ran-it`\"", "left"].map { "{ name: \($0), backend: simulated }" }
        let daemon = try Daemon(
            configuration: "", actuators: "[\(names.joined(separator: ", "))]", ["--state", "none"], in: folder)
        try folder.write("", to: "$(touch ran-it).yaml")
        let script = try script(of: "hapticctl", shell, in: folder)
        for (line, word) in [("hapticctl play --actuator ", "left\n"), ("hapticctl play --pattern ./", "./hapticd.yaml\n")] {
            let ended = try completeInTime(line, shell, script: script, daemon)
            #expect(ended.output == word, "\(line): \(ended)")
        }
        #expect(!folder.has("ran-it"))
    }

    private func script(of program: String, _ shell: Shell, in folder: TemporaryFolder) throws -> String {
        let maker = package.appendingPathComponent("scripts/make-completion").path
        let made = try Program(maker, [programs.appendingPathComponent(program).path, shell.rawValue], in: folder).wait()
        try #require(made.quietStatus == 0, "\(made.errors)")
        return try folder.write(made.output, to: "script-of-\(program)")
    }

    /// Asks again where the daemon's answer came later than a shell is kept waiting, as on a busy machine. Then no word is offered, or (by
    /// fish) the option itself.
    private func completeInTime(_ line: String, _ shell: Shell, script: String, _ daemon: Daemon) throws -> EndedProgram {
        let none = ["\n", "\(line.split(separator: " ").last ?? "")\n"]
        var ended = try complete(line, shell, script: script, daemon)
        for _ in 0..<20 where none.contains(ended.output) { ended = try complete(line, shell, script: script, daemon) }
        return ended
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

    @Test("Without a daemon that answers the built-in patterns are offered, and no actuators; a wrong script gets nothing")
    func noDaemon() throws {
        let folder = try TemporaryFolder()
        let silent = try listeningSocket(at: folder.path("silent.sock"))
        for socket in ["none.sock", "silent.sock"].map(folder.path) {
            let patterns = try offers(for: "--pattern", socket: socket)
            #expect(patterns.output.split(separator: "\n").contains("soft"))
            #expect(patterns.errors == "")
        }
        withExtendedLifetime(silent) {}
        let actuators = try offers(for: "--actuator", socket: folder.path("none.sock"))
        #expect((actuators.quietStatus, actuators.output.filter { !$0.isNewline }) == (0, ""))
        let other = try runCtl(["---completion", "play", "--", "--no-such-option", "3", "0"])
        #expect(other.status != 0)
        #expect(other.output + other.errors == "")
    }

    @Test("All patterns are offered, even if one answer cannot hold them")
    func manyPatterns() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("many")
        let tap = "tracks: [{ events: [{ at: 0ms, type: transient, intensity: 1 }] }]"
        let names = (0..<600).map { "zz\(1000 + $0)" }
        for name in names { try folder.write("version: 1\nname: \(name)\n\(tap)\n", to: "many/\(name).yaml") }
        let description = String(repeating: "long ", count: 70) + "end"
        try folder.write("version: 1\nname: zz1599\ndescription: \(description)\n\(tap)\n", to: "many/zz1599.yaml")
        let daemon = try Daemon(configuration: "patterns: [many]", in: folder)
        // The built-in patterns are offered where hapticd is too busy to answer in time.
        try wait(for: "all patterns to be offered") {
            let offered = try offers(for: "--pattern", socket: daemon.socket).output.split(separator: "\n").map(String.init)
            return Set(names + ["soft"]).isSubset(of: offered)
        }
        let last = try daemon.ctl("patterns", "zz1599", "--json")
        #expect(last.objects.map { $0.text("description") } == [description], "\(last)")
    }
}
