// SPDX-License-Identifier: MIT
package import HapticClient
import HapticCore
package import HapticWire

/// The daemon's status for people: a verdict, then what it is made of.
package struct StatusText {
    private let status: StatusResult
    /// The newest first; empty where the daemon has none. Else why it does not say.
    private let recent: Result<[HistoryEntry], ClientError>
    private let motors: [ActuatorResult]
    private let socket: String
    /// On CLOCK_MONOTONIC.
    private let now: Int64
    /// In characters.
    private let width: Int

    /// How many of the recent decisions are shown.
    package static let mostRecent = 5
    /// Narrower ones have no room for all percentiles.
    private static let wide = 72

    package init(
        _ status: StatusResult, recent: Result<[HistoryEntry], ClientError> = .success([]), motors: [ActuatorResult] = [],
        socket: String, now: Int64 = 0,
        width: Int = .max
    ) {
        self.status = status
        self.recent = recent
        self.motors = motors
        self.socket = socket
        self.now = now
        self.width = width
    }

    package var lines: [[Console.Span]] {
        let verdict = StatusVerdict(status)
        return wrapped(verdict.sentence).map { [.init($0, verdict.colour)] } + body.map { [.init($0)] }
    }

    private var body: [String] {
        let seconds = (status.uptimeMs / 1000).rounded(.down)
        var lines = wrapped("hapticd \(status.version) at \(socket), up for \(Words.time(milliseconds: seconds * 1000))")
        lines += wrapped(
            "profile \(status.profile.rawValue); \(Words.count(status.clients, "client")), \(Words.count(status.sources, "source")), "
                + "\(Words.count(status.playbacks, "playback")) now")
        lines += wrapped("configuration \(status.configuration.file ?? "built in; no file was read")")
        if let trouble = status.settings.trouble { lines += wrapped("settings may not last: \(trouble)") }
        lines += wrapped(Self.realtime(status.realtime))
        lines += actuators + inputs + recentDecisions
        lines += percentiles("LATENESS of actuations (real minus planned time)", status.lateness)
        lines += percentiles("LATENCY from input to actuation", status.latency)
        lines += counts
        if status.invalidNotifications > 0 { lines += wrapped("\(status.invalidNotifications) notifications were not valid") }
        if status.missed > 0 { lines += wrapped("\(status.missed) notifications were missed by slow subscribers") }
        lines += refused(status.refused)
        lines += missedDeadlines(status.missedDeadlines)
        return lines + heat + missedActuations
    }

    private func wrapped(_ text: String) -> [String] { Wrap.lines(text.printable, width: width, indent: "  ") }

    private func titled(_ title: String, _ rows: [[String]]) -> [String] {
        rows.isEmpty ? [] : [""] + wrapped(title) + Table.lines(rows, width: width)
    }

    private var actuators: [String] {
        let errors = Dictionary(status.unavailable.map { (Text($0.actuator), $0.error) }) { first, _ in first }
        return titled(
            "ACTUATORS",
            status.lateness.map { row in
                let error = errors[Text(row.of)]
                return ["  \(row.of)", error == nil ? "ready" : "missing", error ?? Lateness(row).words]
            }) + motors.compactMap(Words.assumption).flatMap { wrapped("  \($0)") }
    }

    private var inputs: [String] {
        titled(
            "KEYS, BUTTONS AND SWITCHES of holds and conditions",
            status.inputs.map {
                ["  \($0.hold ?? $0.condition ?? "")", $0.error == nil ? "ready" : "missing", $0.error ?? $0.input]
            })
    }

    private var recentDecisions: [String] {
        switch recent {
        case .success(let entries): recentDecisions(entries)
        case .failure(let error): [""] + wrapped("RECENT DECISIONS are not known: \(error)")
        }
    }

    private func recentDecisions(_ entries: [HistoryEntry]) -> [String] {
        titled(
            "RECENT DECISIONS (`hapticctl why NUMBER` explains one)",
            entries.prefix(Self.mostRecent).map { entry in
                let decision = entry.decision
                let what =
                    decision.outcome == .played
                    ? "\(decision.isFelt ? "felt" : "too weak"), \(Words.pattern(decision))"
                    : decision.reason?.rawValue ?? decision.outcome.rawValue
                let age = "\(Words.about(max(0, now - decision.atNs))) ago"
                return ["  #\(decision.seq)", age, "\(Words.input(decision)): \(what)"]
            })
    }

    private var counts: [String] {
        guard !status.decisions.isEmpty else { return [""] + wrapped("Nothing has been decided yet: try `hapticctl play soft`.") }
        return titled(
            "DECISIONS so far",
            status.decisions.map { count in
                let reason = count.reason.map { "\($0.rawValue): \(Words.reason($0))" } ?? ""
                return ["  \(count.count)", count.outcome.rawValue, reason]
            })
    }

    private func refused(_ rows: [StatusResult.Refused]) -> [String] {
        titled("REFUSED by `bounds` and `access` of the configuration", rows.map { ["  \($0.count)", $0.by] })
    }

    private func percentiles(_ title: String, _ rows: [StatusResult.Percentiles]) -> [String] {
        let rows = rows.filter { $0.count > 0 }
        guard !rows.isEmpty else { return [] }
        guard width >= Self.wide else {
            let cells = rows.map { ["  \($0.of)", Words.time($0.p50Ns), Words.time($0.maxNs)] }
            return titled(title, [["", "p50", "worst"]] + cells)
        }
        let cells = rows.map { row in
            let times = [row.p50Ns, row.p90Ns, row.p99Ns, row.p999Ns, row.maxNs].map(Words.time(_:))
            return ["  \(row.of)"] + times + ["of \(row.count)"]
        }
        return titled(title, [["", "p50", "p90", "p99", "p99.9", "worst", ""]] + cells)
    }

    private func missedDeadlines(_ classes: [StatusResult.MissedDeadlines]) -> [String] {
        let rows = classes.map { row in
            let counts = [(row.stale, "came too late"), (row.late, "felt too late"), (row.leftOut, "left out by the executor")]
            return ["  \(row.feedbackClass)", counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")]
        }
        return titled("INPUTS not felt in time", rows.filter { !$0[1].isEmpty })
    }

    private var heat: [String] {
        let rows = status.heat.map { motor -> [String] in
            let counts = [(motor.lowered, "felt less"), (motor.cut, "cut")].filter { $0.0 > 0 }
            let what = counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
            let strength = motor.strength < 1 ? "strength \(Words.percent(motor.strength))" : ""
            return ["  \(motor.actuator)", Words.percent(motor.share), strength, what]
        }
        return titled("HEAT of what the motors may have", rows)
    }

    private var missedActuations: [String] {
        guard status.missedActuations > 0 else { return [] }
        let rows = status.missedByActuator.filter { $0.count > 0 }.map { ["  \($0.actuator)", "\($0.count)"] }
        let title = "\(status.missedActuations) ACTUATIONS left out, because they came too late"
        return [""] + wrapped(title) + Table.lines(rows, width: width)
    }

    /// What the executor was given; where something was refused, what to do.
    package static func realtime(_ realtime: StatusResult.Realtime) -> String {
        let granted = realtime.granted
        guard granted.priority != nil || granted.lockMemory != nil || granted.cpu != nil else {
            return "real time: not asked for; see `realtime` in the configuration"
        }
        var given: [String] = []
        if let priority = realtime.priority, granted.priority == true { given.append("SCHED_FIFO \(priority)") }
        if granted.lockMemory == true { given.append("memory locked") }
        if let cpu = realtime.cpu, granted.cpu == true { given.append("on processor \(cpu)") }
        let words = given.isEmpty ? "no" : given.joined(separator: ", ")
        return "real time: " + ([words] + realtime.remedies).joined(separator: " - ")
    }
}
