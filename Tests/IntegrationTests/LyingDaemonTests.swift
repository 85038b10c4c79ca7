// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

/// A program that owns the socket of a user's session can send anything to that user's hapticctl, and so to a terminal.
@Suite("A daemon that lies", .ownThreads)
struct LyingDaemonTests {
    private static let commands = [
        "status", "status --json", "status --prometheus -", "actuators", "actuators --json", "patterns", "patterns soft",
        "patterns --json", "patterns own", "render own", "render own --json", "render own -o -", "render soft --actuator main",
        "lint soft --actuator main", "profile", "play --pattern tick", "play --pattern tick --json", "play --pattern nothing",
        "play --pattern tick --no-wait", "progress copy 0.5", "event payment.succeeded", "event z --value x", "release copy",
        "cancel copy", "prepare soft", "reload", "reload --json", "doctor", "doctor --json", "doctor --pulse",
        "present cart.items a b", "task copy began", "settings", "settings --json", "strength default", "quiet", "why",
        "why --json",
    ]
    /// Commands that `commands` leaves out.
    private static let others = [
        "monitor": "started by each test, beside a play", "off": "asks what `strength` asks", "on": "asks what `strength` asks",
        "charge": "takes its time", "condition": "takes its time", "hold": "takes its time", "latency": "takes its time",
        "try": "takes its time", "tune": "asks a person", "report": "asks what `doctor` asks", "check-config": "asks no daemon",
        "convert": "asks no daemon",
    ]

    @Test("Every command that asks a daemon is tried with one that lies")
    func everyCommand() throws {
        try expectEveryCommand(in: Self.commands.map { String($0.prefix { $0 != " " }) }, or: Self.others)
    }

    /// Runs each command, and monitors of a play, through a daemon with this lie.
    private func run(through lie: DistortingDaemon.Lie, monitors: [[String]]) throws -> [EndedProgram] {
        let daemon = try Daemon()
        let liar = try DistortingDaemon(before: daemon, lie)
        var programs = try Self.commands.map {
            try runCtl($0.split(separator: " ").map(String.init) + ["--socket", liar.socket], in: daemon.folder)
        }
        let real = try daemon.connect()
        for arguments in monitors {
            // A success that still rings keeps a tick from being felt.
            try wait(for: "silence") { try real.result("status").number("playbacks") == 0 }
            let common = ["monitor", "--playbacks", "2", "--reconnect-for", "0s", "--socket", liar.socket]
            let monitor = try Program("hapticctl", common + arguments, in: daemon.folder)
            try wait(for: "the monitor to subscribe; it said \(monitor.errors)") {
                try !monitor.isRunning || real.result("status").number("subscribers") == 1
            }
            for _ in 1...2 { _ = try daemon.ctl("play", "--pattern", "tick") }
            programs.append(try monitor.wait())
        }
        return programs
    }

    private static let values = [
        "9223372036854775807", "1e400", "-1", "1e308", "-9223372036854775808", "0", "18446744073709551615", "-1e308",
        "1152921504606846976", "-1152921504606846976", "1e12", "-1e12", "1e-300",
    ]
    /// Lies with one number for all values, and one with all numbers in turn.
    private static let lies =
        (isNightly ? values : Array(values.prefix(3))).map { DistortingDaemon.Lie(values: [$0]) }
        + [DistortingDaemon.Lie(values: values)]

    @Test("A daemon ends no command of hapticctl by a trap, whatever numbers it sends", arguments: lies)
    func numbers(lie: DistortingDaemon.Lie) throws {
        for (index, ended) in try run(through: lie, monitors: [["--timeline"]]).enumerated() {
            #expect(!ended.endedBySignal, "\((Self.commands + ["monitor"])[index]): \(ended)")
        }
    }

    @Test("A daemon writes nothing to a terminal but text, and no line of its own")
    func texts() throws {
        let escaped = #"\u001b[2J\u001b[HHACKED\nforged\r\u009b2J\u202e\u2066\u2028\u200b"#
        let lie = DistortingDaemon.Lie(areTexts: true, values: [escaped, "\u{9b}2J\u{202e}\u{2028}\u{200f}"])
        var quoted = 0
        for ended in try run(through: lie, monitors: [["--timeline"], ["--json"]]) {
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
}
