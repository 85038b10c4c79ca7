// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticDocuments
public import HapticJSON
public import HapticPatterns

/// Reads patterns: files of our own format, and the inline pattern objects of the wire.
public enum PatternReader {
    /// The name of an inline pattern that gives none.
    public static let inlineName = "inline"

    /// Reads a pattern file. `expectedName`: what `name` must be, where the file's own name says so.
    public static func pattern(
        yaml bytes: [UInt8], file: String? = nil, expectedName: String? = nil
    ) throws(InvalidDocument) -> Pattern {
        let report = DocumentReport(file: file)
        let pattern = YAML.parse(bytes, report: report).flatMap {
            self.pattern(NodeReader($0, report: report), expectedName: expectedName)
        }
        guard let pattern, report.isEmpty else { throw InvalidDocument(report.diagnostics) }
        return pattern
    }

    /// Reads an inline pattern object of the wire; `path` is where it stands, such as `pattern`.
    /// Times are numbers of milliseconds with `Ms` behind their names; `version` and `name` may be left out.
    public static func pattern(wire node: Node, path: String) throws(InvalidDocument) -> Pattern {
        // The first error is reported, and the others cost nothing.
        let report = DocumentReport(file: nil, limit: 1)
        let pattern = pattern(NodeReader(node, path: path, notation: .wire, report: report))
        guard let pattern, report.isEmpty else { throw InvalidDocument(report.diagnostics) }
        return pattern
    }

    /// Reads a pattern wherever it stands; nil where that has been reported.
    public static func pattern(_ reader: NodeReader, expectedName: String? = nil) -> Pattern? {
        reader.object { fields in
            let isFile = reader.notation == .units
            (isFile ? fields.required("version") : fields.optional("version"))?.requireVersion(1)
            let nameField = isFile ? fields.required("name") : fields.optional("name")
            let name = nameField?.name(limit: Pattern.Limit.nameLength)
            if let name, let expectedName, name != Text(expectedName) {
                nameField?.fail(
                    "the name \(quoted(name.string)) and the file `\(expectedName).yaml` differ; give both the same name")
            }
            let summary = fields.optional("description")?.text()
            let tracks = fields.required("tracks")?.list(count: 1...Pattern.Limit.tracks)?.map(track)
            let curves = fields.optional("parameterCurves")?.list(count: 0...Pattern.Limit.parameterCurves)?.map(parameterCurve)
            guard let tracks = tracks?.whole(), let curves = (curves ?? []).whole(), !isFile || name != nil else { return nil }
            do throws(PatternError) {
                return try Pattern(
                    name: name?.string ?? inlineName, summary: summary?.string ?? "", tracks: tracks, parameterCurves: curves)
            } catch {
                reader.fail("\(error)")
                return nil
            }
        }
    }

    private static func track(_ reader: NodeReader) -> Pattern.Track? {
        reader.object { fields in
            let entries = 1...Pattern.Limit.entriesPerTrack
            switch (fields.optional("keyframes"), fields.optional("events")) {
            case (let keyframes?, nil):
                return keyframes.list(count: 2...Pattern.Limit.entriesPerTrack).flatMap(self.keyframes).map { .keyframes($0) }
            case (nil, let events?): return events.list(count: entries)?.map(event).whole().map { .events($0) }
            case (nil, nil), (_?, _?):
                reader.fail("a track has either `keyframes` or `events`")
                return nil
            }
        }
    }

    private static func keyframes(_ readers: [NodeReader]) -> [Keyframe]? {
        var times = AscendingTimes("keyframe")
        // Without a sharpness of its own a keyframe has that of the one before.
        var sharpness = Sharpness(clamping: 0.5)
        return readers.map { reader in
            reader.object { fields -> Keyframe? in
                let at = times.next(&fields, of: reader)
                let intensity = fields.required("intensity")?.unitValue(Intensity.self)
                if let own = fields.optional("sharpness")?.unitValue(Sharpness.self) { sharpness = own }
                let curve = fields.optional("curve").map(CurveReader.curve) ?? .linear
                guard let at, let intensity, let curve else { return nil }
                return Keyframe(at: at, intensity: intensity, sharpness: sharpness, curve: curve)
            }
        }.whole()
    }

    private enum EventType: String, CaseIterable {
        case transient, continuous
    }

    private static func event(_ reader: NodeReader) -> HapticEvent? {
        reader.object { fields in
            let at = fields.requiredDuration("at", in: patternTime)
            let type = fields.required("type")?.choice(EventType.self, kind: "type of event")
            let intensity = fields.required("intensity")?.unitValue(Intensity.self)
            let sharpness = fields.optional("sharpness")?.unitValue(Sharpness.self) ?? Sharpness(clamping: 0.5)
            var kind: HapticEvent.Kind? = .transient
            var (attack, decay, release) = (Nanoseconds.zero, Nanoseconds.zero, Nanoseconds.zero)
            switch type {
            case nil: fields.ignoreUnknownKeys()
            // It has no envelope, so the keys of one are unknown to it.
            case .transient: break
            case .continuous:
                let duration = fields.requiredDuration("duration", in: patternTime)
                let sustained = fields.optional("sustained").map { $0.bool() ?? true } ?? true
                kind = duration.map { .continuous(duration: $0, sustained: sustained) }
                attack = fields.optionalDuration("attack", in: patternTime) ?? .zero
                decay = fields.optionalDuration("decay", in: patternTime) ?? .zero
                release = fields.optionalDuration("release", in: patternTime) ?? .zero
            }
            guard let at, type != nil, let intensity, let kind else { return nil }
            return HapticEvent(
                at: at, kind: kind, intensity: intensity, sharpness: sharpness, attack: attack, decay: decay, release: release)
        }
    }

    private static func parameterCurve(_ reader: NodeReader) -> ParameterCurve? {
        reader.object { fields in
            let parameter = fields.required("parameter")?.choice(CurveParameter.self, kind: "parameter")
            let readers = fields.required("points")?.list(count: 1...Pattern.Limit.pointsPerCurve)
            guard let parameter, let readers else { return nil }
            var times = AscendingTimes("point")
            let points = readers.map { reader in
                reader.object { fields -> ParameterCurve.Point? in
                    let at = times.next(&fields, of: reader)
                    let value = parameter.value(fields.required("value"))
                    guard let at, let value else { return nil }
                    return ParameterCurve.Point(at: at, value: value)
                }
            }
            return points.whole().map { ParameterCurve(parameter: parameter.meaning, points: $0) }
        }
    }
}

/// Every time in a pattern lies in this range.
let patternTime = Nanoseconds.zero...Pattern.Limit.duration

/// Reads the `at` of entries, each of which must be later than the one before.
private struct AscendingTimes {
    private let entry: String
    private var before: Nanoseconds?

    init(_ entry: String) { self.entry = entry }

    mutating func next(_ fields: inout FieldReader, of reader: NodeReader) -> Nanoseconds? {
        guard let at = fields.requiredDuration("at", in: patternTime) else { return nil }
        guard before.map({ $0 < at }) ?? true else {
            reader.fail("\(at) is not later than the \(entry) before, which is at \(before ?? .zero)")
            return nil
        }
        before = at
        return at
    }
}

extension Array {
    /// The elements without their optionality; nil where one is nil.
    func whole<Value>() -> [Value]? where Element == Value? {
        let values = compactMap { $0 }
        return values.count == count ? values : nil
    }
}
