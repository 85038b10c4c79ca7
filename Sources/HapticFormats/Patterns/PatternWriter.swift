// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticDocuments
internal import HapticJSON
public import HapticPatterns

/// Writes patterns as files of our own format.
public enum PatternWriter {
    /// The text of a pattern file; reading it gives the same pattern where those that are used by name are known, but for the envelope
    /// of a transient, which has none.
    public static func yaml(_ pattern: Pattern) -> String {
        var lines = ["version: 1", "name: \(scalar(pattern.name))"]
        if !pattern.summary.isEmpty { lines.append("description: \(scalar(pattern.summary))") }
        if pattern.isCall { lines.append("call: true") }
        if let meaning = pattern.meaning { lines.append("meaning: \(meaning.rawValue)") }
        if pattern.isForLights { lines.append("light: true") }
        if pattern.transition != .snappy {
            let name = SpringReader.Name(pattern.transition)?.rawValue
            lines.append("transition: \(name ?? numbers(pattern.transition))")
        }
        lines += layers(pattern)
        if !pattern.phases.isEmpty { lines.append("phases:") }
        for phase in pattern.phases { lines += self.lines(phase) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func layers(_ pattern: Pattern) -> [String] {
        var lines = pattern.sum == .plain ? [] : ["sum: \(LayerSumName(pattern.sum).rawValue)"]
        if !pattern.tracks.isEmpty { lines.append("tracks:") }
        for track in pattern.tracks {
            switch track.content {
            case .keyframes(let keyframes):
                lines.append("  - keyframes:")
                lines += keyframes.map { "      - { \(fields($0)) }" }
            case .events(let events):
                lines.append("  - events:")
                lines += events.map { "      - { \(fields($0)) }" }
            }
            if track.gain != .one { lines.append("    gain: \(plainText(track.gain.value))") }
        }
        if !pattern.parts.isEmpty { lines.append("compose:") }
        lines += pattern.parts.map { "  - { \(fields($0)) }" }
        if !pattern.parameterCurves.isEmpty { lines.append("parameterCurves:") }
        for curve in pattern.parameterCurves {
            lines.append("  - parameter: \(CurveParameter(curve.parameter).rawValue)")
            lines.append("    points:")
            lines += curve.points.map { "      - { at: \($0.at), value: \(plainText($0.value)) }" }
        }
        return lines
    }

    /// An item of `phases`.
    private static func lines(_ phase: Pattern.Phase) -> [String] {
        var lines = phase.isNamed ? ["use: \(scalar(phase.pattern.name))"] : layers(phase.pattern)
        if let until = PhaseDraft.Until(phase.until) { lines += ["until: \(until.rawValue)", "upTo: \(phase.upTo)"] }
        return lines.enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }
    }

    private static func fields(_ part: Pattern.Part) -> String {
        var text = "use: \(scalar(part.pattern.name))"
        switch part.start {
        case .at(let time): text += ", at: \(time)"
        case .gap(let time): text += ", gap: \(time)"
        }
        if part.intensity != .one { text += ", intensity: \(plainText(part.intensity.value))" }
        if let sharpness = part.sharpness { text += ", sharpness: \(plainText(sharpness.value))" }
        if part.repetitions > 1 { text += ", repeat: \(part.repetitions), every: \(part.interval)" }
        return text
    }

    private static func fields(_ keyframe: Keyframe) -> String {
        var text = "at: \(keyframe.at), \(level(keyframe.intensity, keyframe.sharpness))"
        if keyframe.curve != .linear { text += ", curve: \(curve(keyframe.curve))" }
        return text
    }

    private static func fields(_ event: HapticEvent) -> String {
        guard case .continuous(let duration, let sustained) = event.kind else {
            return "at: \(event.at), type: transient, \(level(event.intensity, event.sharpness))"
        }
        var text = "at: \(event.at), type: continuous, duration: \(duration), \(level(event.intensity, event.sharpness))"
        for (key, time) in [("attack", event.attack), ("decay", event.decay), ("release", event.release)] where time > .zero {
            text += ", \(key): \(time)"
        }
        return sustained ? text : text + ", sustained: false"
    }

    private static func level(_ intensity: Intensity, _ sharpness: Sharpness) -> String {
        "intensity: \(plainText(intensity.value)), sharpness: \(plainText(sharpness.value))"
    }

    private static func curve(_ curve: Curve) -> String {
        if let name = CurveName(curve) { return name.rawValue }
        // trap: CurveName has all others; a test writes each.
        guard case .spring(let spring) = curve else { preconditionFailure("every curve but a spring has a name") }
        return "{ spring: \(numbers(spring)) }"
    }

    private static func numbers(_ spring: Spring) -> String {
        "{ response: \(spring.response), dampingFraction: \(plainText(spring.dampingFraction)) }"
    }

    /// Plain where YAML reads it back as the same text, else in quotes.
    private static func scalar(_ text: String) -> String {
        let isPlain =
            text.utf8.first.map { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") } ?? false
            && text.utf8.last != UInt8(ascii: " ")
            && text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic && $0.isASCII || "0123456789 _-,.()/;".unicodeScalars.contains($0)
            }
            && coreSchemaContent(ofPlain: Text(text)) == .string(Text(text))
        return isPlain ? text : YAML.quoted(text)
    }
}
