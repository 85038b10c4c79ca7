// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns
internal import HapticText

/// Every time in a pattern lies in this range.
let patternTime = Form<Nanoseconds>.duration(in: .zero...Pattern.Limit.duration)

/// A layer that is written down in the pattern itself.
struct TrackDraft {
    private var keyframes, events: NodeReader?
    private var gain = Intensity.one

    private static let keyframesForm = Form<[NodeReader]>.list(
        of: .object(of: KeyframeDraft.keys), count: 2...Pattern.Limit.entriesPerTrack)
    private static let eventsForm = Form<[HapticEvent]>.list(of: EventDraft.form, count: 1...Pattern.Limit.entriesPerTrack)

    private static let keys: [Key<Self>] = [
        .optional("keyframes", keyframesForm.unread, "a curve from each to the next") { $0.keyframes = $1 },
        .optional("events", eventsForm.unread, "taps, and vibrations with an envelope") { $0.events = $1 },
        .optional("gain", .share(Intensity.self), "how strong the track is among the others; 1 without it") { $0.gain = $1 },
    ]

    static let form = Form<Pattern.Track>.object(keys, into: Self()) { draft, reader in
        switch (draft.keyframes, draft.events) {
        case (let keyframes?, nil):
            return curve(keyframes).flatMap { KeyframeDraft.keyframes($0) }.map { .keyframes($0, gain: draft.gain) }
        case (nil, let events?): return eventsForm.read(events).map { .events($0, gain: draft.gain) }
        case (nil, nil), (_?, _?):
            reader.fail("a track has either `keyframes` or `events`")
            return nil
        }
    }.described(as: .either(keys[..<2].map { .object([$0.member.required, keys[2].member]) }))
}

extension TrackDraft {
    private static func curve(_ keyframes: NodeReader) -> [NodeReader]? {
        guard case .list(let items) = keyframes.node.content, items.count == 1 else { return keyframesForm.read(keyframes) }
        let end = keyframes.notation == .units ? "{ at: 100ms, intensity: 0 }" : #"{"atMs": 100, "intensity": 0}"#
        keyframes.fail("one keyframe makes no curve; add the one at its end, such as `\(end)`")
        return nil
    }
}

/// A track, or a piece of one, in a part of a pattern.
struct TrackPartDraft {
    private var keyframes, events: NodeReader?
    private var gain: Intensity?
    private var isContinued = false

    private static let entries = 1...Pattern.Limit.entriesPerTrack
    private static let keyframesForm = Form<[NodeReader]>.list(of: .object(of: KeyframeDraft.keys), count: entries)
    private static let eventsForm = Form<[HapticEvent]>.list(of: EventDraft.form, count: entries)

    private static let keys: [Key<Self>] = [
        .optional("keyframes", keyframesForm.unread, "a curve from each to the next") { $0.keyframes = $1 },
        .optional("events", eventsForm.unread, "taps, and vibrations with an envelope") { $0.events = $1 },
        .optional("gain", .share(Intensity.self), "how strong the track is among the others; 1 without it") { $0.gain = $1 },
        .optional("continued", .boolean, "it continues the last track of the part before") { $0.isContinued = $1 },
    ]

    static let members = keys.map(\.member)

    /// Reads a track. A track that continues `last`, the last one of the part before, includes the entries of `last`.
    static func read(_ reader: NodeReader, after last: Pattern.Track?) -> (track: Pattern.Track, isContinued: Bool)? {
        reader.object(keys, into: Self()) { draft, reader in
            draft.track(reader, after: draft.isContinued ? last : nil).map { (track: $0, isContinued: draft.isContinued) }
        }
    }

    private func track(_ reader: NodeReader, after last: Pattern.Track?) -> Pattern.Track? {
        if isContinued, last == nil {
            reader.fail(
                "there is no track to continue: only the first track of a part continues the last one of the part before"
            )
            return nil
        }
        if isContinued, gain != nil {
            reader.fail("`gain` belongs to the beginning of the track; leave it out here")
            return nil
        }
        let gain = last?.gain ?? gain ?? .one
        switch (keyframes, events, last?.content) {
        case (let list?, nil, nil), (let list?, nil, .keyframes?):
            var before: [Keyframe] = []
            if case .keyframes(let keyframes)? = last?.content { before = keyframes }
            let read = Self.keyframesForm.read(list).flatMap { KeyframeDraft.keyframes($0, after: before.last) }
            return read.map { .keyframes(before + $0, gain: gain) }
        case (nil, let list?, nil), (nil, let list?, .events?):
            var before: [HapticEvent] = []
            if case .events(let events)? = last?.content { before = events }
            return Self.eventsForm.read(list).map { .events(before + $0, gain: gain) }
        case (_?, nil, .events?), (nil, _?, .keyframes?):
            reader.fail(
                "keyframes continue keyframes, and events continue events; begin another track here, without `continued`"
            )
            return nil
        case (nil, nil, _), (_?, _?, _):
            reader.fail("a track has either `keyframes` or `events`")
            return nil
        }
    }
}

/// One after another: it keeps what the next one goes on from.
private struct KeyframeDraft {
    var at: Nanoseconds?
    var intensity: Intensity?
    /// Without one of its own a keyframe has that of the one before.
    var sharpness = Sharpness(clamping: 0.5)
    var curve = Easing.linear

    static let keys: [Key<Self>] = [
        .required("at", patternTime, "when; later than the one before") { $0.at = $1 },
        .required("intensity", .share(Intensity.self), "how strong") { $0.intensity = $1 },
        .optional("sharpness", .share(Sharpness.self), "how crisp; without it as before") { $0.sharpness = $1 },
        .optional("curve", EasingReader.form, "how the value gets here; `linear` without it") { $0.curve = $1 },
    ]

    /// `before`: the last keyframe of an earlier part of the track.
    static func keyframes(_ readers: [NodeReader], after before: Keyframe? = nil) -> [Keyframe]? {
        var times = AscendingTimes("keyframe", after: before?.at)
        var draft = KeyframeDraft()
        if let before { draft.sharpness = before.sharpness }
        return readers.map { reader in
            (draft.at, draft.intensity, draft.curve) = (nil, nil, .linear)
            return reader.object { fields -> Keyframe? in
                fields.read(keys, into: &draft)
                guard let at = times.next(draft.at, of: reader), let intensity = draft.intensity else { return nil }
                return Keyframe(at: at, intensity: intensity, sharpness: draft.sharpness, curve: draft.curve)
            }
        }.whole()
    }
}

private struct EventDraft {
    enum Kind: String, CaseIterable {
        case transient, continuous
    }

    var at: Nanoseconds?
    var kind: Kind?
    var intensity: Intensity?
    var sharpness = Sharpness(clamping: 0.5)
    var duration: Nanoseconds?
    var isSustained = true
    var (attack, decay, release) = (Nanoseconds.zero, Nanoseconds.zero, Nanoseconds.zero)

    private static let keys: [Key<Self>] = [
        .required("at", patternTime, "when") { $0.at = $1 },
        .required("type", .choice(of: Kind.self, "type of event"), "a tap, or a vibration that lasts") { $0.kind = $1 },
        .required("intensity", .share(Intensity.self), "how strong") { $0.intensity = $1 },
        .optional("sharpness", .share(Sharpness.self), "how crisp; 0.5 without it") { $0.sharpness = $1 },
    ]

    /// A transient has no envelope, so these are unknown to it.
    private static let envelopeKeys: [Key<Self>] = [
        .required("duration", patternTime, "how long it lasts, without its release") { $0.duration = $1 },
        .optional("sustained", .boolean, "false: it has faded away after `decay`") { $0.isSustained = $1 },
        .optional("attack", patternTime, "how long it takes to swell") { $0.attack = $1 },
        .optional("decay", patternTime, "how long it takes to fade where it is not sustained") { $0.decay = $1 },
        .optional("release", patternTime, "how long it takes to fade at its end") { $0.release = $1 },
    ]

    private static func entry(_ kind: Kind, _ keys: [Key<Self>]) -> Member.Kind {
        .object(keys.map(\.member).narrowing("type", to: .choice([kind.rawValue])))
    }

    static let form = Form<HapticEvent>(
        .either([entry(.transient, keys), entry(.continuous, keys + envelopeKeys)])
    ) { reader in
        var draft = EventDraft()
        return reader.object { fields -> HapticEvent? in
            fields.read(keys, into: &draft)
            switch draft.kind {
            case nil: fields.ignoreUnknownKeys()
            case .transient: break
            case .continuous: fields.read(envelopeKeys, into: &draft)
            }
            return draft.event
        }
    }

    private var event: HapticEvent? {
        guard let at, let kind, let intensity else { return nil }
        let lasting: HapticEvent.Kind? =
            switch kind {
            case .transient: .transient
            case .continuous: duration.map { .continuous(duration: $0, sustained: isSustained) }
            }
        guard let lasting else { return nil }
        return HapticEvent(
            at: at, kind: lasting, intensity: intensity, sharpness: sharpness, attack: attack, decay: decay, release: release)
    }
}

/// Sees to it that each time is later than the one before.
struct AscendingTimes {
    private let entry: String
    private var before: Nanoseconds?

    init(_ entry: String, after before: Nanoseconds? = nil) { (self.entry, self.before) = (entry, before) }

    mutating func next(_ at: Nanoseconds?, of reader: NodeReader) -> Nanoseconds? {
        guard let at else { return nil }
        guard before.map({ $0 < at }) ?? true else {
            let before = (before ?? .zero).unitText
            reader.fail("\(at.unitText) is not later than the \(entry) before, which is at \(before); sort them by time")
            return nil
        }
        before = at
        return at
    }
}
