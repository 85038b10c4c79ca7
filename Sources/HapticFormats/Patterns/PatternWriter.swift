// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticPatterns
public import HapticText
internal import HapticYAML

/// Writes patterns in our own form, as files and as inline patterns of the wire. Values at their defaults are left out.
///
/// `PatternReader` reads the same pattern where it knows those that are used by name, but for the envelope of a transient, which has none.
public struct PatternWriter {
    private let notation: Notation

    /// The text of a pattern file.
    public static func yaml(_ pattern: Pattern) -> String { YAML.text(Self(notation: .units).tree(pattern)) }

    /// An inline pattern of the wire, without the description.
    public static func tree(_ pattern: Pattern) -> Node { Self(notation: .wire).tree(pattern) }

    private typealias Members = [(key: String, value: Node)]

    private func tree(_ pattern: Pattern) -> Node {
        let isFile = notation == .units
        var members: Members = isFile ? [("version", number(1))] : []
        members.append(("name", text(pattern.name)))
        if isFile, !pattern.summary.isEmpty { members.append(("description", text(pattern.summary))) }
        if pattern.isCall { members.append(("call", Node(.bool(true)))) }
        if let meaning = pattern.meaning { members.append(("meaning", text(meaning.rawValue))) }
        if pattern.isForLights { members.append(("light", Node(.bool(true)))) }
        if pattern.transition != .snappy {
            let name = SpringReader.Name(pattern.transition)
            members.append(("transition", name.map { text($0.rawValue) } ?? tree(pattern.transition)))
        }
        members += layers(pattern)
        if !pattern.phases.isEmpty { members.append(("phases", list(pattern.phases.map(tree)))) }
        return object(members)
    }

    private func layers(_ pattern: Pattern) -> Members {
        var members: Members = []
        if pattern.sum != .plain { members.append(("sum", text(LayerSumName(pattern.sum).rawValue))) }
        if !pattern.tracks.isEmpty { members.append(("tracks", list(pattern.tracks.map(tree)))) }
        if !pattern.parts.isEmpty { members.append(("compose", list(pattern.parts.map(tree)))) }
        if !pattern.parameterCurves.isEmpty { members.append(("parameterCurves", list(pattern.parameterCurves.map(tree)))) }
        return members
    }

    private func tree(_ track: Pattern.Track) -> Node {
        var members: Members =
            switch track.content {
            case .keyframes(let keyframes): [("keyframes", list(keyframes.map(tree)))]
            case .events(let events): [("events", list(events.map(tree)))]
            }
        if track.gain != .one { members.append(("gain", number(track.gain.value))) }
        return object(members)
    }

    private func tree(_ part: Pattern.Part) -> Node {
        var members: Members = [("use", text(part.pattern.name))]
        switch part.start {
        case .at(let at): members.append(time("at", at))
        case .gap(let gap): members.append(time("gap", gap))
        }
        if part.intensity != .one { members.append(("intensity", number(part.intensity.value))) }
        if let sharpness = part.sharpness { members.append(("sharpness", number(sharpness.value))) }
        if part.repetitions > 1 {
            members += [("repeat", number(Double(part.repetitions))), time("every", part.interval)]
        }
        return object(members)
    }

    private func tree(_ phase: Pattern.Phase) -> Node {
        var members = phase.isNamed ? [("use", text(phase.pattern.name))] : layers(phase.pattern)
        if let until = PhaseDraft.Until(phase.until) {
            members += [("until", text(until.rawValue)), time("upTo", phase.upTo)]
        }
        return object(members)
    }

    private func tree(_ keyframe: Keyframe) -> Node {
        var members = [time("at", keyframe.at)] + level(keyframe.intensity, keyframe.sharpness)
        if keyframe.curve != .linear { members.append(("curve", tree(keyframe.curve))) }
        return object(members)
    }

    private func level(_ intensity: Intensity, _ sharpness: Sharpness) -> Members {
        [("intensity", number(intensity.value)), ("sharpness", number(sharpness.value))]
    }

    private func tree(_ curve: Easing) -> Node {
        if let name = EasingName(curve) { return text(name.rawValue) }
        // trap: EasingName has all others.
        guard case .spring(let spring) = curve else { preconditionFailure("every curve but a spring has a name") }
        return object([("spring", tree(spring))])
    }

    /// In seconds, also in files.
    private func tree(_ spring: Spring) -> Node {
        object([("response", number(spring.response.inSeconds)), ("dampingFraction", number(spring.dampingFraction))])
    }

    private func tree(_ event: HapticEvent) -> Node {
        var members = [time("at", event.at)]
        switch event.kind {
        case .transient: members += [("type", text("transient"))] + level(event.intensity, event.sharpness)
        case .continuous(let duration, let isSustained):
            members += [("type", text("continuous")), time("duration", duration)] + level(event.intensity, event.sharpness)
            for (key, length) in [("attack", event.attack), ("decay", event.decay), ("release", event.release)]
            where length > .zero { members.append(time(key, length)) }
            if !isSustained { members.append(("sustained", Node(.bool(false)))) }
        }
        return object(members)
    }

    private func tree(_ curve: ParameterCurve) -> Node {
        let points = curve.points.map { object([time("at", $0.at), ("value", number($0.value))]) }
        return object([("parameter", text(ParameterName(curve.parameter).rawValue)), ("points", list(points))])
    }

    private func object(_ members: Members) -> Node {
        Node(.object(members.map { Node.Member(key: Text($0.key), value: $0.value) }))
    }

    private func list(_ items: [Node]) -> Node { Node(.list(items)) }
    private func text(_ text: String) -> Node { Node(.string(Text(text))) }
    private func number(_ number: Double) -> Node { Node(.number(number)) }

    private func time(_ key: String, _ time: Nanoseconds) -> (key: String, value: Node) {
        switch notation {
        case .units: (key, text("\(time)"))
        case .wire: (key + "Ms", number(time.inMilliseconds))
        }
    }
}
