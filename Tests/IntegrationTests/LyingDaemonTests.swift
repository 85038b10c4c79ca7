// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Who has the socket of a user's session says what he likes to that user's hapticctl, whose output a terminal shows.
@Suite("A daemon that lies", .serialized)
struct LyingDaemonTests {
    private static let commands = [
        "status", "status --json", "status --prometheus -", "actuators", "actuators --json", "patterns", "patterns soft",
        "patterns --json", "patterns own", "render own", "render own --json", "render own -o -", "render soft --actuator main",
        "lint soft --actuator main",
        "profile", "play --pattern tick", "play --pattern tick --json", "play --pattern nothing", "play --pattern tick --no-wait",
        "progress copy 0.5", "event payment.succeeded", "event z --value x", "release copy", "cancel copy", "prepare soft",
        "reload",
        "reload --json", "doctor", "doctor --json", "doctor --pulse",
    ]

    /// A monitor that sees all that a play tells, through the lies.
    private func monitored(_ daemon: Daemon, _ liar: DistortingDaemon, _ arguments: String...) throws -> EndedProgram {
        let real = try daemon.connect()
        func status(_ key: String) throws -> Double? { try real.result("status").number(key) }
        try wait(for: "a success that still rings to end, for it keeps a tick from being felt") { try status("playbacks") == 0 }
        let monitor = try Program("hapticctl", ["monitor", "--socket", liar.socket] + arguments, in: daemon.folder)
        try wait(for: "the monitor to subscribe; it said \(monitor.errors)") {
            try !monitor.isRunning || status("subscribers") == 1
        }
        _ = try daemon.ctl("play", "--pattern", "tick")
        _ = try daemon.ctl("event", "z", "--value", "x")
        _ = try daemon.ctl("play", "--pattern", "tick")
        return try monitor.wait()
    }

    @Test(
        "A daemon ends no command of hapticctl by a trap, whatever numbers it sends",
        arguments: [
            "9223372036854775807", "-9223372036854775808", "18446744073709551615", "1e308", "-1e308", "1e400",
            "1152921504606846976", "-1152921504606846976", "1e12", "-1e12", "-1", "0", "1e-300",
        ])
    func numbers(number: String) throws {
        let daemon = try Daemon()
        let liar = try DistortingDaemon(before: daemon, .number(number))
        for command in Self.commands {
            let program = try Program(
                "hapticctl", command.split(separator: " ").map(String.init) + ["--socket", liar.socket], in: daemon.folder)
            let ended = try program.wait()
            #expect(!ended.endedBySignal, "\(command): \(ended.status) \(ended.errors)")
        }
        let ended = try monitored(daemon, liar, "--timeline", "--playbacks", "2", "--reconnect-for", "0s")
        #expect(ended.status <= 3, "\(ended.status) \(ended.errors)")
    }

    @Test(
        "A daemon writes nothing to a terminal but text, and no line of its own",
        arguments: [#"\u001b[2J\u001b[HHACKED\nforged\r\u009b2J\u202e\u2066\u2028\u200b"#, "\u{9b}2J\u{202e}\u{2028}\u{200f}"])
    func texts(text: String) throws {
        let daemon = try Daemon()
        let liar = try DistortingDaemon(before: daemon, .text(text))
        var programs = try Self.commands.map { command in
            try runCtl(command.split(separator: " ").map(String.init) + ["--socket", liar.socket], in: daemon.folder)
        }
        programs.append(try monitored(daemon, liar, "--timeline", "--playbacks", "2", "--reconnect-for", "0s"))
        programs.append(try monitored(daemon, liar, "--json", "--playbacks", "2", "--reconnect-for", "0s"))
        var quoted = 0
        for ended in programs {
            for line in (ended.output + ended.errors).split(separator: "\n") {
                let dangerous = line.unicodeScalars.filter {
                    switch $0.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: true
                    default: false
                    }
                }
                #expect(dangerous.isEmpty, "\(dangerous.map(\.value)) in \(line)")
                #expect(!line.hasPrefix("forged"))
                if line.contains("2J") { quoted += 1 }
            }
        }
        #expect(quoted > 10, "it got through, as text")
    }

    @Test("An event's value is shown to everyone as text, and logged as text")
    func value() throws {
        let daemon = try Daemon(["--log-level", "debug"])
        let monitor = try Program("hapticctl", ["monitor", "--socket", daemon.socket], in: daemon.folder)
        try wait(for: "the monitor") { try daemon.connect().result("status").number("subscribers") == 1 }
        _ = try daemon.ctl("event", "z", "--value", "\u{1b}[2J\u{1b}[HHACKED\nforged")
        try wait(for: "the monitor to tell of it") { monitor.output.contains("HACKED") }
        #expect(monitor.output.contains(#"= `\u{1b}[2J\u{1b}[HHACKED\nforged`"#), "\(monitor.output)")
        try wait(for: "the log to tell of it") { daemon.program.errors.contains("HACKED") }
        #expect(!monitor.output.contains("\u{1b}") && !daemon.program.errors.contains("\u{1b}"))
    }
}
