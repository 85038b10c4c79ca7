// SPDX-License-Identifier: MIT
import HapticWire

/// The daemon's status for people.
enum StatusText {
    static func lines(_ status: StatusResult, socket: String) -> [String] {
        var lines = [
            "hapticd \(status.version) at \(socket), up for \(uptime(status.uptimeMs))",
            "profile \(status.profile); \(Words.count(status.clients, "client")), \(Words.count(status.sources, "source")), "
                + "\(Words.count(status.playbacks, "playback")) now", "",
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
        lines += percentiles("LATENESS of actuations (real minus planned time)", status.lateness)
        lines += percentiles("LATENCY from input to actuation", status.latency)
        return lines
    }

    private static func percentiles(_ title: String, _ rows: [StatusResult.Percentiles]) -> [String] {
        let rows = rows.filter { $0.count > 0 }
        guard !rows.isEmpty else { return [] }
        let cells = rows.map { ["  \($0.of)", time($0.p50Ns), time($0.p90Ns), time($0.p99Ns), time($0.maxNs), "of \($0.count)"] }
        return ["", title] + Table.lines([["", "p50", "p90", "p99", "max", ""]] + cells)
    }

    /// In milliseconds, to a thousandth.
    private static func time(_ nanoseconds: Int64) -> String { "\(Words.plain(Double(nanoseconds / 1000) / 1000)) ms" }

    private static func uptime(_ milliseconds: Double) -> String {
        let seconds = Int(milliseconds / 1000)
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days) d \(hours) h" }
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
    }
}
