// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticJSON
public import HapticPatterns

extension PatternWriter {
    /// An inline pattern of the wire. `PatternReader` reads it back as the same pattern where it knows those that are used by name,
    /// but for its description, which is left out.
    public static func tree(_ pattern: Pattern) -> Node {
        var members = [("name", text(pattern.name))] + layers(pattern)
        if !pattern.phases.isEmpty { members.append(("phases", list(pattern.phases.map(tree)))) }
        if pattern.transition != .snappy { members.append(("transition", transition(pattern.transition))) }
        if pattern.isCall { members.append(("call", Node(.bool(true)))) }
        if let meaning = pattern.meaning { members.append(("meaning", text(meaning.rawValue))) }
        if pattern.isForLights { members.append(("light", Node(.bool(true)))) }
        return object(members)
    }

    private static func layers(_ pattern: Pattern) -> [(key: String, value: Node)] {
        var members: [(key: String, value: Node)] = []
        if !pattern.tracks.isEmpty { members.append(("tracks", list(pattern.tracks.map(tree)))) }
        if !pattern.parts.isEmpty { members.append(("compose", list(pattern.parts.map(tree)))) }
        if !pattern.parameterCurves.isEmpty { members.append(("parameterCurves", list(pattern.parameterCurves.map(tree)))) }
        if pattern.sum != .plain { members.append(("sum", text(LayerSumName(pattern.sum).rawValue))) }
        return members
    }

    private static func tree(_ track: Pattern.Track) -> Node {
        var members =
            switch track.content {
            case .keyframes(let keyframes): [("keyframes", list(keyframes.map(tree)))]
            case .events(let events): [("events", list(events.map(tree)))]
            }
        if track.gain != .one { members.append(("gain", number(track.gain.value))) }
        return object(members)
    }

    private static func tree(_ part: Pattern.Part) -> Node {
        var members = [("use", text(part.pattern.name))]
        switch part.start {
        case .at(let time): members.append(("atMs", milliseconds(time)))
        case .gap(let time): members.append(("gapMs", milliseconds(time)))
        }
        if part.intensity != .one { members.append(("intensity", number(part.intensity.value))) }
        if let sharpness = part.sharpness { members.append(("sharpness", number(sharpness.value))) }
        if part.repetitions > 1 {
            members += [("repeat", number(Double(part.repetitions))), ("everyMs", milliseconds(part.interval))]
        }
        return object(members)
    }

    private static func tree(_ phase: Pattern.Phase) -> Node {
        var members = phase.isNamed ? [("use", text(phase.pattern.name))] : layers(phase.pattern)
        if let until = PhaseDraft.Until(phase.until) {
            members += [("until", text(until.rawValue)), ("upToMs", milliseconds(phase.upTo))]
        }
        return object(members)
    }

    private static func transition(_ spring: Spring) -> Node {
        SpringReader.Name(spring).map { text($0.rawValue) } ?? tree(spring)
    }

    private static func tree(_ keyframe: Keyframe) -> Node {
        object([
            ("atMs", milliseconds(keyframe.at)), ("intensity", number(keyframe.intensity.value)),
            ("sharpness", number(keyframe.sharpness.value)), ("curve", tree(keyframe.curve)),
        ])
    }

    private static func tree(_ curve: Curve) -> Node {
        if case .spring(let spring) = curve {
            return object([("spring", tree(spring))])
        }
        // trap: CurveName has all others; a test writes each.
        guard let name = CurveName(curve) else { preconditionFailure("every curve but a spring has a name") }
        return text(name.rawValue)
    }

    private static func tree(_ spring: Spring) -> Node {
        object([("response", number(spring.response.inSeconds)), ("dampingFraction", number(spring.dampingFraction))])
    }

    private static func tree(_ event: HapticEvent) -> Node {
        var members = [
            ("atMs", milliseconds(event.at)), ("intensity", number(event.intensity.value)),
            ("sharpness", number(event.sharpness.value)),
        ]
        switch event.kind {
        case .transient: members.append(("type", text("transient")))
        case .continuous(let duration, let isSustained):
            members += [
                ("type", text("continuous")), ("durationMs", milliseconds(duration)), ("sustained", Node(.bool(isSustained))),
                ("attackMs", milliseconds(event.attack)), ("decayMs", milliseconds(event.decay)),
                ("releaseMs", milliseconds(event.release)),
            ]
        }
        return object(members)
    }

    private static func tree(_ curve: ParameterCurve) -> Node {
        let points = curve.points.map { object([("atMs", milliseconds($0.at)), ("value", number($0.value))]) }
        return object([("parameter", text(CurveParameter(curve.parameter).rawValue)), ("points", list(points))])
    }

    private static func object(_ members: [(key: String, value: Node)]) -> Node {
        Node(.object(members.map { Node.Member(key: Text($0.key), value: $0.value) }))
    }

    private static func list(_ items: [Node]) -> Node { Node(.list(items)) }
    private static func text(_ text: String) -> Node { Node(.string(Text(text))) }
    private static func number(_ number: Double) -> Node { Node(.number(number)) }
    private static func milliseconds(_ time: Nanoseconds) -> Node { number(time.inMilliseconds) }
}
