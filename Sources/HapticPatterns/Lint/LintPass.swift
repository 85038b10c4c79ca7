// SPDX-License-Identifier: MIT
public import HapticCore

/// One pass over what is felt of a pattern, beat by beat.
struct LintPass {
    private typealias Limit = PatternLint.Limit
    private typealias Frames = ArraySlice<Timeline.Frame>

    private let pattern: Pattern
    private let timeline: Timeline
    private let isCall: Bool
    private let path: String
    /// What is felt without a pause: frames that are on, and the one that is off after them.
    private let beats: [Frames]

    /// `path`: where the pattern stands in the one that is looked at.
    init(_ pattern: Pattern, isCall: Bool, within path: String) {
        self.pattern = pattern
        self.isCall = isCall
        self.path = path
        timeline = Timeline(pattern)
        beats = timeline.beats
    }

    var isFelt: Bool { !beats.isEmpty }

    /// Too long, held too long, too many beats.
    var ofTime: [PatternLint.Finding] {
        guard !isCall else { return [] }
        return [tooLong, held, cascade].compactMap { $0 }
    }

    private var tooLong: PatternLint.Finding? {
        guard timeline.felt > Limit.message else { return nil }
        return .init(
            rule: .tooLong, path: path, at: nil,
            reason: "it is felt for \(timeline.felt.words); only what calls for someone takes more than \(Limit.message.words)",
            wayOut: "make it shorter, or write `call: true` if it calls for someone")
    }

    private var held: PatternLint.Finding? {
        for beat in beats {
            var first = beat.startIndex
            for index in beat.indices.dropFirst() where isChange(from: beat[first].level, to: beat[index].level) {
                let (start, frame) = (beat[first], beat[index])
                guard frame.offset - start.offset <= Limit.held || isGlide(beat[first...index]) else {
                    return .init(
                        rule: .notInterruptible, path: entry(at: start.offset), at: time(start.offset),
                        reason:
                            "it stays at one level for \((frame.offset - start.offset).words); what interrupts it after \(Limit.held.words) cuts it, and nobody feels where it would have led",
                        wayOut: "let it swell or fade (`easeOut`, a spring), pause, or hold it in a phase with `until: released`")
                }
                first = index
            }
        }
        return nil
    }

    /// It goes the same way in each frame, however slowly.
    private func isGlide(_ frames: Frames) -> Bool {
        let steps = zip(frames, frames.dropFirst()).map { a, b in
            (time: b.offset - a.offset, rise: b.level.intensity.value - a.level.intensity.value)
        }
        // That it is cut off at last changes nothing of how it came there.
        let ways = frames.last?.level.isOn == false ? steps.dropLast() : steps[...]
        return steps.allSatisfy { $0.time <= Timeline.frameInterval }
            && (ways.allSatisfy { $0.rise > 0 } || ways.allSatisfy { $0.rise < 0 })
    }

    private func isChange(from a: Level, to b: Level) -> Bool {
        !b.isOn || abs(a.intensity.value - b.intensity.value) >= Limit.intensity
    }

    private var cascade: PatternLint.Finding? {
        guard beats.count >= Limit.cascadeBeats, let first = beats[0].first?.offset else { return nil }
        let length = timeline.felt - first
        guard let late = beats.first(where: { end(of: $0) - first > Limit.cascade }) else { return nil }
        let offset = late[late.startIndex].offset
        return .init(
            rule: .cascade, path: entry(at: offset), at: time(offset),
            reason:
                "its \(beats.count) beats take \(length.words); a cascade of more than \(Limit.cascade.words) keeps people waiting",
            wayOut: "use fewer beats or shorter gaps, or write `call: true` if it calls for someone")
    }

    /// A light that may harm who sees it.
    var ofFlashes: [PatternLint.Finding] {
        let flashes = timeline.flashes
        guard let fourth = FlashBound.firstTooMany(in: flashes) else { return [] }
        let (first, last) = (flashes[fourth - FlashBound.most], flashes[fourth])
        return [
            .init(
                rule: .flashes, path: entry(at: last), at: time(last),
                reason:
                    "a light that shows it flashes \(FlashBound.most + 1) times from \(first.words) to \(last.words); more than \(FlashBound.most) in a second can harm",
                wayOut: "leave 400 ms from the start of one flash to the next, or use fewer")
        ]
    }

    private func end(of beat: Frames) -> Nanoseconds { beat[beat.endIndex - 1].offset }

    /// A difference that only sharpness makes: within a beat, or between two.
    var ofSharpness: [PatternLint.Finding] {
        if let offset = beats.lazy.compactMap(offsetOfSharpnessAlone).first {
            let reason = "from here on only the sharpness changes, which most motors cannot vary: there nothing is felt"
            return [sharpnessAlone(at: offset, reason)]
        }
        var twins = BeatTwins()
        for beat in beats {
            guard let other = twins.twin(of: beat) else { continue }
            let offset = beat[beat.startIndex].offset
            let both = "the beats at \(other[other.startIndex].offset.words) and \(offset.words)"
            let reason = "\(both) differ in sharpness alone, which most motors cannot vary: there they are one"
            return [sharpnessAlone(at: offset, reason)]
        }
        return []
    }

    private func sharpnessAlone(at offset: Nanoseconds, _ reason: String) -> PatternLint.Finding {
        .init(
            rule: .sharpnessAlone, path: entry(at: offset), at: time(offset), reason: reason,
            wayOut: "let the strength, the length or the rhythm differ as well")
    }

    /// Where in a beat the sharpness has changed while the intensity has stayed.
    private func offsetOfSharpnessAlone(_ beat: Frames) -> Nanoseconds? {
        var start = beat[beat.startIndex].level
        for frame in beat.dropFirst() {
            if isChange(from: start, to: frame.level) {
                start = frame.level
            } else if abs(frame.level.sharpness.value - start.sharpness.value) >= Limit.sharpness {
                return frame.offset
            }
        }
        return nil
    }

    /// Nil: the pattern stands in another one, and begins at a time that is not known here.
    private func time(_ offset: Nanoseconds) -> Nanoseconds? { path.isEmpty ? offset : nil }

    /// The entry of the pattern that began last at `offset`.
    private func entry(at offset: Nanoseconds) -> String {
        let inPattern = pattern.entry(at: offset)
        return path.isEmpty || inPattern.isEmpty ? path + inPattern : "\(path).\(inPattern)"
    }
}

extension Pattern {
    /// The path of the entry that began last at `offset`: of a track, of `compose`, or of the phases; empty where there is none.
    public func entry(at offset: Nanoseconds) -> String {
        var found: (at: Nanoseconds, path: String)?
        func consider(_ at: Nanoseconds, _ path: String) {
            if at <= offset, found.map({ $0.at < at }) ?? true { found = (at, path) }
        }
        for (number, track) in tracks.enumerated() {
            switch track.content {
            case .keyframes(let frames):
                for (index, frame) in frames.enumerated() { consider(frame.at, "tracks[\(number)].keyframes[\(index)]") }
            case .events(let events):
                for (index, event) in events.enumerated() { consider(event.at, "tracks[\(number)].events[\(index)]") }
            }
        }
        var end = Nanoseconds.zero
        for (index, part) in parts.enumerated() {
            let start = part.start(after: end)
            end = start + part.length
            for repetition in 0..<part.repetitions { consider(start + part.interval * repetition, "compose[\(index)]") }
        }
        var start = Nanoseconds.zero
        for (index, phase) in phases.enumerated() {
            consider(start, "phases[\(index)]")
            start += phase.pattern.duration
        }
        return found?.path ?? ""
    }
}
