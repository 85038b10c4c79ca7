// SPDX-License-Identifier: MIT
public import HapticCore

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

    /// When it has ended, its release included.
    public var end: Nanoseconds {
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

    /// The last stretch ends with the pattern. What a look at a curve costs is part of the frame's cost.
    func forEachStretch(until end: Nanoseconds, _ body: (Stretch) -> Void) {
        for (a, b) in zip(points, points.dropFirst()) {
            body(Stretch(start: a.at, end: b.at, isConstant: a.value == b.value, cost: 0))
        }
        body(Stretch(start: points[points.count - 1].at, end: end, isConstant: true, cost: 0))
    }
}

/// What the curves of one parameter come to: at any time that one counts that began last.
package struct ParameterControl: Hashable, Sendable {
    /// In the order of their beginnings, no two of which are at one instant.
    private let curves: [ParameterCurve]

    package init(_ parameter: ParameterCurve.Parameter, of all: [ParameterCurve]) {
        // Sorting is stable, and of those that begin at one instant the last one counts.
        let inOrder = all.filter { $0.parameter == parameter }.sorted { $0.points[0].at < $1.points[0].at }
        curves = inOrder.indices.filter { $0 + 1 == inOrder.count || inOrder[$0].points[0].at < inOrder[$0 + 1].points[0].at }
            .map { inOrder[$0] }
    }

    /// Nil where no curve has begun. O(log(curves) + log(points)).
    package func value(at offset: Nanoseconds) -> Double? {
        let begun = curves.countOfPrefix { $0.points[0].at <= offset }
        return begun == 0 ? nil : curves[begun - 1].value(at: offset)
    }
}

/// Events side by side. Where they overlap their intensities add up, and the stronger one sets more of the sharpness.
struct EventTrack: Hashable, Sendable {
    /// In the order of their starts.
    fileprivate let events: [HapticEvent]
    /// To the end of the last one.
    let duration: Nanoseconds
    /// From the start of the first one to the end of the last; more than 0.
    let length: Nanoseconds
    var count: Int { events.count }

    /// The envelope times take the curves' values at each event's start.
    init(_ events: [HapticEvent], curves: [ParameterCurve]) {
        let extra = (
            attack: ParameterControl(.attackTime, of: curves), decay: ParameterControl(.decayTime, of: curves),
            release: ParameterControl(.releaseTime, of: curves)
        )
        let resolved = events.map { event in
            var event = event
            func adjusted(_ time: Nanoseconds, _ control: ParameterControl) -> Nanoseconds {
                max(.zero, time + (control.value(at: event.at).flatMap(Nanoseconds.init(seconds:)) ?? .zero))
            }
            event.attack = adjusted(event.attack, extra.attack)
            event.decay = adjusted(event.decay, extra.decay)
            event.release = adjusted(event.release, extra.release)
            return event
        }
        self.events = resolved.sorted { $0.at < $1.at }
        duration = resolved.reduce(.zero) { max($0, $1.end) }
        // An event of no length is not felt, and the layer's length is what others are divided by.
        length = max(duration - (self.events.first?.at ?? .zero), Nanoseconds(1))
    }

    /// Goes through the track forward in time.
    struct Cursor {
        private let events: [HapticEvent]
        private var begun = 0
        /// Those that have begun and not ended, in the order of their starts.
        private var sounding: [HapticEvent] = []
        private var nextEnd = Nanoseconds(.max)

        init(_ track: EventTrack) { events = track.events }

        /// Adds what sounds at `offset`, which is not before the one before, `gain` times as strong.
        mutating func mix(at offset: Nanoseconds, gain: Double, into mixer: inout LevelMixer) {
            while begun < events.count, events[begun].at <= offset {
                sounding.append(events[begun])
                nextEnd = min(nextEnd, events[begun].end)
                begun += 1
            }
            if nextEnd <= offset {
                sounding.removeAll { $0.end <= offset }
                nextEnd = sounding.reduce(Nanoseconds(.max)) { min($0, $1.end) }
            }
            for event in sounding {
                mixer.add(gain * event.intensity.value * event.envelope(after: offset - event.at), event.sharpness.value)
            }
        }
    }

    func forEachStretch(_ body: (Stretch) -> Void) {
        for event in events {
            let bends = event.bends
            for (start, end) in zip(bends, bends.dropFirst()) where start < end {
                let isConstant = event.envelope(after: start - event.at) == event.envelope(after: end - event.at - Nanoseconds(1))
                body(Stretch(start: start, end: end, isConstant: isConstant, cost: WorkBudget.Cost.entry))
            }
        }
    }
}
