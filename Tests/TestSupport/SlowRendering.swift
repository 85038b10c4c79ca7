// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticPatterns

/// A pattern's frames from what it says, each worked out by itself and by looking at all of it: what rendering is held against.
public struct SlowRendering {
    public private(set) var frames: [Timeline.Frame] = []
    /// What is looked at, in the units of `WorkBudget`: 8 for each instant, 2 for each event and curve that sounds, 20 for a spring.
    public private(set) var cost = 0

    private let pattern: Pattern
    private var glides: [(start: Nanoseconds, end: Nanoseconds)] = []
    private var turns: Set<Nanoseconds> = []

    public init(_ pattern: Pattern) {
        self.pattern = pattern
        turns = [.zero, pattern.duration]
        for track in pattern.tracks {
            switch track.content {
            case .keyframes(let keyframes): addKeyframes(keyframes)
            case .events(let events): for event in events { addEvent(resolved(event)) }
            }
        }
        for curve in pattern.parameterCurves {
            for (a, b) in zip(curve.points, curve.points.dropFirst()) { add(a.at, b.at, isConstant: a.value == b.value) }
            turns.insert(curve.points.last!.at)
        }
        var last = Level.off
        for offset in offsets() {
            cost += 8
            var level = offset < pattern.duration ? self.level(at: offset) : .off
            if level.intensity.value < 0.002 { level = .off }
            if level != last { frames.append(.init(offset: offset, level: level)) }
            last = level
        }
    }

    private mutating func add(_ start: Nanoseconds, _ end: Nanoseconds, isConstant: Bool) {
        turns.formUnion([start, end])
        if !isConstant { glides.append((start, end)) }
    }

    private func offsets() -> [Nanoseconds] {
        var offsets: [Nanoseconds] = []
        let turns = turns.filter { $0 <= pattern.duration }.sorted()
        for (index, turn) in turns.enumerated() {
            offsets.append(turn)
            guard index + 1 < turns.count, glides.contains(where: { $0.start <= turn && turn < $0.end }) else { continue }
            var next = turn + .milliseconds(5)
            while next < turns[index + 1] {
                offsets.append(next)
                next += .milliseconds(5)
            }
        }
        return offsets
    }

    // MARK: Keyframes

    private typealias Motion = (intensity: Spring.State, sharpness: Spring.State)

    /// What each keyframe is reached with, and where from.
    private func segments(_ keyframes: [Keyframe]) -> [(before: Keyframe, to: Keyframe, from: Motion)] {
        func rest(_ keyframe: Keyframe) -> Motion {
            (
                .init(displacement: keyframe.intensity.value, velocity: 0),
                .init(displacement: keyframe.sharpness.value, velocity: 0)
            )
        }
        var from = rest(keyframes[0])
        var segments: [(before: Keyframe, to: Keyframe, from: Motion)] = []
        for (before, to) in zip(keyframes, keyframes.dropFirst()) {
            segments.append((before, to, from))
            if case .spring(let spring) = to.curve {
                from = motion(spring, before, to, from, at: to.at)
            } else {
                from = rest(to)
            }
        }
        return segments
    }

    private func motion(_ spring: Spring, _ before: Keyframe, _ to: Keyframe, _ from: Motion, at offset: Nanoseconds) -> Motion {
        func value(_ state: Spring.State, _ target: Double) -> Spring.State {
            let moved = spring.state(
                after: offset - before.at, from: .init(displacement: state.displacement - target, velocity: state.velocity))
            return .init(displacement: target + moved.displacement, velocity: moved.velocity)
        }
        return (value(from.intensity, to.intensity.value), value(from.sharpness, to.sharpness.value))
    }

    private mutating func addKeyframes(_ keyframes: [Keyframe]) {
        for (before, to, from) in segments(keyframes) {
            let isAtTarget =
                from.intensity.displacement == to.intensity.value && from.sharpness.displacement == to.sharpness.value
            switch to.curve {
            case .step: add(before.at, to.at, isConstant: true)
            case .spring:
                add(before.at, to.at, isConstant: isAtTarget && from.intensity.velocity == 0 && from.sharpness.velocity == 0)
            default: add(before.at, to.at, isConstant: isAtTarget)
            }
        }
    }

    private mutating func level(of keyframes: [Keyframe], at offset: Nanoseconds) -> (Double, Double) {
        guard let (before, to, from) = segments(keyframes).first(where: { $0.before.at <= offset && offset < $0.to.at }) else {
            return (0, 0)
        }
        cost += 2
        let u = Double((offset - before.at).count) / Double((to.at - before.at).count)
        let share: Double
        switch to.curve {
        case .step: share = 0
        case .linear: share = u
        case .easeIn: share = u * u
        case .easeOut: share = 1 - (1 - u) * (1 - u)
        case .easeInOut: share = u * u * (3 - 2 * u)
        case .spring(let spring):
            cost += 18
            let motion = motion(spring, before, to, from, at: offset)
            return (
                Intensity(clamping: abs(motion.intensity.displacement)).value,
                Sharpness(clamping: motion.sharpness.displacement).value
            )
        }
        let (a, b) = (from.intensity.displacement, from.sharpness.displacement)
        return (
            Intensity(clamping: abs(a + (to.intensity.value - a) * share)).value,
            Sharpness(clamping: b + (to.sharpness.value - b) * share).value
        )
    }

    // MARK: Events

    private func control(_ parameter: ParameterCurve.Parameter, at offset: Nanoseconds) -> Double? {
        let begun = pattern.parameterCurves.filter { $0.parameter == parameter && $0.points[0].at <= offset }
        guard let start = begun.map({ $0.points[0].at }).max() else { return nil }
        let points = begun.last { $0.points[0].at == start }!.points
        let passed = points.last { $0.at <= offset }!
        guard let next = points.first(where: { $0.at > offset }) else { return passed.value }
        return passed.value + (next.value - passed.value) * Double((offset - passed.at).count)
            / Double((next.at - passed.at).count)
    }

    private func resolved(_ event: HapticEvent) -> HapticEvent {
        func time(_ time: Nanoseconds, _ parameter: ParameterCurve.Parameter) -> Nanoseconds {
            max(.zero, time + (Nanoseconds(seconds: control(parameter, at: event.at) ?? 0) ?? .zero))
        }
        var event = event
        event.attack = time(event.attack, .attackTime)
        event.decay = time(event.decay, .decayTime)
        event.release = time(event.release, .releaseTime)
        return event
    }

    private func end(_ event: HapticEvent) -> Nanoseconds {
        guard case .continuous(let duration, _) = event.kind else { return event.at + .milliseconds(8) }
        return event.at + duration + event.release
    }

    private func envelope(_ event: HapticEvent, at offset: Nanoseconds) -> Double {
        guard offset >= event.at, offset < end(event) else { return 0 }
        guard case .continuous(let duration, let sustained) = event.kind else { return 1 }
        let elapsed = offset - event.at
        let inBody = min(elapsed, duration)
        var value = 1.0
        if inBody < event.attack {
            value = Double(inBody.count) / Double(event.attack.count)
        } else if !sustained {
            let fading = inBody - event.attack
            value = fading < event.decay ? 1 - Double(fading.count) / Double(event.decay.count) : 0
        }
        return elapsed > duration ? value * (1 - Double((elapsed - duration).count) / Double(event.release.count)) : value
    }

    private mutating func addEvent(_ event: HapticEvent) {
        var points = [event.at, end(event)]
        if case .continuous(let duration, let sustained) = event.kind {
            points.append(event.at + min(event.attack, duration))
            points.append(event.at + (sustained ? duration : min(duration, event.attack + event.decay)))
            points.append(event.at + duration)
        }
        points.sort()
        for (start, end) in zip(points, points.dropFirst()) where start < end {
            add(start, end, isConstant: envelope(event, at: start) == envelope(event, at: end - Nanoseconds(1)))
        }
    }

    // MARK: All

    private mutating func level(at offset: Nanoseconds) -> Level {
        // In the order in which rendering adds: keyframes first, events of a track by their starts.
        var added: [(Double, Double)] = []
        for case .keyframes(let keyframes) in pattern.tracks.map(\.content) { added.append(level(of: keyframes, at: offset)) }
        for case .events(let events) in pattern.tracks.map(\.content) {
            let sounding = events.map(resolved).sorted { $0.at < $1.at }.filter { $0.at <= offset && offset < end($0) }
            cost += 2 * sounding.count
            added += sounding.map { ($0.intensity.value * envelope($0, at: offset), $0.sharpness.value) }
        }
        let intensity = added.reduce(0.0) { $0 + $1.0 }
        guard intensity > 0 else { return .off }
        let weighted = added.reduce(0.0) { $0 + $1.0 * $1.1 }
        return Level(
            intensity: Intensity(clamping: intensity * (control(.intensity, at: offset) ?? 1)),
            sharpness: Sharpness(clamping: weighted / intensity + (control(.sharpness, at: offset) ?? 0)))
    }
}
