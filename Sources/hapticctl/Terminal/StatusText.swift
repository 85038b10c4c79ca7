// SPDX-License-Identifier: MIT
import HapticWire

/// The daemon's status for people.
enum StatusText {
    static func lines(_ status: StatusResult, socket: String) -> [String] {
        var lines = [
            "hapticd \(status.version) at \(socket), up for \(uptime(status.uptimeMs))",
            "profile \(status.profile); \(Words.count(status.clients, "client")), \(Words.count(status.sources, "source")), "
                + "\(Words.count(status.playbacks, "playback")) now",
            realtime(status.realtime), "",
        ]
        if !status.unavailable.isEmpty {
            lines += ["MISSING ACTUATORS"] + status.unavailable.map { "  \($0.actuator): \($0.error)" } + [""]
        }
        if status.decisions.isEmpty {
            lines.append("Nothing has been decided yet: try `hapticctl play --pattern soft`.")
        } else {
            lines += Table.lines(
                [["DECISIONS", "", ""]]
                    + status.decisions.map {
                        ["  \($0.count)", $0.outcome, $0.reason.map { "\($0): \(Words.reason($0))" } ?? ""]
                    })
        }
        if status.invalidNotifications > 0 { lines.append("\(status.invalidNotifications) notifications were not valid") }
        if status.missed > 0 { lines.append("\(status.missed) notifications were missed by slow subscribers") }
        lines += refused(status.refused)
        lines += missedDeadlines(status.missedDeadlines)
        lines += missedActuations(status)
        lines += percentiles("LATENESS of actuations (real minus planned time)", status.lateness)
        lines += percentiles("LATENCY from input to actuation", status.latency)
        return lines
    }

    private static func refused(_ rows: [StatusResult.Refused]) -> [String] {
        guard !rows.isEmpty else { return [] }
        return ["", "REFUSED by `bounds` and `access` of the configuration"] + Table.lines(rows.map { ["  \($0.count)", $0.by] })
    }

    private static func percentiles(_ title: String, _ rows: [StatusResult.Percentiles]) -> [String] {
        let rows = rows.filter { $0.count > 0 }
        guard !rows.isEmpty else { return [] }
        let cells = rows.map { row in
            let times = [row.p50Ns, row.p90Ns, row.p99Ns, row.p999Ns, row.maxNs].map(time)
            return ["  \(row.of)"] + times + ["of \(row.count)"]
        }
        return ["", title] + Table.lines([["", "p50", "p90", "p99", "p99.9", "worst", ""]] + cells)
    }

    private static func missedDeadlines(_ classes: [StatusResult.MissedDeadlines]) -> [String] {
        let rows = classes.filter { $0.stale + $0.late + $0.leftOut > 0 }
        guard !rows.isEmpty else { return [] }
        let cells = rows.map { ["  \($0.feedbackClass)", "\($0.stale)", "\($0.late)", "\($0.leftOut)"] }
        return ["", "INPUTS not felt in time"]
            + Table.lines([["", "came too late", "felt too late", "left out by the executor"]] + cells)
    }

    private static func missedActuations(_ status: StatusResult) -> [String] {
        guard status.missedActuations > 0 else { return [] }
        let rows = status.missedByActuator.filter { $0.count > 0 }.map { ["  \($0.actuator)", "\($0.count)"] }
        return ["", "\(status.missedActuations) ACTUATIONS left out, because they came too late"] + Table.lines(rows)
    }

    /// What the executor was given; where something was refused, what to do.
    static func realtime(_ realtime: StatusResult.Realtime) -> String {
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

    /// In milliseconds, to a thousandth.
    private static func time(_ nanoseconds: Int64) -> String { "\(Words.plain(Double(nanoseconds / 1000) / 1000)) ms" }

    private static func uptime(_ milliseconds: Double) -> String {
        // A daemon may say any number.
        let seconds = Int(exactly: (milliseconds / 1000).rounded(.down)) ?? 0
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days) d \(hours) h" }
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
    }
}
