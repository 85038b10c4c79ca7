// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticJSON
public import HapticPatterns

extension PatternWriter {
    /// An inline pattern of the wire. `PatternReader` reads it back as the same pattern, but for its description, which is left out.
    public static func tree(_ pattern: Pattern) -> Node {
        var members = [("name", text(pattern.name)), ("tracks", list(pattern.tracks.map(tree)))]
        if !pattern.parameterCurves.isEmpty { members.append(("parameterCurves", list(pattern.parameterCurves.map(tree)))) }
        return object(members)
    }

    private static func tree(_ track: Pattern.Track) -> Node {
        switch track.content {
        case .keyframes(let keyframes): object([("keyframes", list(keyframes.map(tree)))])
        case .events(let events): object([("events", list(events.map(tree)))])
        }
    }

    private static func tree(_ keyframe: Keyframe) -> Node {
        object([
            ("atMs", milliseconds(keyframe.at)), ("intensity", number(keyframe.intensity.value)),
            ("sharpness", number(keyframe.sharpness.value)), ("curve", tree(keyframe.curve)),
        ])
    }

    private static func tree(_ curve: Curve) -> Node {
        if case .spring(let spring) = curve {
            let members = [
                ("response", number(spring.response.inSeconds)), ("dampingFraction", number(spring.dampingFraction)),
            ]
            return object([("spring", object(members))])
        }
        // trap: CurveName has all others; a test writes each.
        guard let name = CurveName(curve) else { preconditionFailure("every curve but a spring has a name") }
        return text(name.rawValue)
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
