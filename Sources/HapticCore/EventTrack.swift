// SPDX-License-Identifier: MIT

/// Something that is felt at a point of a pattern, in the terms of Apple's AHAP: a tap, or a vibration with an envelope.
public struct HapticEvent: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// A tap of `HapticEvent.transientDuration`.
        case transient
        /// A vibration. `sustained`: it stays at its intensity until `duration`; else it falls to nothing in the decay time.
        case continuous(duration: Nanoseconds, sustained: Bool)
    }

    /// A single impulse of at most 20 ms feels crisp; pulses of 8 ms stay apart at 10 ms.
    public static let transientDuration = Nanoseconds.milliseconds(8)

    public var at: Nanoseconds
    public var kind: Kind
    public var intensity: Intensity
    public var sharpness: Sharpness
    /// From the start to full intensity; 0 or more. A transient has no envelope.
    public var attack: Nanoseconds
    /// From full intensity to nothing, where the event is not sustained; 0 or more.
    public var decay: Nanoseconds
    /// From the end of the duration to nothing; 0 or more.
    public var release: Nanoseconds

    public init(
        at: Nanoseconds, kind: Kind, intensity: Intensity, sharpness: Sharpness, attack: Nanoseconds = .zero,
        decay: Nanoseconds = .zero, release: Nanoseconds = .zero
    ) {
        self.at = at
        self.kind = kind
        self.intensity = intensity
        self.sharpness = sharpness
        self.attack = attack
        self.decay = decay
        self.release = release
    }

    var end: Nanoseconds {
        switch kind {
        case .transient: at + Self.transientDuration
        case .continuous(let duration, _): at + duration + release
        }
    }

    /// The points where the envelope bends, in ascending order, from the start to the end.
    var bends: [Nanoseconds] {
        guard case .continuous(let duration, let sustained) = kind else { return [at, end] }
        let faded = sustained ? duration : min(duration, attack + decay)
        return [at, at + min(attack, duration), at + faded, at + duration, end]
    }

    /// The envelope in 0…1, `elapsed` after the start.
    func envelope(after elapsed: Nanoseconds) -> Double {
        guard elapsed >= .zero, at + elapsed < end else { return 0 }
        guard case .continuous(let duration, let sustained) = kind else { return 1 }
        let shaped = body(after: min(elapsed, duration), sustained: sustained)
        guard elapsed > duration else { return shaped }
        return shaped * (1 - Double((elapsed - duration).count) / Double(release.count))
    }

    private func body(after elapsed: Nanoseconds, sustained: Bool) -> Double {
        if elapsed < attack { return Double(elapsed.count) / Double(attack.count) }
        if sustained { return 1 }
        let fading = elapsed - attack
        return fading < decay ? 1 - Double(fading.count) / Double(decay.count) : 0
    }
}

/// One of the controls that shape all events and keyframes of a pattern over its whole length.
public struct ParameterCurve: Hashable, Sendable {
    public enum Parameter: Hashable, Sendable {
        /// Multiplies the intensity; points in 0…1.
        case intensity
        /// Added to the sharpness; points in −1…1.
        case sharpness
        /// Added to an event's times, in seconds; the value at the event's start counts.
        case attackTime, decayTime, releaseTime
    }

    public struct Point: Hashable, Sendable {
        public var at: Nanoseconds
        public var value: Double

        public init(at: Nanoseconds, value: Double) {
            self.at = at
            self.value = value
        }
    }

    public var parameter: Parameter
    /// In ascending order of time, not empty; linear between, the last one's value holds from then on.
    public var points: [Point]

    public init(parameter: Parameter, points: [Point]) {
        self.parameter = parameter
        self.points = points
    }

    /// Nil before the first point: the curve has not begun.
    func value(at offset: Nanoseconds) -> Double? {
        let begun = points.countOfPrefix { $0.at <= offset }
        guard begun > 0 else { return nil }
        guard begun < points.count else { return points[begun - 1].value }
        let (a, b) = (points[begun - 1], points[begun])
        return a.value + (b.value - a.value) * Double((offset - a.at).count) / Double((b.at - a.at).count)
    }
}

extension [ParameterCurve] {
    /// The control of `parameter` at `offset`: that of the curve that began last. Nil where none has begun.
    func value(of parameter: ParameterCurve.Parameter, at offset: Nanoseconds) -> Double? {
        var best: (start: Nanoseconds, value: Double)?
        for curve in self where curve.parameter == parameter {
            guard let value = curve.value(at: offset) else { continue }
            if best.map({ $0.start <= curve.points[0].at }) ?? true { best = (curve.points[0].at, value) }
        }
        return best?.value
    }
}

/// Events side by side. Where they overlap their intensities add up, and the stronger one sets more of the sharpness.
struct EventTrack: Hashable, Sendable {
    /// In the order of their starts.
    private let events: [HapticEvent]
    /// The latest end of each event and those before it: it tells how far back one that still sounds may be.
    private let latestEnds: [Nanoseconds]

    var duration: Nanoseconds { latestEnds.last ?? .zero }

    /// The envelope times take the curves' values at each event's start.
    init(_ events: [HapticEvent], curves: [ParameterCurve]) {
        let resolved = events.map { event in
            var event = event
            func adjusted(_ time: Nanoseconds, _ parameter: ParameterCurve.Parameter) -> Nanoseconds {
                let extra = curves.value(of: parameter, at: event.at).flatMap(Nanoseconds.init(seconds:)) ?? .zero
                return max(.zero, time + extra)
            }
            event.attack = adjusted(event.attack, .attackTime)
            event.decay = adjusted(event.decay, .decayTime)
            event.release = adjusted(event.release, .releaseTime)
            return event
        }
        let inOrder = resolved.sorted { $0.at < $1.at }
        var latest = Nanoseconds.zero
        latestEnds = inOrder.map { event in
            latest = max(latest, event.end)
            return latest
        }
        self.events = inOrder
    }

    /// O(log(events) + those since the first that still sounds).
    func mix(at offset: Nanoseconds, into mixer: inout LevelMixer) {
        let begun = events.countOfPrefix { $0.at <= offset }
        let over = latestEnds[..<begun].countOfPrefix { $0 <= offset }
        for event in events[over..<begun] {
            mixer.add(event.intensity.value * event.envelope(after: offset - event.at), event.sharpness.value)
        }
    }

    func forEachStretch(_ body: (_ start: Nanoseconds, _ end: Nanoseconds, _ isConstant: Bool) -> Void) {
        for event in events {
            let bends = event.bends
            for (start, end) in zip(bends, bends.dropFirst()) where start < end {
                let isConstant = event.envelope(after: start - event.at) == event.envelope(after: end - event.at - Nanoseconds(1))
                body(start, end, isConstant)
            }
        }
    }
}

/// Adds levels: intensities add up and are cut at 1, sharpness is their mean weighted by intensity.
struct LevelMixer {
    private var intensity = 0.0
    private var weightedSharpness = 0.0

    mutating func add(_ intensity: Double, _ sharpness: Double) {
        self.intensity += intensity
        weightedSharpness += intensity * sharpness
    }

    /// The sum, with the intensity multiplied and the sharpness shifted by the pattern's controls.
    func level(intensityControl: Double?, sharpnessControl: Double?) -> Level {
        guard intensity > 0 else { return .off }
        return Level(
            intensity: Intensity(clamping: intensity * (intensityControl ?? 1)),
            sharpness: Sharpness(clamping: weightedSharpness / intensity + (sharpnessControl ?? 0)))
    }
}
