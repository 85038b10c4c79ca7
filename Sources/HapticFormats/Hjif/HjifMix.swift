// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON
internal import HapticPatterns

/// What the effects of a file of HJIF come to.
struct HjifMix {
    private let timescale: Double
    private let mostKeyframes: Int
    private let notes: DocumentReport
    private(set) var taps: [HapticEvent] = []
    /// Of each keyframe; of one that is referred to, where it is.
    private(set) var places: [EntryPlace] = []
    /// Waves and curves; none is empty.
    private var vibrations: [[LevelPoint]] = []
    private var keyframes = 0
    private var channels = 0
    private var noted: Set<Note> = []

    /// What is noted once.
    private enum Note: String {
        case channels = "several channels are added up: a pattern has one"
        case waveform = "the waveform of a wave is left out: a motor has its own"
        case length = "an effect of no length is left out"
        case amplitude = "an amplitude times its gain is above 1 and taken as 1"
        case frequency = "frequencies below 65 Hz are taken as 65 Hz, and above 300 Hz as 300 Hz"
    }

    /// Of all effects, with a reference's counted wherever it is referred to: as many as the tracks of a pattern could hold.
    static let mostKeyframes = Pattern.Limit.tracks * Pattern.Limit.entriesPerTrack

    /// The same on the wire: what refers to little, often, is paid for by its bytes alone.
    static let mostKeyframesOfLine = Pattern.Limit.composedEntries

    init(timescale: Int, mostKeyframes: Int, notes: DocumentReport) {
        self.timescale = Double(timescale)
        self.mostKeyframes = mostKeyframes
        self.notes = notes
    }

    /// False where something in it is not usable, which has been reported.
    mutating func add(_ channel: HjifChannel, library: [Int: HjifEffect]) -> Bool {
        channels += 1
        if channels > 1 { note(.channels, channel.reader) }
        let gain = channel.gain * channel.mixingCoefficient
        for band in channel.bands {
            for effect in band.effects {
                guard let basis = basis(of: effect, library: library), add(basis, from: effect, in: band, gain: gain) else {
                    return false
                }
            }
        }
        return true
    }

    private mutating func note(_ note: Note, _ reader: NodeReader?) {
        guard noted.insert(note).inserted else { return }
        notes.add(note.rawValue, at: reader?.node.mark, path: reader?.path ?? "")
    }

    /// What holds the keyframes of `effect`. An effect of the library refers to no other, so there are no circles.
    private func basis(of effect: HjifEffect, library: [Int: HjifEffect]) -> HjifEffect? {
        guard effect.kind == .reference else { return effect }
        guard let id = effect.id else {
            effect.reader?.fail("an effect of the type `Reference` needs the `id` of one in `effect_library`")
            return nil
        }
        guard let basis = library[id] else {
            effect.reader?.fail("there is no effect with the id \(id) in the perception's `effect_library`")
            return nil
        }
        return basis
    }

    /// `basis` at the position of `effect`, whose own it may be.
    private mutating func add(_ basis: HjifEffect, from effect: HjifEffect, in band: HjifBand, gain: Double) -> Bool {
        let frames = basis.keyframes ?? []
        keyframes += frames.count
        guard keyframes <= mostKeyframes else {
            effect.reader?.fail("with this effect there are more than \(mostKeyframes) keyframes; leave some out")
            return false
        }
        if basis.baseSignal != .sine { note(.waveform, basis.reader) }
        var times: [Nanoseconds] = []
        for frame in frames {
            let ticks = effect.position + frame.relativePosition
            // trap: positions are bounded where they are read: at most 67 days.
            let time = Nanoseconds(seconds: Double(ticks) / timescale)!
            guard time <= Pattern.Limit.duration else {
                effect.reader?.fail("it lasts until \(time) after the start; at most \(Pattern.Limit.duration) are allowed")
                return false
            }
            times.append(time)
            let isOwn = effect.kind == .basis
            if let reader = isOwn ? frame.reader : effect.reader { places.append(EntryPlace(at: time, reader)) }
        }
        let timed = Array(zip(times, frames))
        if band.kind == .transient { return addTaps(timed, in: band, gain: gain) }
        return addVibration(
            timed, start: Nanoseconds(seconds: Double(effect.position) / timescale) ?? .zero, in: band, gain: gain, effect)
    }

    private mutating func addTaps(_ frames: [(at: Nanoseconds, frame: HjifKeyframe)], in band: HjifBand, gain: Double) -> Bool {
        for (at, frame) in frames {
            guard let amplitude = frame.amplitude else {
                frame.reader?.fail("a keyframe of a transient needs its `amplitude_modulation`")
                return false
            }
            guard amplitude != 0 else { continue }
            taps.append(
                HapticEvent(
                    at: at, kind: .transient, intensity: Intensity(clamping: intensity(amplitude, gain, frame.reader)),
                    sharpness: Sharpness(clamping: sharpness(frame.frequency, in: band, frame.reader))))
        }
        return true
    }

    /// The first value of each kind counts from the start, the last one to the end.
    private mutating func addVibration(
        _ frames: [(at: Nanoseconds, frame: HjifKeyframe)], start: Nanoseconds, in band: HjifBand, gain: Double,
        _ effect: HjifEffect
    ) -> Bool {
        for (a, b) in zip(frames, frames.dropFirst()) where b.at < a.at {
            b.frame.reader?.fail("it is before the keyframe before; put keyframes in the order of their `relative_position`")
            return false
        }
        var strengths: [Envelope.Point] = []
        var sharpnesses: [Envelope.Point] = []
        for (at, frame) in frames {
            if let amplitude = frame.amplitude {
                strengths.append(Envelope.Point(at: at, value: intensity(amplitude, gain, frame.reader)))
            }
            if band.kind == .wave, frame.frequency != nil {
                sharpnesses.append(Envelope.Point(at: at, value: sharpness(frame.frequency, in: band, frame.reader)))
            }
        }
        // A wave lasts until its last keyframe, a curve until its last value.
        guard let end = band.kind == .wave ? frames.last?.at : strengths.last?.at, end > start else {
            note(.length, effect.reader)
            return true
        }
        if strengths.isEmpty { strengths = [Envelope.Point(at: start, value: intensity(1, gain, effect.reader))] }
        if sharpnesses.isEmpty { sharpnesses = [Envelope.Point(at: start, value: sharpness(nil, in: band, effect.reader))] }
        var points = [LevelPoint](intensity: Self.held(strengths, start, end), sharpness: Envelope(points: sharpnesses))
        for index in points.indices { points[index].curve = band.curve }
        vibrations.append(points)
        return true
    }

    /// From `start` to `end`. `points` are not empty and between them.
    private static func held(_ points: [Envelope.Point], _ start: Nanoseconds, _ end: Nanoseconds) -> Envelope {
        var points = points
        if points[0].at > start { points.insert(Envelope.Point(at: start, value: points[0].value), at: 0) }
        let last = points[points.count - 1]
        if last.at < end { points.append(Envelope.Point(at: end, value: last.value)) }
        return Envelope(points: points)
    }

    // MARK: Values

    private mutating func intensity(_ amplitude: Double, _ gain: Double, _ reader: NodeReader?) -> Double {
        let intensity = abs(amplitude) * gain
        if intensity > 1 { note(.amplitude, reader) }
        return min(intensity, 1)
    }

    /// What MPEG's reference encoder makes of AHAP's sharpness: 65 Hz at 0, 300 Hz at 1 (`AhapEncoder.cpp`).
    static let (lowest, span) = (65.0, 235.0)

    /// Without a frequency that of the band's middle, and without that the middle of all.
    private mutating func sharpness(_ frequency: Double?, in band: HjifBand, _ reader: NodeReader?) -> Double {
        guard let frequency = frequency ?? band.middle else { return 0.5 }
        let sharpness = (frequency - Self.lowest) / Self.span
        if sharpness < 0 || sharpness > 1 { note(.frequency, reader) }
        return min(max(sharpness, 0), 1)
    }

    // MARK: Tracks

    /// The vibrations in as few lanes as hold them one after another; nil where there are more than `most`.
    func lanes(atMost most: Int) -> [[LevelPoint]]? {
        var lanes: [[LevelPoint]] = []
        for vibration in vibrations.sorted(by: { $0[0].at < $1[0].at }) {
            if let free = lanes.firstIndex(where: { $0[$0.count - 1].at <= vibration[0].at }) {
                lanes[free].append(later: vibration)
            } else {
                guard lanes.count < most else { return nil }
                lanes.append(vibration)
            }
        }
        return lanes
    }
}
