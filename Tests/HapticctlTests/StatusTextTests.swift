// SPDX-License-Identifier: MIT
import HapticClient
import HapticCore
import HapticMotors
import HapticService
import HapticWire
import Testing

@testable import hapticctl

@Suite("The status for people")
struct StatusTextTests {
    private typealias Realtime = StatusResult.Realtime

    @Test(
        "One line says what the executor was given, or what to do",
        arguments: [
            (Realtime(), "real time: not asked for; see `realtime` in the configuration"),
            (
                Realtime(priority: 40, lockMemory: true, granted: .init(priority: true, lockMemory: true)),
                "real time: SCHED_FIFO 40, memory locked"
            ),
            (
                Realtime(priority: 40, cpu: 3, granted: .init(priority: true, cpu: true)),
                "real time: SCHED_FIFO 40, on processor 3"
            ),
            (Realtime(priority: 40, granted: .init(priority: false), remedies: ["do this"]), "real time: no - do this"),
            (
                Realtime(
                    priority: 40, lockMemory: true, cpu: 9, granted: .init(priority: false, lockMemory: true, cpu: false),
                    remedies: ["do this", "and that"]), "real time: memory locked - do this - and that"
            ),
        ])
    private func realtime(_ realtime: Realtime, line: String) {
        #expect(StatusText.realtime(realtime) == line)
    }

    @Test("Missed actuations are shown where there were any, and percentiles with the worst")
    func tables() {
        let lines = StatusText(MetricsTests.status, socket: "/run/hapticd/hapticd.sock").lines
        let blanks = lines.map { $0.map(\.text).joined() }.map { $0.split(separator: " ").joined(separator: " ") }
        let expected = [
            "real time: SCHED_FIFO 40 - raise the limit", "INPUTS not felt in time",
            "texture 2 came too late, 1 felt too late, 3 left out by the executor",
            "6 ACTUATIONS left out, because they came too late", "main 6", "p50 p90 p99 p99.9 worst",
            "main 0.05 ms 0.08 ms 0.12 ms 0.9 ms 1.5 ms of 1000", "REFUSED by `bounds` and `access` of the configuration",
            "8 requestsPerClient", "1 reload", "HEAT of what the motors may have", "main 93.2% strength 79% 3 felt less, 1 cut",
            "pad 4%",
        ]
        for line in expected { #expect(blanks.contains(line), "\(line) in \(blanks)") }
        #expect(!blanks.contains { $0.hasPrefix("alarm") })
        var cold = MetricsTests.status
        for heat in [nil, []] as [[StatusResult.Heat]?] {
            cold.heat = heat
            #expect(!StatusText(cold, socket: "/s").lines.contains { $0.contains { $0.text.contains("HEAT") } })
        }
        #expect(!zip(blanks, blanks.dropFirst()).contains { $0.isEmpty && $1.isEmpty }, "two empty lines in \(blanks)")
    }

    @Test("A motor that is assumed stands below the actuators, with how to measure it")
    func assumedMotor() {
        let actuator = ActuatorResult(
            name: "main", capabilities: .full, limits: .none, backend: "gpio", fault: nil, fallback: nil,
            motor: MotorResult(MotorLibrary.coin.model, isAssumed: true))
        let lines = StatusText(MetricsTests.status, motors: [actuator], socket: "/s").lines.map { $0.map(\.text).joined() }
        #expect(lines.contains { $0.hasPrefix("  main: nobody has described its motor") && $0.contains("`hapticctl tune main`") })
    }

    private func row(_ actuator: String, p99: Int64, count: UInt64 = 10) -> StatusResult.Percentiles {
        .init(of: actuator, count: count, sumNs: 0, p50Ns: 0, p90Ns: 0, p99Ns: p99, p999Ns: p99, maxNs: p99)
    }

    private func status(
        _ rows: [StatusResult.Percentiles], missing: [String] = [], profile: String = "full", _ settings: Settings = Settings()
    ) -> StatusResult {
        var status = MetricsTests.status
        (status.lateness, status.profile) = (rows, profile)
        status.settings = SettingsNow(SettingsInForce(settings), at: .zero, LocalTime(.mon, second: 0), isKept: true)
        status.unavailable = missing.map { .init(actuator: $0, error: "unplugged") }
        return status
    }

    @Test("The verdict comes first, and names the worst that there is")
    func verdict() {
        let (good, late) = (row("main", p99: 200_000), row("pad", p99: 30_000_000))
        for (status, grade, sentence) in [
            (status([]), .unfelt, "Nothing can be felt: no actuator is configured."),
            (status([good], missing: ["main"]), .unfelt, "Nothing can be felt: the actuator is missing."),
            (status([good, late], missing: ["main", "pad"]), .unfelt, "Nothing can be felt: all 2 actuators are missing."),
            (
                status([good], profile: "silent"), .limited,
                "Ready, but silenced: `hapticctl profile full` brings everything back."
            ),
            (
                status([good, late], profile: "silent", Settings(off: .forGood)), .limited,
                "Ready, but feedback is off: `hapticctl on` switches it on."
            ),
            (
                status([good], Settings(off: .until(.zero + .seconds(90)))), .limited,
                "Ready, but feedback is off for 1 min 30 s: `hapticctl on` switches it on."
            ),
            (
                status([good], Settings(quietHours: [QuietHours(from: TimeOfDay("22:00")!, to: TimeOfDay("07:00")!)])), .limited,
                "Ready, but these are quiet hours until 07:00: `hapticctl settings` shows them."
            ),
            (status([good, late], missing: ["pad"]), .limited, "Ready, but 1 of 2 actuators is missing."),
            (status([good, late]), .limited, "Ready, but pad is late."),
            (status([good, row("pad", p99: 7_000_000)]), .limited, "Ready, but pad is a little late."),
            (status([good, row("pad", p99: 0, count: 0)]), .ready, "Ready: 2 actuators, on time."),
        ] as [(StatusResult, StatusVerdict.Grade, String)] {
            let verdict = StatusVerdict(status)
            #expect((verdict.grade, verdict.sentence) == (grade, sentence))
            let first = StatusText(status, socket: "/s").lines[0]
            #expect(first.map(\.text) == [sentence] && first[0].colour == verdict.colour)
        }
    }

    @Test("Each actuator has its state and its lateness in words; the last decisions are there, five at most")
    func glance() {
        let decisions = (1...7).reversed().map { number in
            HistoryEntry(
                Decision(
                    sequence: number, at: .init(nanoseconds: Int64(number) * 1_000_000_000), input: .event, name: "door",
                    outcome: number == 6 ? .suppressed : .played, reason: number == 6 ? .noRule : nil),
                ending: nil)
        }
        let text = StatusText(
            status([row("main", p99: 200_000), row("pad", p99: 0, count: 0)], missing: ["pad"]), recent: .success(decisions),
            socket: "/s", now: 8_000_000_000)
        let lines = text.lines.map { $0.map(\.text).joined() }
        #expect(lines.contains("  main  ready    on time") && lines.contains("  pad   missing  unplugged"))
        let rows = lines.filter { $0.hasPrefix("  #") }
        #expect(rows.count == 5)
        #expect(rows.prefix(2) == ["  #7  1 s ago  event door: felt, a pattern", "  #6  2 s ago  event door: noRule"])
    }

    @Test("Decisions that the daemon did not give are said to be unknown, and the rest is shown")
    func noDecisions() {
        let lines = StatusText(status([row("main", p99: 0)]), recent: .failure(.timedOut), socket: "/s").lines
        let texts = lines.map { $0.map(\.text).joined() }
        #expect(texts.contains("RECENT DECISIONS are not known: hapticd did not answer in time; look at its log, or restart it"))
        #expect(texts.contains("ACTUATORS"))
    }

    @Test("The configuration's file is named, or that there is none; an earlier daemon says nothing of it")
    func configuration() {
        func lines(_ configuration: StatusResult.Configuration?) -> [String] {
            var status = MetricsTests.status
            status.configuration = configuration
            return StatusText(status, socket: "/s").lines.map { $0.map(\.text).joined() }
        }
        #expect(lines(.init(file: "/srv/a.yaml")).contains("configuration /srv/a.yaml"))
        #expect(lines(.init(file: nil)).contains("configuration built in; no file was read"))
        #expect(!lines(nil).contains { $0.hasPrefix("configuration") })
    }

    @Test("No line is wider than the terminal", arguments: [40, 72, 200])
    func width(columns: Int) {
        let text = StatusText(MetricsTests.status, socket: "/run/hapticd/a-rather-long-name/hapticd.sock", width: columns)
        for line in text.lines { #expect(line.map(\.text).joined().count <= columns) }
    }
}
