// SPDX-License-Identifier: MIT
import HapticCore

/// Writes down what a scenario came to, for people: a line for each decision with the end of its playback, then for each actuator a
/// marble line and a line for each pulse. Times are rounded to the microsecond.
struct TraceWriter {
    private(set) var lines: [String] = []

    init(_ performance: borrowing Performance) {
        writeStory(performance.story, performance.ends)
        let all = performance.planned
        guard let end = all.map(\.actuation.planned).max() else {
            lines += ["", "no actuation is planned"]
            return
        }
        var actuators: [String] = []
        for one in all where !actuators.contains(one.actuator) { actuators.append(one.actuator) }
        for name in actuators { writeActuator(name, all.filter { $0.actuator == name }, until: end) }
    }

    // MARK: The story

    private struct Repeated {
        var at: MonotonicInstant
        var subject: String
        var value: String?
        var result: String
        var count = 1
        var last: (at: MonotonicInstant, value: String?)
    }

    /// What follows one another and differs in nothing but its instant and value is one line, as long as nothing of it is felt.
    private mutating func writeStory(_ story: [Performance.Entry], _ ends: [PlaybackID: [PlaybackEnd]]) {
        var open: Repeated?
        for entry in story {
            switch entry {
            case .other(let at, let text):
                close(&open)
                lines.append("\(Self.column(at))  \(text)")
            case .decision(let client, let decision, let summary):
                let (subject, value) = Self.subject(of: decision, by: client)
                let result = Self.result(of: decision, summary, ends)
                if decision.playback == nil, open?.subject == subject, open?.result == result {
                    open?.count += 1
                    open?.last = (decision.at, value)
                } else {
                    close(&open)
                    open = Repeated(at: decision.at, subject: subject, value: value, result: result, last: (decision.at, value))
                }
            }
        }
        close(&open)
    }

    private mutating func close(_ open: inout Repeated?) {
        guard let entry = open.take() else { return }
        var values = entry.value.map { " \($0)" } ?? ""
        if let last = entry.last.value, last != entry.value { values += "…\(last)" }
        let times = entry.count > 1 ? " (\(entry.count) times, until \(Self.ms(entry.last.at)))" : ""
        lines.append("\(Self.column(entry.at))  \(entry.subject)\(values)\(times): \(entry.result)")
    }

    private static func subject(of decision: Decision, by client: Scenario.Client) -> (String, value: String?) {
        var words = client == .ada ? [] : ["\(client):"]
        words += [decision.input.rawValue] + [decision.name, decision.source.map { "@\($0)" }].compactMap { $0 }
        let value: String? =
            switch decision.value {
            case nil: nil
            case .null: "null"
            case .bool(let flag): "\(flag)"
            case .number(let number): short(number, 6)
            case .string(let text): text.string
            }
        return (words.joined(separator: " "), value)
    }

    private static func result(
        of decision: Decision, _ summary: PlaySummary?, _ ends: [PlaybackID: [PlaybackEnd]]
    ) -> String {
        var text = decision.outcome.rawValue
        if let reason = decision.reason { text += " \(reason)" }
        if let bound = decision.bound { text += " (\(bound))" }
        if let pattern = decision.pattern { text += ", \(pattern)" }
        if let intensity = decision.intensity { text += " \(short(intensity.value, 3))" }
        if !decision.actuators.isEmpty { text += " on \(decision.actuators.joined(separator: "+"))" }
        if let playback = decision.playback { text += " #\(playback.value)" }
        if let feedbackClass = decision.feedbackClass { text += ", \(feedbackClass)" }
        if let rule = decision.rule { text += ", rule \(rule)" }
        if let deadline = decision.deadline { text += ", until \(ms(deadline))" }
        if let things = decision.things {
            text += "; \(things.inserted) inserted, \(things.removed) removed, \(things.kept) kept"
        }
        switch decision.circumstance {
        case .timedOut(let time): text += "; timed out after \(time)"
        case .idsShifted: text += "; ids shifted"
        default: break
        }
        if let policy = decision.policy, !policy.settings.isEmpty {
            text += "; " + policy.settings.map(words).joined(separator: ", ")
        }
        if let condition = decision.policy?.condition { text += "; condition \(condition)" }
        if let summary {
            text += "; \(summary.steps) steps, \(summary.pulses) pulses"
            if summary.mergedByMinGap > 0 { text += ", \(summary.mergedByMinGap) merged by minGap" }
            if summary.mergedByMinInterval > 0 { text += ", \(summary.mergedByMinInterval) merged by minInterval" }
        }
        if let feel = decision.feel {
            text += "; peak \(short(feel.peak, 2))\(feel.isFelt ? "" : ", not felt")\(feel.runsTogether ? ", runs together" : "")"
        }
        guard let playback = decision.playback else { return text }
        let ended = (ends[playback] ?? []).map { end in
            "\(end.ending) \(end.reason.map { "\($0) " } ?? "")\(ms(end.at))"
        }
        return text + "; " + (ended.isEmpty ? "never ended" : ended.joined(separator: ", "))
    }

    private static func words(_ setting: AppliedSetting) -> String {
        func percent(_ strength: Strength) -> String { "\(short(strength.value * 100, 1))%" }
        let text =
            switch setting.value {
            case .off(.forGood): "off for good"
            case .off(.until(let end)): "off until \(ms(end))"
            case .quietHours(let hours, let exception):
                "quiet \(hours.from)-\(hours.to)" + (exception.map { " but for its \($0.rawValue)" } ?? "")
            case .strength(let strength): "strength \(percent(strength))"
            case .classStrength(let strength): "class \(percent(strength))"
            case .appStrength(let strength): "app \(percent(strength))"
            }
        return text + (setting.layer == .configuration ? " (configured)" : "")
    }

    // MARK: Actuators

    private mutating func writeActuator(_ name: String, _ all: [Performance.Planned], until end: MonotonicInstant) {
        let pulses = zip([false] + all.map(\.actuation.isOn), all).count { !$0 && $1.actuation.isOn }
        lines += ["", Self.marbles(name, all.map(\.actuation), until: end) + ", \(pulses) pulses"]
        var pulse: [String] = []
        var playback: PlaybackID?
        for (index, one) in all.enumerated() {
            let actuation = one.actuation
            var token = pulse.isEmpty || actuation.playback != playback ? "#\(actuation.playback.value) " : ""
            token += "\(Self.ms(actuation.planned)) "
            if let run = one.run { token += "[\(run)] " }
            token += Self.level(actuation)
            pulse.append(token)
            playback = actuation.playback
            if !actuation.isOn || index == all.count - 1 { lines += Self.wrapped(pulse, isOver: !actuation.isOn) }
            if !actuation.isOn { pulse = [] }
        }
    }

    private static func wrapped(_ tokens: [String], isOver: Bool) -> [String] {
        let perLine = 8
        let tokens = isOver ? tokens : tokens + ["never off"]
        return stride(from: 0, to: tokens.count, by: perLine).map { start in
            let part = tokens[start..<min(start + perLine, tokens.count)].joined(separator: ", ")
            return (start == 0 ? "  " : "     ") + part
        }
    }

    /// `0.5/0.3→0.707`: what is meant to be felt, how sharp, and what is sent where that is another.
    private static func level(_ actuation: Actuation) -> String {
        guard actuation.isOn else { return "off" }
        let level = actuation.level
        let sharpness = level.sharpness > .zero ? "/\(short(level.sharpness.value, 3))" : ""
        let drive = actuation.drive == Drive(level.intensity) ? "" : "→\(short(actuation.drive.value, 3))"
        return short(level.intensity.value, 3) + sharpness + drive
    }

    /// A character for each stretch of time: the strongest drive in it, in tenths rounded up; `#` is all of it or more, `.` is off.
    private static func marbles(_ name: String, _ actuations: [Actuation], until end: MonotonicInstant) -> String {
        let mostCells: Int64 = 100
        let steps = (0..<10).flatMap { power in [1, 2, 5].map { $0 * Int64(pow10: power) * 1_000_000 } }
        // trap: a scenario is shorter than a billion times a hundred milliseconds.
        let width = steps.first { end.nanoseconds / $0 < mostCells }!
        var strongest = [Double](repeating: 0, count: Int(end.nanoseconds / width) + 1)
        for (index, actuation) in actuations.enumerated() {
            let next = index + 1 < actuations.count ? actuations[index + 1].planned.nanoseconds : end.nanoseconds
            guard actuation.isOn, next > actuation.planned.nanoseconds else { continue }
            for cell in Int(actuation.planned.nanoseconds / width)...Int((next - 1) / width) {
                strongest[cell] = max(strongest[cell], actuation.drive.value)
            }
        }
        let cells = strongest.map { value -> String in
            switch value {
            case 0: "."
            case 1...: "#"
            default: "\(min(9, Int((value * 10).rounded(.up))))"
            }
        }
        return "\(name)  |\(cells.joined())|  \(ms(.zero + Nanoseconds(width))) each"
    }

    // MARK: Numbers

    private static func column(_ instant: MonotonicInstant) -> String {
        let text = ms(instant)
        return String(repeating: " ", count: max(0, 10 - text.count)) + text
    }

    private static func ms(_ instant: MonotonicInstant) -> String { short(Double(instant.nanoseconds) / 1e6, 3) + "ms" }

    /// With as many decimals as it needs, up to `decimals`.
    private static func short(_ number: Double, _ decimals: Int) -> String {
        let unit = Int64(pow10: decimals)
        // trap: times of a scenario, and numbers that a person has written.
        let scaled = Int64((abs(number) * Double(unit)).rounded())
        var text = "\(number < 0 && scaled > 0 ? "-" : "")\(scaled / unit)"
        guard scaled % unit != 0 else { return text }
        let digits = "\(scaled % unit)"
        text += "." + String(repeating: "0", count: decimals - digits.count) + digits
        while text.last == "0" { text.removeLast() }
        return text
    }
}

extension Int64 {
    fileprivate init(pow10 power: Int) { self = (0..<power).reduce(1) { value, _ in value * 10 } }
}
