// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns
internal import HapticText

/// Writes AHAP, the pattern files of Apple's Core Haptics.
enum AhapWriter {
    /// Events and parameter curves are written as they are; what has keyframes, as `AhapApproximation` makes it. Throws where that takes more
    /// events or curves than a pattern may have.
    static func write(_ pattern: Pattern) throws(UnwritablePattern) -> WrittenFile {
        var losses: [String] = []
        var (events, curves) = (pattern.onlyEvents ?? [], pattern.parameterCurves)
        if events.isEmpty {
            let approximation = AhapApproximation(pattern)
            (events, curves) = (approximation.events, approximation.curves)
            losses.append(
                "AHAP has no keyframes: they are written as events and parameter curves, in straight lines. Curves and springs are sampled every \(LevelLine.sampling), and there the lines are at most \(plainText(LevelLine.tolerance)) beside them."
            )
        }
        losses += envelopeLosses(events) + partLosses(events, curves)
        let entries = events.flatMap(parts).map(entry) + entries(curves)
        guard events.count <= Pattern.Limit.tracks * Pattern.Limit.entriesPerTrack, curves.count <= Pattern.Limit.parameterCurves
        else {
            throw UnwritablePattern(
                "it would take \(events.count) events and \(curves.count) parameter curves; write less than \(Pattern.Limit.parameterCurves) glides and jumps, or keep it as yaml"
            )
        }
        var members: [(String, Node)] = [("Version", .number(1))]
        if !pattern.summary.isEmpty { members.append(("Metadata", .object([("Description", .text(pattern.summary))]))) }
        members.append(("Pattern", Node(.list(entries))))
        return WrittenFile(text: IndentedJSON.text(.object(members)), losses: losses)
    }

    private static func envelopeLosses(_ events: [HapticEvent]) -> [String] {
        let times: [(name: String, longest: Nanoseconds)] = [
            ("attack", events.map(\.attack).max() ?? .zero), ("decay", events.map(\.decay).max() ?? .zero),
            ("release", events.map(\.release).max() ?? .zero),
        ]
        return times.filter { $0.longest > Ahap.envelopeScale }.map {
            "Where an event's \($0.name) is longer than \(Ahap.envelopeScale), up to \($0.longest), it is written as that, the longest there is."
        }
    }

    // MARK: Events

    /// More than one where the event is longer than Apple plays it: they follow one another without a seam. One that has faded by then is
    /// as long as it may be.
    private static func parts(of event: HapticEvent) -> [HapticEvent] {
        let longest = Ahap.longestContinuous
        guard case .continuous(let duration, let sustained) = event.kind, duration > longest else { return [event] }
        var part = event
        part.kind = .continuous(duration: longest, sustained: sustained)
        guard sustained else { return [part] }
        part.release = .zero
        var parts: [HapticEvent] = []
        while part.at + longest < event.at + duration {
            parts.append(part)
            part.at += longest
            part.attack = .zero
        }
        part.kind = .continuous(duration: event.at + duration - part.at, sustained: true)
        part.release = event.release
        return parts + [part]
    }

    /// Parameter curves add to an event's times what they are at its start, so to those of each part.
    private static func partLosses(_ events: [HapticEvent], _ curves: [ParameterCurve]) -> [String] {
        let (attack, release) = (ParameterControl(.attackTime, of: curves), ParameterControl(.releaseTime, of: curves))
        func extra(_ control: ParameterControl, _ event: HapticEvent) -> Nanoseconds {
            control.value(at: event.at).flatMap(Nanoseconds.init(seconds:)) ?? .zero
        }
        let isFeltOtherwise = events.contains { event in
            let parts = parts(of: event)
            guard let last = parts.last, parts.count > 1 else { return false }
            return parts.dropFirst().contains { extra(attack, $0) > .zero }
                || parts.dropLast().contains { extra(release, $0) > .zero }
                || max(.zero, event.release + extra(release, last)) != max(.zero, event.release + extra(release, event))
        }
        var losses: [String] = []
        if isFeltOtherwise {
            losses.append(
                "An event of more than \(Ahap.longestContinuous) is written in parts, and the curves of attack and release times count for each of them: it is felt otherwise where they meet and at its end."
            )
        }
        let faded = events.compactMap { event in
            if case .continuous(let duration, sustained: false) = event.kind { duration } else { Nanoseconds?.none }
        }
        if let longest = faded.max(), longest > Ahap.longestContinuous {
            losses.append(
                "An event that fades is at most \(Ahap.longestContinuous) long; of one of \(longest) the silence after that is left out."
            )
        }
        return losses
    }

    private static func entry(_ event: HapticEvent) -> Node {
        var parameters: [(AhapEventParameter, Double)] = [
            (.intensity, event.intensity.value), (.sharpness, event.sharpness.value),
        ]
        var members: [(String, Node)] = [("Time", .seconds(event.at))]
        switch event.kind {
        case .transient: members.append(("EventType", .text(AhapEventType.transient.rawValue)))
        case .continuous(let duration, let sustained):
            let times = [(AhapEventParameter.attack, event.attack), (.decay, event.decay), (.release, event.release)]
            parameters += times.filter { $0.1 > .zero }.map { ($0, min(1, $1.inSeconds / Ahap.envelopeScale.inSeconds)) }
            if !sustained { parameters.append((.sustained, 0)) }
            members.append(("EventType", .text(AhapEventType.continuous.rawValue)))
            members.append(("EventDuration", .seconds(duration)))
        }
        let list = parameters.map { Node.object([("ParameterID", .text($0.rawValue)), ("ParameterValue", .number($1))]) }
        members.append(("EventParameters", Node(.list(list))))
        return .object([("Event", .object(members))])
    }

    // MARK: Controls

    private static func entries(_ curves: [ParameterCurve]) -> [Node] {
        let groups = AhapControl.allCases.map { control in curves.filter { $0.parameter == control.meaning } }
        return groups.flatMap { curves in
            let inOrder = curves.sorted { $0.points[0].at < $1.points[0].at }
            return inOrder.indices.flatMap { index in
                // Of two that begin at one time only the later one counts; both are written, as they were.
                let next = index + 1 < inOrder.count ? inOrder[index + 1].points[0].at : nil
                return parts(of: inOrder[index], until: next).map(entry)
            }
        }
    }

    /// In parts of `Ahap.pointsPerCurve`. Without the points after that at which, or before which, the next curve takes over: a part that
    /// began later than that would take over again.
    private static func parts(of curve: ParameterCurve, until next: Nanoseconds?) -> [ParameterCurve] {
        var points = curve.points[...]
        if let next, let last = points.firstIndex(where: { $0.at >= next }) { points = points[...last] }
        var parts: [ParameterCurve] = []
        repeat {
            parts.append(ParameterCurve(parameter: curve.parameter, points: Array(points.prefix(Ahap.pointsPerCurve))))
            points = points.dropFirst(Ahap.pointsPerCurve - 1)
        } while points.count > 1
        return parts
    }

    /// A curve of one point is a parameter: its value holds from then on.
    private static func entry(_ curve: ParameterCurve) -> Node {
        let id = ("ParameterID", Node.text(AhapControl(curve.parameter).rawValue))
        let start = curve.points[0]
        guard curve.points.count > 1 else {
            return .object([
                ("Parameter", .object([id, ("Time", .seconds(start.at)), ("ParameterValue", .number(start.value))]))
            ])
        }
        // From the curve's own time, as Apple has it: the first point is then before it, so nobody takes the times for absolute.
        let points = curve.points.map {
            Node.object([("Time", .seconds($0.at - start.at)), ("ParameterValue", .number($0.value))])
        }
        let members = [id, ("Time", .seconds(start.at)), ("ParameterCurveControlPoints", Node(.list(points)))]
        return .object([("ParameterCurve", .object(members))])
    }
}

extension Node {
    fileprivate static func object(_ members: [(String, Node)]) -> Node {
        Node(.object(members.map { Node.Member(key: Text($0), value: $1) }))
    }

    fileprivate static func text(_ text: String) -> Node { Node(.string(Text(text))) }
    fileprivate static func number(_ number: Double) -> Node { Node(.number(number)) }
    fileprivate static func seconds(_ time: Nanoseconds) -> Node { .number(time.inSeconds) }
}
