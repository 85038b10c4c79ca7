// SPDX-License-Identifier: MIT
import HapticClient
import HapticCore
import HapticEngine
import HapticMotors
import HapticPlanning
import HapticService
import HapticWire
import TerminalTestSupport
import TestSupport
import Testing

@testable import HapticTerminal

@Suite("The status for people")
struct StatusTextTests {
    private func row(_ actuator: String, p99: Int64, count: UInt64 = 10) -> StatusResult.Percentiles {
        .init(of: actuator, count: count, sumNs: 0, p50Ns: 0, p90Ns: 0, p99Ns: p99, p999Ns: p99, maxNs: p99)
    }

    private func status(
        _ rows: [StatusResult.Percentiles], missing: [String] = [], profile: Profile = .full, _ settings: Settings = Settings()
    ) -> StatusResult {
        var status = MetricsTests.status
        (status.lateness, status.profile) = (rows, profile)
        status.settings = SettingsNow(SettingsInForce(settings), at: .zero, LocalTime(.mon, second: 0), isKept: true)
        status.unavailable = missing.map { .init(actuator: $0, error: "unplugged") }
        return status
    }

    private func text(_ change: (inout StatusResult) -> Void = { _ in }) -> [String] {
        var status = MetricsTests.status
        change(&status)
        return StatusText(status, socket: "/run/hapticd/hapticd.sock").lines.plain
    }

    @Test("A status is shown with its counts, tables and real time, and without values that it does not report")
    func texts() throws {
        var cases = SnapshotCases()
        cases.add("everything, on any width", text())
        for columns in [72, 40] {
            let text = StatusText(MetricsTests.status, socket: "/run/hapticd/a-rather-long-name/hapticd.sock", width: columns)
            cases.add("everything, on \(columns) columns", text.lines.plain)
        }
        typealias Realtime = StatusResult.Realtime
        let realtimes = [
            Realtime(), Realtime(priority: 40, lockMemory: true, granted: .init(priority: true, lockMemory: true)),
            Realtime(priority: 40, cpu: 3, granted: .init(priority: true, cpu: true)),
            Realtime(priority: 40, granted: .init(priority: false), remedies: ["do this"]),
            Realtime(
                priority: 40, lockMemory: true, cpu: 9, granted: .init(priority: false, lockMemory: true, cpu: false),
                remedies: ["do this", "and that"]),
        ]
        cases.add("real time: not asked for, all, a processor, none, memory only", realtimes.map(StatusText.realtime))
        let assumed = ActuatorResult(
            EngineActuator(name: "main", motor: MotorLibrary.coin.model), backend: "gpio", isMotorAssumed: true)
        let lines = StatusText(MetricsTests.status, motors: [assumed], socket: "/s").lines.plain
        cases.add("a motor is assumed", lines.filter { $0.contains("main") })
        try expectSnapshot(of: cases.text, "status")
    }

    @Test("A status without heat has no line about it, and the built-in configuration is reported in words")
    func absent() {
        #expect(!text { $0.heat = [] }.joined().contains("HEAT"))
        #expect(text { $0.configuration = .init(file: nil) }.contains("configuration built in; no file was read"))
    }

    @Test("The verdict names the worst that there is, in its colour")
    func verdicts() throws {
        var cases = SnapshotCases()
        func add(_ heading: String, _ status: StatusResult) {
            let first = StatusText(status, socket: "/s").lines[0][0]
            cases.add(heading, ["\(StatusVerdict(status).grade), \(first.colour.map { "\($0)" } ?? "plain"): \(first.text)"])
        }
        let (good, late) = (row("main", p99: 200_000), row("pad", p99: 30_000_000))
        add("no actuator", status([]))
        add("the only one is missing", status([good], missing: ["main"]))
        add("all are missing", status([good, late], missing: ["main", "pad"]))
        add("silent", status([good], profile: .silent))
        add("silent and off", status([good, late], profile: .silent, Settings(off: .forGood)))
        add("off for a time", status([good], Settings(off: .until(.zero + .seconds(90)))))
        let night = QuietHours(from: TimeOfDay("22:00")!, to: TimeOfDay("07:00")!)
        add("quiet hours", status([good], Settings(quietHours: [night])))
        var recording = status([good])
        recording.settings.conditions = ["camera"]
        add("a condition", recording)
        add("one is missing", status([good, late], missing: ["pad"]))
        add("late", status([good, late]))
        add("a little late", status([good, row("pad", p99: 7_000_000)]))
        add("on time, or not known", status([good, row("pad", p99: 0, count: 0)]))
        try expectSnapshot(of: cases.text, "status-verdicts")
    }

    @Test("The last decisions are shown, five at most, or why they are not known")
    func recent() throws {
        let decisions = (1...7).reversed().map { number in
            HistoryEntry(
                Decision(
                    sequence: number, at: .init(nanoseconds: Int64(number) * 1_000_000_000), input: .event, name: "door",
                    outcome: number == 6 ? .suppressed : .played, reason: number == 6 ? .noRule : nil),
                ending: nil)
        }
        let status = status([row("main", p99: 200_000), row("pad", p99: 0, count: 0)], missing: ["pad"])
        var cases = SnapshotCases()
        let known = StatusText(status, recent: .success(decisions), socket: "/s", now: 8_000_000_000)
        cases.add("seven decisions", known.lines.plain)
        cases.add("no answer", StatusText(status, recent: .failure(.timedOut), socket: "/s").lines.plain)
        try expectSnapshot(of: cases.text, "status-decisions")
    }

    @Test("No line is wider than the terminal", arguments: [40, 72, 200])
    func width(columns: Int) {
        let text = StatusText(MetricsTests.status, socket: "/run/hapticd/a-rather-long-name/hapticd.sock", width: columns)
        #expect(text.lines.plain.filter { $0.count > columns } == [])
    }
}
