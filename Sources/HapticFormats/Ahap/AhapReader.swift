// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns
internal import HapticText

/// Reads AHAP, the pattern files of Apple's Core Haptics.
enum AhapReader {
    /// Nil where the pattern is not usable, which has then been reported. What is left out of it goes to `notes`.
    static func pattern(
        _ reader: NodeReader, name: String, notes: DocumentReport, places: inout [EntryPlace]
    ) -> Pattern? {
        if let fragment = AhapFragment(reader.node) {
            reader.fail(fragment.message)
            return nil
        }
        var file = AhapFile(notes: notes)
        guard reader.read(AhapFile.keys, into: &file, notes: notes), let entries = file.entries else { return nil }
        // Everything is read before anything is given up, so that all that is wrong is reported.
        var contents = AhapContents(notes: notes)
        for entry in entries { contents.read(entry) }
        let curves = AhapParameterCurve.parameterCurves(contents.curves, notes: notes)
        guard contents.isUsable, let curves else { return nil }
        places = contents.places
        return pattern(contents, reader, name: name, summary: file.summary, curves: curves)
    }

    private static func pattern(
        _ contents: AhapContents, _ reader: NodeReader, name: String, summary: String, curves: [ParameterCurve]
    ) -> Pattern? {
        let events = contents.events
        let (each, most) = (Pattern.Limit.entriesPerTrack, Pattern.Limit.entriesPerTrack * Pattern.Limit.tracks)
        guard !events.isEmpty else {
            reader.fail(
                "there is no haptic event in it, so there is nothing to feel; add a `HapticTransient` or a `HapticContinuous`")
            return nil
        }
        guard events.count <= most else {
            reader.fail("\(events.count) haptic events; a pattern has at most \(most)")
            return nil
        }
        let tracks = stride(from: 0, to: events.count, by: each).map { start in
            Pattern.Track.events(Array(events[start..<min(start + each, events.count)]))
        }
        do throws(PatternError) {
            return try Pattern(name: name, summary: summary, tracks: tracks, parameterCurves: curves)
        } catch .noDuration {
            (contents.empty ?? reader).fail(
                "no event in it lasts, so there is nothing to feel; make this one longer than 0 s, or a `HapticTransient`, which has no duration"
            )
            return nil
        } catch {
            reader.fail("\(error)")
            return nil
        }
    }
}

/// The file as a whole.
private struct AhapFile {
    let notes: DocumentReport
    var summary = ""
    var entries: [NodeReader]?

    init(notes: DocumentReport) { self.notes = notes }

    /// More than the events and curves of any pattern.
    private static let mostEntries = 1 << 15
    private static let entriesForm = Form<[NodeReader]>.list(of: Form(.object([])) { $0 }, count: 1...mostEntries)

    static let keys: [Key<Self>] = [
        .optional("Version", .number(in: 0...1000), "the version of the format") { _, _ in },
        .optional("Metadata", Form(.object([])) { $0 }, "for people") { $0.readMetadata($1) },
        .required("Pattern", entriesForm, "events, parameters and curves") { $0.entries = $1 },
    ]

    /// Free, but for the description.
    private mutating func readMetadata(_ reader: NodeReader) {
        guard case .object(let members) = reader.node.content else { return reader.failExpected("an object") }
        guard case .string(let text)? = members.first(where: { $0.key == "Description" })?.value.content else { return }
        summary = text.string
    }
}
