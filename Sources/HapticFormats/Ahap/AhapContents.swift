// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns
internal import HapticText

/// The entries of an AHAP file, one read after the other.
struct AhapContents {
    let notes: DocumentReport
    private(set) var events: [HapticEvent] = []
    /// Of each event.
    private(set) var places: [EntryPlace] = []
    /// Where the first event is that lasts no time.
    private(set) var empty: NodeReader?
    /// Parameters, too: each is a curve of one point, whose value holds from then on.
    private(set) var curves: [AhapParameterCurve] = []
    /// False once something wrong has been reported.
    private(set) var isUsable = true

    init(notes: DocumentReport) { self.notes = notes }

    /// Reads an entry of the list. More than one thing in it are all taken.
    mutating func read(_ entry: NodeReader) {
        var parts = EntryDraft()
        guard entry.read(EntryDraft.keys, into: &parts, notes: notes) else {
            isUsable = false
            return
        }
        if let reader = parts.event { readEvent(reader) }
        if let reader = parts.parameter { readParameter(reader) }
        if let reader = parts.curve { readCurve(reader) }
    }

    private mutating func readEvent(_ reader: NodeReader) {
        var draft = EventDraft(notes: notes)
        guard reader.read(EventDraft.keys, into: &draft, notes: notes), let type = draft.type, draft.isUsable else {
            isUsable = false
            return
        }
        guard type == .transient || type == .continuous else {
            let file = draft.waveform.map { " of \(quoted($0))" } ?? ""
            return reader.note(
                "left out: the sound\(file), an event of the type `\(type.rawValue)`; no sounds are played", to: notes)
        }
        guard let event = draft.event(type, reader) else {
            isUsable = false
            return
        }
        events.append(event)
        places.append(EntryPlace(at: event.at, reader))
        if empty == nil, event.end == event.at { empty = draft.duration }
    }

    private mutating func readParameter(_ reader: NodeReader) {
        var draft = ControlDraft()
        guard reader.read(ControlDraft.parameterKeys, into: &draft, notes: notes), let id = draft.id else {
            isUsable = false
            return
        }
        guard let control = control(id) else { return }
        guard let at = draft.at, let value = draft.value?.clamped(to: control.range, notes: notes) else {
            isUsable = false
            return
        }
        curves.append(AhapParameterCurve(control, at: .zero, reader, [.init(at: at, value: value, reader: reader)]))
    }

    private mutating func readCurve(_ reader: NodeReader) {
        var draft = ControlDraft()
        guard reader.read(ControlDraft.curveKeys, into: &draft, notes: notes), let id = draft.id else {
            isUsable = false
            return
        }
        guard let control = control(id) else { return }
        let points = draft.points.map { point(control, $0) }.whole()
        guard let at = draft.at, let points, !points.isEmpty else {
            isUsable = false
            return
        }
        curves.append(AhapParameterCurve(control, at: at, reader, points))
    }

    private func point(_ control: AhapControl, _ reader: NodeReader) -> AhapParameterCurve.Point? {
        var draft = ControlDraft()
        guard reader.read(ControlDraft.pointKeys, into: &draft, notes: notes), let at = draft.at,
            let value = draft.value?.clamped(to: control.range, notes: notes)
        else { return nil }
        return AhapParameterCurve.Point(at: at, value: value, reader: reader)
    }

    /// Nil where it is none that shapes what is felt, which is then noted.
    private func control(_ id: NodeReader) -> AhapControl? {
        guard case .string(let text) = id.node.content else { return nil }
        if let control = AhapControl(text: text) { return control }
        id.noteUnknown(text, among: AhapControl.allCases.map(\.rawValue), to: notes)
        return nil
    }
}

extension NodeReader {
    /// Notes a parameter that is left out.
    fileprivate func noteUnknown(_ id: Text, among known: [String], to notes: DocumentReport) {
        if Ahap.isAudio(id) {
            note("left out: \(quoted(id.string)) shapes a sound; no sounds are played", to: notes)
        } else {
            note(leftOut("parameter", id, candidates: known.map { Text($0) }), to: notes)
        }
    }
}

private struct EntryDraft {
    var event, parameter, curve: NodeReader?

    private static let any = Form<NodeReader>(.object([])) { $0 }
    static let keys: [Key<Self>] = [
        .optional("Event", any, "something that is felt") { $0.event = $1 },
        .optional("Parameter", any, "a control is set, from a time on") { $0.parameter = $1 },
        .optional("ParameterCurve", any, "a control glides") { $0.curve = $1 },
    ]
}

/// Every time in a file lies in this range.
private let ahapTime = Form<Nanoseconds>.bareSeconds(in: .zero...Pattern.Limit.duration)

/// A text that is read later, by who knows what it may be.
private let ahapID = Form<NodeReader>(.anyText) { $0.text() == nil ? nil : $0 }

private struct EventDraft {
    let notes: DocumentReport
    var isUsable = true
    var type: AhapEventType?
    /// Nil where it is there and not usable.
    var at: Nanoseconds? = .zero
    var duration: NodeReader?
    var waveform: String?
    var values: [AhapEventParameter: Double] = [:]

    init(notes: DocumentReport) { self.notes = notes }

    /// More than there are parameters, those of sounds included.
    private static let mostParameters = 64
    private static let parametersForm = Form<[NodeReader]>.list(of: Form(.object([])) { $0 }, count: 0...mostParameters)

    static let keys: [Key<Self>] = [
        .required("EventType", .choice(of: AhapEventType.self, "event type"), "what it is") { $0.type = $1 },
        .optional("Time", Form(.number(0...60, isOpen: false)) { $0 }, "when; 0 without it") { $0.at = ahapTime.read($1) },
        .optional("EventDuration", Form(.anyText) { $0 }, "until its release") { $0.duration = $1 },
        .optional("EventParameters", parametersForm.unread, "how it feels") { $0.readParameters($1) },
        .optional("EventWaveformPath", .text, "the file of a sound") { $0.waveform = $1.string },
        .optional("EventWaveformUseVolumeEnvelope", Form(.boolean) { $0 }, "of a sound") { _, _ in },
        .optional("EventWaveformLoopEnabled", Form(.boolean) { $0 }, "of a sound") { _, _ in },
    ]

    private mutating func readParameters(_ reader: NodeReader) {
        guard let readers = Self.parametersForm.read(reader) else {
            isUsable = false
            return
        }
        for reader in readers {
            var draft = ControlDraft()
            guard reader.read(ControlDraft.eventParameterKeys, into: &draft, notes: notes), let id = draft.id,
                case .string(let text) = id.node.content
            else {
                isUsable = false
                continue
            }
            guard let parameter = AhapEventParameter(text: text) else {
                id.noteUnknown(text, among: AhapEventParameter.allCases.map(\.rawValue), to: notes)
                continue
            }
            if let value = draft.value?.clamped(to: 0...1, notes: notes) { values[parameter] = value } else { isUsable = false }
        }
    }

    /// Nil where something is missing or wrong, which has then been reported.
    func event(_ type: AhapEventType, _ reader: NodeReader) -> HapticEvent? {
        var kind = HapticEvent.Kind.transient
        if type == .continuous {
            guard let duration else {
                reader.fail("the key `EventDuration` is missing; a continuous event has one, in seconds")
                return nil
            }
            guard let seconds = duration.clamped(to: 0...Ahap.longestContinuous.inSeconds, notes: notes),
                let length = Nanoseconds(seconds: seconds)
            else { return nil }
            kind = .continuous(duration: length, sustained: values[.sustained] ?? 1 >= 0.5)
        }
        guard let at else { return nil }
        return HapticEvent(
            at: at, kind: kind, intensity: Intensity(clamping: values[.intensity] ?? Ahap.defaultIntensity),
            sharpness: Sharpness(clamping: values[.sharpness] ?? Ahap.defaultSharpness), attack: time(.attack),
            decay: time(.decay), release: time(.release))
    }

    /// What a file says of a transient's envelope is not heard with Apple either: it has none.
    private func time(_ parameter: AhapEventParameter) -> Nanoseconds {
        type == .continuous ? Ahap.envelopeScale.scaled(by: values[parameter] ?? 0) : .zero
    }
}

/// A parameter, a curve or a point of one: each has some of these keys.
private struct ControlDraft {
    var id: NodeReader?
    /// Nil where it is there and not usable.
    var at: Nanoseconds? = .zero
    var value: NodeReader?
    var points: [NodeReader] = []

    private static let id = Key<Self>.required("ParameterID", ahapID, "which one") { $0.id = $1 }
    private static let value = Key<Self>.required("ParameterValue", Form(.anyText) { $0 }, "its value") { $0.value = $1 }
    private static let time = Key<Self>.optional("Time", Form(.number(0...60, isOpen: false)) { $0 }, "when; 0 without it") {
        $0.at = ahapTime.read($1)
    }
    private static let pointsForm = Form<[NodeReader]>.list(
        of: Form(.object([])) { $0 }, count: 1...Pattern.Limit.pointsPerCurve)

    static let eventParameterKeys = [id, value]
    static let parameterKeys = [id, value, time]
    static let curveKeys = [
        id, time,
        .required("ParameterCurveControlPoints", pointsForm, "a straight line from each to the next") { $0.points = $1 },
    ]
    static let pointKeys = [time, value]
}
