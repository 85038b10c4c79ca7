// SPDX-License-Identifier: MIT
internal import HapticCore

/// All that a pattern plays, put in order so that it can be gone through in time.
struct Score: Hashable, Sendable {
    private struct Layer<Track: Hashable & Sendable>: Hashable, Sendable {
        var track: Track
        /// The gain of the layer times what it weighs in the sum.
        var gain: Double
    }

    private let keyframes: [Layer<KeyframeTrack>]
    private let events: [Layer<EventTrack>]
    /// In the order of their starts.
    private let voices: [Voice]
    private let sum: LayerSum
    private let intensity, sharpness: ParameterControl
    private let schedule: Schedule
    let duration: Nanoseconds
    /// Keyframes, events and points of curves, as often as each is played.
    let entries: Int
    /// How many patterns are within each other, this one included.
    let depth: Int

    /// Layers at the same time. `Pattern` has checked them.
    init(_ tracks: [Pattern.Track], _ curves: [ParameterCurve], _ parts: [Pattern.Part], _ sum: LayerSum) {
        var keyframes: [Layer<KeyframeTrack>] = []
        var events: [Layer<EventTrack>] = []
        for track in tracks {
            switch track.content {
            case .keyframes(let frames): keyframes.append(Layer(track: KeyframeTrack(frames), gain: track.gain.value))
            case .events(let list): events.append(Layer(track: EventTrack(list, curves: curves), gain: track.gain.value))
            }
        }
        var voices = Voice.voices(of: parts)
        let lengths = keyframes.map(\.track.length) + events.map(\.track.length) + voices.map(\.score.duration)
        let shortest = lengths.min() ?? .zero
        for index in keyframes.indices {
            keyframes[index].gain *= sum.weight(of: keyframes[index].track.length, shortest: shortest)
        }
        for index in events.indices { events[index].gain *= sum.weight(of: events[index].track.length, shortest: shortest) }
        for index in voices.indices { voices[index].gain *= sum.weight(of: voices[index].score.duration, shortest: shortest) }
        self.init(keyframes, events, voices, sum, curves)
    }

    /// One after another, each once.
    init(_ phases: [Pattern.Phase]) {
        var voices: [Voice] = []
        for phase in phases { voices.append(Voice(phase.pattern.score, at: voices.last?.end ?? .zero)) }
        self.init([], [], voices, .plain, [])
    }

    private init(
        _ keyframes: [Layer<KeyframeTrack>], _ events: [Layer<EventTrack>], _ voices: [Voice], _ sum: LayerSum,
        _ curves: [ParameterCurve]
    ) {
        (self.keyframes, self.events, self.voices, self.sum) = (keyframes, events, voices, sum)
        intensity = ParameterControl(.intensity, of: curves)
        sharpness = ParameterControl(.sharpness, of: curves)
        let ends = keyframes.map(\.track.duration) + events.map(\.track.duration) + voices.map(\.end)
        let duration = ends.max() ?? .zero
        schedule = Schedule(duration: duration) { body in
            for layer in keyframes { layer.track.forEachStretch(body) }
            for layer in events { layer.track.forEachStretch(body) }
            for voice in voices { voice.forEachStretch(body) }
            for curve in curves { curve.forEachStretch(until: duration, body) }
        }
        self.duration = duration
        let own = keyframes.map(\.track.count) + events.map(\.track.count) + curves.map(\.points.count)
        entries = (own + voices.map(\.score.entries)).reduce(0, +)
        depth = voices.reduce(0) { max($0, $1.score.depth) } + 1
    }

    /// What it takes to look at all that sounds, at each offset.
    var cost: Int { schedule.cost }

    /// Where the level may change, in ascending order.
    func forEachOffset(_ body: (Nanoseconds) -> Void) { schedule.forEachOffset(body) }

    fileprivate func forEachStretch(_ body: (Stretch) -> Void) { schedule.forEachStretch(body) }

    /// Goes through a score forward in time.
    struct Cursor {
        private var keyframes: [(cursor: KeyframeTrack.Cursor, gain: Double)]
        private var events: [(cursor: EventTrack.Cursor, gain: Double)]
        private let voices: [Voice]
        private var begun = 0
        /// Those that have begun and not ended, in the order of their starts.
        private var sounding: [(voice: Voice, cursor: Cursor)] = []
        private let sum: LayerSum
        private let intensity, sharpness: ParameterControl

        init(_ score: Score) {
            keyframes = score.keyframes.map { (KeyframeTrack.Cursor($0.track), $0.gain) }
            events = score.events.map { (EventTrack.Cursor($0.track), $0.gain) }
            (voices, sum) = (score.voices, score.sum)
            (intensity, sharpness) = (score.intensity, score.sharpness)
        }

        /// The level at `offset`, which is not before the one before.
        mutating func level(at offset: Nanoseconds) -> Level {
            var mixer = LevelMixer(sum)
            for index in keyframes.indices {
                let level = keyframes[index].cursor.level(at: offset)
                mixer.add(level.intensity.value * keyframes[index].gain, level.sharpness.value)
            }
            for index in events.indices { mixEvents(index, at: offset, into: &mixer) }
            while begun < voices.count, voices[begun].start <= offset {
                sounding.append((voices[begun], Cursor(voices[begun].score)))
                begun += 1
            }
            sounding.removeAll { $0.voice.end <= offset }
            for index in sounding.indices {
                let voice = sounding[index].voice
                let level = sounding[index].cursor.level(at: offset - voice.start)
                mixer.add(level.intensity.value * voice.gain, (voice.sharpness ?? level.sharpness).value)
            }
            return mixer.level(intensityControl: intensity.value(at: offset), sharpnessControl: sharpness.value(at: offset))
        }

        private mutating func mixEvents(_ index: Int, at offset: Nanoseconds, into mixer: inout LevelMixer) {
            switch sum {
            case .plain: events[index].cursor.mix(at: offset, gain: events[index].gain, into: &mixer)
            case .glow:
                // The events of a track add up; what they come to is the layer.
                var track = LevelMixer()
                events[index].cursor.mix(at: offset, gain: 1, into: &track)
                let level = track.level()
                mixer.add(level.intensity.value * events[index].gain, level.sharpness.value)
            }
        }
    }
}

/// A pattern that sounds within another one, once.
struct Voice: Hashable, Sendable {
    let score: Score
    let start: Nanoseconds
    /// Its intensity times what it weighs in the sum.
    var gain: Double
    /// In place of its own.
    let sharpness: Sharpness?

    init(_ score: Score, at start: Nanoseconds, gain: Double = 1, sharpness: Sharpness? = nil) {
        self.score = score
        self.start = start
        self.gain = gain
        self.sharpness = sharpness
    }

    var end: Nanoseconds { start + score.duration }

    /// All repetitions of all parts, in the order of their starts.
    static func voices(of parts: [Pattern.Part]) -> [Voice] {
        var voices: [Voice] = []
        var end = Nanoseconds.zero
        for part in parts {
            let start = part.start(after: end)
            end = start + part.length
            for repetition in 0..<part.repetitions {
                voices.append(
                    Voice(
                        part.pattern.score, at: start + part.interval * repetition, gain: part.intensity.value,
                        sharpness: part.sharpness))
            }
        }
        return voices.sorted { $0.start < $1.start }
    }

    /// What sounds in it, and the look at what that comes to.
    func forEachStretch(_ body: (Stretch) -> Void) {
        body(Stretch(start: start, end: end, isConstant: true, cost: WorkBudget.Cost.frame))
        score.forEachStretch { stretch in
            var stretch = stretch
            (stretch.start, stretch.end) = (start + stretch.start, start + stretch.end)
            body(stretch)
        }
    }
}
