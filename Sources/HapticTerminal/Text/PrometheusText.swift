// SPDX-License-Identifier: MIT
import HapticCore
package import HapticWire

/// The daemon's status in Prometheus' text exposition format, version 0.0.4. In base units: seconds.
package struct PrometheusText {
    private enum Kind: String { case counter, gauge, summary }

    private typealias Labels = [(name: String, value: String)]

    package private(set) var text = ""

    package init(_ status: StatusResult) {
        service(status)
        counters(status)
        realtime(status.realtime)
        actuators(status)
        heat(status.heat)
        times(
            "hapticd_actuation_lateness", of: "actuator", status.lateness,
            "Real minus planned time of actuations, since the configuration of the actuators changed")
        times(
            "hapticd_input_latency", of: "class", status.latency,
            "From reading an input to its first actuation, less what the pattern itself waits")
    }

    // MARK: The metrics

    private mutating func service(_ status: StatusResult) {
        metric("hapticd_build_info", .gauge, "Always 1; the version is a label", [([("version", status.version)], "1")])
        metric("hapticd_uptime_seconds", .gauge, "For how long the daemon has been up", plain(status.uptimeMs / 1000))
        metric(
            "hapticd_profile", .gauge, "1 for the profile in force, 0 for the others",
            Profile.allCases.map { ([("profile", $0.rawValue)], $0 == status.profile ? "1" : "0") })
        metric("hapticd_off", .gauge, "1 while people have switched feedback off", status.settings.off == nil ? "0" : "1")
        metric("hapticd_quiet_hours", .gauge, "1 in quiet hours", status.settings.quiet ? "1" : "0")
        metric("hapticd_clients", .gauge, "Connected clients", "\(status.clients)")
        metric("hapticd_subscribers", .gauge, "Clients that are told of something", "\(status.subscribers)")
        metric("hapticd_sources", .gauge, "Sources that are known", "\(status.sources)")
        metric("hapticd_playbacks", .gauge, "Playbacks now", "\(status.playbacks)")
    }

    private mutating func counters(_ status: StatusResult) {
        metric(
            "hapticd_decisions_total", .counter, "Decisions by outcome and reason (empty: none)",
            status.decisions.map { ([("outcome", $0.outcome.rawValue), ("reason", $0.reason?.rawValue ?? "")], "\($0.count)") })
        metric(
            "hapticd_invalid_notifications_total", .counter, "Notifications of clients that could not be used",
            "\(status.invalidNotifications)")
        metric(
            "hapticd_refused_total", .counter, "Connections, requests and inputs refused, by the key of bounds or access",
            status.refused.map { ([("by", $0.by)], "\($0.count)") })
        metric(
            "hapticd_missed_notifications_total", .counter, "Notifications that slow subscribers missed", "\(status.missed)")
        metric(
            "hapticd_missed_deadlines_total", .counter,
            "Inputs not felt in time: stale when decided, felt late, or left out by the executor",
            status.missedDeadlines.flatMap { row in
                [("stale", row.stale), ("late", row.late), ("leftOut", row.leftOut)].map { how, count in
                    ([("class", row.feedbackClass.rawValue), ("how", how)], "\(count)")
                }
            })
        metric(
            "hapticd_missed_actuations_total", .counter, "Actuations left out because they came too late",
            status.missedByActuator.map { ([("actuator", $0.actuator)], "\($0.count)") })
    }

    private mutating func realtime(_ realtime: StatusResult.Realtime) {
        let granted = realtime.granted
        let answers = [("priority", granted.priority), ("lockMemory", granted.lockMemory), ("cpu", granted.cpu)]
        metric(
            "hapticd_realtime_granted", .gauge, "What the executor asked the kernel for: 1 granted, 0 refused",
            answers.compactMap { what, answer in answer.map { ([("what", what)], $0 ? "1" : "0") } })
    }

    private mutating func actuators(_ status: StatusResult) {
        let missing = Set(status.unavailable.map(\.actuator))
        metric(
            "hapticd_actuator_available", .gauge, "1 where the actuator can be used, else 0",
            status.lateness.map { ([("actuator", $0.of)], missing.contains($0.of) ? "0" : "1") })
    }

    private mutating func heat(_ motors: [StatusResult.Heat]) {
        metric(
            "hapticd_actuator_heat_ratio", .gauge, "How hot the motor is: 1 is as hot as it may be",
            motors.map { ([("actuator", $0.actuator)], "\($0.share)") })
        metric(
            "hapticd_actuator_heat_total", .counter, "Playbacks that were felt less, or cut, for the motor was hot",
            motors.flatMap { motor in
                [("lowered", motor.lowered), ("cut", motor.cut)].map { how, count in
                    ([("actuator", motor.actuator), ("how", how)], "\(count)")
                }
            })
    }

    private mutating func times(_ name: String, of label: String, _ rows: [StatusResult.Percentiles], _ help: String) {
        guard !rows.isEmpty else { return }
        begin("\(name)_seconds", .summary, help)
        for row in rows {
            let labels: Labels = [(label, row.of)]
            for (share, time) in [("0.5", row.p50Ns), ("0.9", row.p90Ns), ("0.99", row.p99Ns), ("0.999", row.p999Ns)] {
                // There is no such time where nothing was recorded.
                sample("\(name)_seconds", labels + [("quantile", share)], row.count > 0 ? seconds(time) : "NaN")
            }
            sample("\(name)_seconds_sum", labels, seconds(row.sumNs))
            sample("\(name)_seconds_count", labels, "\(row.count)")
        }
        metric("\(name)_worst_seconds", .gauge, "\(help): the worst", rows.map { ([(label, $0.of)], seconds($0.maxNs)) })
    }

    // MARK: How it is written

    private mutating func metric(_ name: String, _ kind: Kind, _ help: String, _ value: String) {
        metric(name, kind, help, [([], value)])
    }

    /// Nothing at all where there is no sample.
    private mutating func metric(_ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: Labels, value: String)]) {
        guard !samples.isEmpty else { return }
        begin(name, kind, help)
        for (labels, value) in samples { sample(name, labels, value) }
    }

    private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help).\n# TYPE \(name) \(kind.rawValue)\n"
    }

    private mutating func sample(_ name: String, _ labels: Labels, _ value: String) {
        let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
        text += name + (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") + " \(value)\n"
    }

    /// As the format wants it within quotation marks.
    static func escaped(_ value: String) -> String {
        value.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\\": text += #"\\"#
            case "\"": text += #"\""#
            case "\n": text += #"\n"#
            // A collector shows it, and who reads the file.
            case _ where !scalar.isPrintable: text += #"\\u{\#(String(scalar.value, radix: 16))}"#
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    private func seconds(_ nanoseconds: Int64) -> String { plain(Double(nanoseconds) / 1e9) }

    private func plain(_ number: Double) -> String { Words.plain(number) }
}
