// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticService
internal import Logging

/// Decisions and endings as entries of the log, at the level debug: what is felt is nothing for the log of a healthy daemon.
enum DecisionLog {
    /// Nil where nobody wants to read them, so that they cost nothing.
    static func recorder(_ logger: Logger) -> ((Output.Record) -> Void)? {
        guard logger.logLevel <= .debug else { return nil }
        return { record in
            switch record {
            case .decision(let decision): logger.debug("\(message(decision))", metadata: fields(decision))
            case .ending(let end): logger.debug("\(message(end))", metadata: fields(end))
            }
        }
    }

    /// `progress upload-1 0.42: played, soft at 0.5 on main, playback 17`.
    static func message(_ decision: Decision) -> String {
        let what = [decision.input.rawValue, decision.name, decision.source, decision.value.map(text)].compactMap(\.self)
        var became = [decision.outcome.rawValue]
        if let reason = decision.reason { became.append(reason.rawValue) }
        if let pattern = decision.pattern {
            let strength = decision.intensity.map { " at \($0.value)" } ?? ""
            let place = decision.actuators.isEmpty ? "" : " on \(decision.actuators.joined(separator: " "))"
            became.append(pattern + strength + place)
        }
        if let playback = decision.playback { became.append("playback \(playback.value)") }
        return "\(what.joined(separator: " ")): \(became.joined(separator: ", "))"
    }

    static func fields(_ decision: Decision) -> Logger.Metadata {
        let all: [(String, String?)] = [
            ("input", decision.input.rawValue), ("source", decision.source), ("name", decision.name),
            ("value", decision.value.map(text)), ("class", decision.feedbackClass?.rawValue), ("rule", decision.rule),
            ("outcome", decision.outcome.rawValue), ("reason", decision.reason?.rawValue), ("pattern", decision.pattern),
            ("playback", decision.playback.map { "\($0.value)" }),
        ]
        return all.reduce(into: [:]) { fields, field in fields[field.0] = field.1.map { .string($0) } }
    }

    /// `playback 17: cancelled, requested`.
    static func message(_ end: PlaybackEnd) -> String {
        "playback \(end.playback.value): \(end.ending.rawValue)" + (end.reason.map { ", \($0.rawValue)" } ?? "")
    }

    static func fields(_ end: PlaybackEnd) -> Logger.Metadata {
        var fields: Logger.Metadata = ["playback": "\(end.playback.value)", "ended": "\(end.ending.rawValue)"]
        if let reason = end.reason { fields["reason"] = "\(reason.rawValue)" }
        return fields
    }

    private static func text(_ value: Scalar) -> String {
        switch value {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): value.string
        }
    }
}
