// SPDX-License-Identifier: MIT
import HapticClient
import HapticConfig
import HapticCore
import HapticFormats
import HapticPatterns
import HapticTerminal
import HapticText
import HapticWire

/// What there is to show of a pattern, and where it comes from.
enum KnownPattern {
    /// Of a pattern that is here.
    static func result(_ pattern: Pattern) -> PatternResult {
        let timeline = Timeline(pattern)
        return PatternResult(name: pattern.name, description: pattern.summary, timeline: timeline, outline: Outline(timeline))
    }

    /// The title of its picture.
    static func heading(_ pattern: PatternResult) -> String {
        "\(pattern.name): felt for \(Words.time(milliseconds: pattern.feltMs)), at most \(Words.percent(pattern.peak))"
    }

    /// The built-in one of this name, with its outline.
    static func builtIn(_ name: String) -> PatternResult? { Configuration.builtIn.patterns[Text(name)].map(result) }

    /// The pattern itself, of a file, of pulses or built in: a daemon gives no more than an outline of its own.
    static func here(_ reference: String, _ console: Console) throws(Failure) -> Pattern {
        if PatternFile.isFile(reference) {
            let read = try PatternFile.read(reference)
            console.note(read.notes)
            return read.pattern
        }
        if let pulses = try Pulses.pattern(reference) { return pulses }
        if let pattern = Configuration.builtIn.patterns[Text(reference)] { return pattern }
        let names = Configuration.builtIn.patterns.keys.map(\.string).sorted()
        let meant = closestMatch(to: reference, in: names).map { "did you mean \(quoted($0))? " } ?? ""
        throw Failure(
            "\(quoted(reference)) is not built in; \(meant)name its file, as in `./mine.yaml`, also of one that hapticd knows: it gives outlines of its patterns, not the patterns themselves",
            code: .unknownName)
    }

    /// All of them by name, with their outlines.
    static var allBuiltIn: [PatternResult] { Configuration.builtIn.patterns.sorted { $0.key < $1.key }.map { result($0.value) } }

    /// The outline of what a daemon lists, where that is a built-in pattern: those of its files may have the same name.
    static func builtInOutline(_ listed: PatternResult) -> Outline? {
        guard let known = builtIn(listed.name) else { return nil }
        var plain = known
        plain.outline = nil
        return plain == listed ? known.outline : nil
    }

    /// The daemon's pattern of this name, with its outline.
    static func ask(_ client: HapticClient, _ name: String) throws(ClientError) -> PatternResult {
        let answer = try client.call(PatternsParams(name: name))
        guard let pattern = answer.patterns.first else { throw .notUnderstood("no pattern") }
        return pattern
    }
}

extension PatternResult {
    /// The outline of a pattern that was asked for by its name.
    var ownOutline: Outline {
        get throws(ClientError) {
            guard let outline else { throw .notUnderstood("a pattern without its outline") }
            return outline
        }
    }
}
