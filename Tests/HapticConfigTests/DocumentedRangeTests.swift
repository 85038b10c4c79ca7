// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// docs/configuration.md is the reference, and hapticd.yaml(5) is made from it: its ranges are those that are read.
@Suite("Ranges of the configuration, as they are documented")
struct DocumentedRangeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// A configuration with `@` in the value's place, without what each needs.
        var text: String
        var key: String
        var taken: [String]
        var refused: [String]
        /// How the page says it.
        var words: String

        init(_ text: String, _ key: String, _ taken: [String], _ refused: [String], _ words: String) {
            (self.text, self.key, self.taken, self.refused, self.words) = (text, key, taken, refused, words)
        }

        var testDescription: String { "\(key): \(words)" }
    }

    static let rows =
        [
            Row("realtime: { priority: @ }", "priority", ["1", "99", "none"], ["0", "100"], "1…99"),
            Row("realtime: { cpu: @ }", "cpu", ["0", "1023"], ["-1", "1024"], "0…1023"),
            Row("socket: { mode: @ }", "mode", [#""0777""#], [#""1777""#, #""+660""#, "660"], #""0777""#),
            Row("settings: { strength: @ }", "strength", ["0", "1.5", "150%"], ["-0.1", "1.51", "151%"], "0…1.5"),
            Row(
                "settings: { quietHours: [{ from: @, to: 12:00 }] }", "from", ["00:00", "24:00"], ["24:01", "7:00", "700"],
                "00:00…24:00"),
            Row("progress: [{ match: a, pattern: soft, minInterval: @ }]", "minInterval", ["60s"], ["60001ms"], "60s"),
            Row(
                "progress: [{ match: a, pattern: soft, step: @ }]", "step", ["0.0001", "1"], ["0", "1.1"],
                "more than 0, at most 1"),
            Row("progress: [{ match: a, pattern: soft, hysteresis: @ }]", "hysteresis", ["0", "1"], ["1.1"], "0…1"),
            Row(
                "progress: [{ match: a, pattern: soft, mode: follow, response: @ }]", "response", ["10ms", "500ms"],
                ["9ms", "501ms"], "10ms…500ms"),
            Row(
                "progress: [{ match: a, pattern: soft, mode: follow, dampingFraction: @ }]", "dampingFraction", ["0.1", "10"],
                ["0.09", "10.1"], "0.1…10"),
            Row(
                "progress: [{ match: a, pattern: soft, mode: follow, detents: @ }]", "detents", ["1", "100"], ["0", "101"],
                "1…100"),
            Row("progress: [{ match: a, pattern: soft, priority: @ }]", "priority", ["0", "100"], ["-1", "101"], "0…100"),
            Row(
                "events: [{ match: a, pattern: soft, deadline: @ }]", "deadline", ["1ms", "3600s"], ["0ms", "3601s"], "1ms…3600s"),
            Row("collections: [{ match: a, inserted: tick, every: @ }]", "every", ["1ms", "1s"], ["0ms", "1001ms"], "1ms…1s"),
            Row("tasks: [{ match: a, began: tick, timeout: @ }]", "timeout", ["1s", "168h"], ["999ms", "169h"], "1s…168h"),
            Row(
                "tasks: [{ match: a, working: tick, every: @, upTo: 24h, timeout: 24h }]", "every", ["100ms", "3600s"],
                ["99ms", "3601s"],
                "100ms…3600s"),
            Row(
                "tasks: [{ match: a, working: tick, every: 100ms, upTo: @ }]", "upTo", ["100ms", "24h"], ["99ms", "25h"],
                "100ms…24h"),
        ] + motors + devices + holds + bounds

    private static let motors =
        [
            ("rise", ["1us", "10s"], ["0ms", "10001ms"], "10s"), ("fall", ["1us", "10s"], ["0ms", "10001ms"], "10s"),
            ("minGap", ["0ms", "1s"], ["1001ms"], "1s"), ("maxOn", ["1ms", "60s"], ["0ms", "61s"], "1ms…60s"),
            ("duty", ["1%", "100%"], ["0", "101%"], "more than 0"), ("hold", ["0", "0.99"], ["1", "1.1"], "0…1"),
            ("minPulse", ["0ms", "10s"], ["10001ms"], "10s"),
        ].map { key, taken, refused, words in
            Row("actuators: [{ name: a, backend: simulated, motor: { \(key): @ } }]", key, taken, refused, words)
        } + [
            Row(
                "actuators: [{ name: a, backend: simulated, motor: { rise: 1s, overdrive: @ } }]", "overdrive",
                ["{ level: 150%, for: 1ms }", "{ level: 1.01, for: 1s }"],
                ["{ level: 1, for: 1ms }", "{ level: 1.51, for: 1ms }", "{ level: 1.2, for: 1001ms }"], "1ms…1s"),
            Row(
                "actuators: [{ name: a, backend: simulated, motor: { thermal: { case: 61s, winding: @ } } }]", "thermal",
                ["100ms", "60s"], ["99ms", "60001ms"], "100ms…60s"),
            Row(
                "actuators: [{ name: a, backend: simulated, motor: { thermal: { winding: 100ms, case: @ } } }]", "thermal",
                ["1s", "3600s"], ["999ms", "3601s"], "1s…3600s"),
            Row(
                "actuators: [{ name: a, backend: simulated, motor: { rise: 9ms, start: @ } }]", "start", ["0", "1"], ["1.1"],
                "0…1"),
            Row(
                "actuators: [{ name: a, backend: simulated, motor: { kind: lra, resonance: @ } }]", "resonance",
                ["20Hz", "1000Hz"],
                ["19Hz", "1001Hz"], "20Hz…1000Hz"),
            Row(
                "actuators: [{ name: a, backend: simulated, motor: { kind: lra, resonance: 20Hz, q: @ } }]", "q", ["0.5", "200"],
                ["0.4", "201"], "0.5…200"),
        ]

    private static let devices = [
        Row(
            "actuators: [{ name: a, backend: simulated, minInterval: @ }]", "minInterval", ["1ms", "100ms"], ["0ms", "101ms"],
            "1ms…100ms"),
        Row("actuators: [{ name: a, backend: gpio, chip: b, line: @ }]", "line", ["0", "1023"], ["-1", "1024"], "0…1023"),
        Row(
            "actuators: [{ name: a, backend: gpio, chip: b, line: 1, pwm: @ }]", "pwm", ["10Hz", "2000Hz"], ["9Hz", "2001Hz"],
            "10Hz…2000Hz"),
        Row(
            "actuators: [{ name: a, backend: pwm, chip: b, channel: @, frequency: 20kHz }]", "channel", ["0", "63"],
            ["-1", "64"],
            "0…63"),
        Row(
            "actuators: [{ name: a, backend: pwm, chip: b, channel: 1, frequency: @ }]", "frequency", ["10Hz", "1000000Hz"],
            ["9Hz", "1100000Hz"], "10Hz…1000000Hz"),
        Row(
            "actuators: [{ name: a, backend: evdev, match: { vendor: @ } }]", "vendor", ["0", "0xffff"], ["-1", "0x10000"],
            "0…0xffff"),
        Row(
            "actuators: [{ name: a, backend: simulated, faults: { failAfter: @ } }]", "failAfter", ["0", "1000000"],
            ["-1", "1000001"], "0…1000000"),
        Row(
            "actuators: [{ name: a, backend: simulated, faults: { failAfter: 1, recoverAfter: @ } }]", "recoverAfter",
            ["1ms", "3600s"], ["0ms", "3601s"], "1ms…3600s"),
    ]

    private static let holds = [
        ("press", ["0ms", "60s"], ["60001ms"], "0ms…60s"), ("duration", ["10ms", "600s"], ["9ms", "601s"], "10ms…600s"),
        ("fall", ["0ms", "60s"], ["60001ms"], "0ms…60s"),
        ("input: { chip: c, line: @ }", ["0", "1023"], ["-1", "1024"], "0…1023"),
        ("input: { chip: c, line: 1, debounce: @ }", ["0ms", "1s"], ["1001ms"], "0ms…1s"),
    ].map { key, taken, refused, words in
        key.hasPrefix("input")
            ? Row("holds: [{ name: a, \(key) }]", key.contains("debounce") ? "debounce" : "line", taken, refused, words)
            : Row("holds: [{ match: a, \(key): @ }]", key, taken, refused, words)
    }

    private static let bounds =
        ["clients", "clientsPerUser", "playbacks", "playbacksPerUser", "playbacksPerClient"].map {
            Row("bounds: { \($0): @ }", $0, ["1", "65536"], ["0", "65537"], "1…65536")
        }
        + ["sources", "sourcesPerUser", "sourcesPerClient"].map {
            Row("bounds: { \($0): @ }", $0, ["1", "1048576"], ["0", "1048577"], "1…1048576")
        }
        + ["things", "thingsPerUser"].map {
            Row("bounds: { \($0): @ }", $0, ["1", "10000000"], ["0", "10000001", "none"], "1…10000000")
        }
        + ["requestsPerClient", "requestsPerUser"].map {
            Row("bounds: { \($0): @ }", $0, ["1/s", "1000000/s", "none"], ["0/s", "1000001/s"], "`1/s`…`1000000/s`")
        } + [Row("bounds: { sourceTimeout: @ }", "sourceTimeout", ["1s", "86400s"], ["999ms", "86401s"], "1s…86400s")]

    private func isTaken(_ row: Row, _ value: String) -> Bool {
        let needed = "version: 1\n" + (row.text.hasPrefix("actuators") ? "" : twoActuators + "\n")
        return (try? configuration(needed + row.text.replacingOccurrences(of: "@", with: value))) != nil
    }

    @Test("What is in the range is taken, what is not is refused, and a line of the page says so", arguments: rows)
    func range(row: Row) throws {
        for value in row.taken { #expect(isTaken(row, value), "\(value)") }
        for value in row.refused { #expect(!isTaken(row, value), "\(value)") }
        let page = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../docs/configuration.md").standardized
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(lines.contains { $0.contains("`\(row.key)`") && $0.contains(row.words) })
    }
}
