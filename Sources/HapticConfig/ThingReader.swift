// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticPatterns
internal import HapticText

extension References {
    /// `composed` gets the patterns that rules combine of two.
    func collectionRules(_ entries: [NodeReader], composing composed: inout [Text: Pattern]) -> [CollectionRule] {
        var seen = EarlierRules()
        return entries.compactMap { entry in
            entry.object(RuleDraft.collectionKeys, into: RuleDraft(references: self, standard: .interaction)) { draft, entry in
                let match = draft.match.flatMap { seen.glob($0, when: nil) }
                let patterns = draft.things.patterns(entry, beat: draft.every, composing: &composed)
                guard let feedback = draft.feedback(with: patterns?.both), let match, let patterns else { return nil }
                return CollectionRule(match: match, patterns: patterns, feedback: feedback, interval: draft.every)
            }
        }
    }
}

/// What is felt where things come and go, while it is read.
struct ThingDraft {
    enum Combination: String, CaseIterable, Sendable {
        case together, sequence, first
    }

    let references: References
    private var inserted, removed, replaced, combine: NodeReader?

    init(references: References) { self.references = references }

    static func keys<Target>(at path: any WritableKeyPath<Target, Self> & Sendable) -> [Key<Target>] {
        [
            .optional("inserted", References.patternForm, "the pattern for new things") { $0[keyPath: path].inserted = $1 },
            .optional("removed", References.patternForm, "the pattern for removed things") { $0[keyPath: path].removed = $1 },
            .optional("replaced", References.patternForm, "the pattern if some things come and some go at the same time") {
                $0[keyPath: path].replaced = $1
            },
            .optional(
                "combine", combineForm.unread, default: "`\(Combination.sequence.rawValue)`",
                "without `replaced`: the way in which both become one, `sequence` (a beat apart), `together`, or `first` (only `inserted`)"
            ) { $0[keyPath: path].combine = $1 },
        ]
    }

    private static let combineForm = Form<Combination>.choice(of: Combination.self, "way to combine")

    /// Nil where something is wrong, which is then reported. `holder`: whose patterns they are; `beat`: from one step of a rhythm to
    /// the next.
    func patterns(_ holder: NodeReader, beat: Nanoseconds, composing composed: inout [Text: Pattern]) -> ThingPatterns? {
        let given = [inserted, removed, replaced]
        let names = given.map { $0.flatMap(references.pattern) }
        let way = combine.map(Self.combineForm.read) ?? .sequence
        guard fits(holder), zip(given, names).allSatisfy({ ($0 == nil) == ($1 == nil) }), let way else { return nil }
        var patterns = ThingPatterns(inserted: names[0], removed: names[1], both: names[2] ?? names[0] ?? names[1])
        guard replaced == nil, way != .first, let inserted = names[0], let removed = names[1] else { return patterns }
        // Where one of them has mistakes of its own, these are reported.
        guard let a = references.library[Text(inserted)], let b = references.library[Text(removed)] else { return nil }
        guard let both = combined(a, b, way, beat, holder) else { return nil }
        patterns.both = both.name
        composed[Text(both.name)] = both
        return patterns
    }

    /// False where the keys do not go together, which is then reported.
    private func fits(_ holder: NodeReader) -> Bool {
        if inserted == nil, removed == nil, replaced == nil {
            holder.fail("nothing would be felt of what comes and goes; give it `inserted`, `removed` or `replaced`")
            return false
        }
        guard let combine else { return true }
        if replaced != nil {
            combine.fail("`replaced` takes the place of both, so there is nothing to combine; keep one of them")
            return false
        }
        if inserted != nil, removed != nil { return true }
        // A typo may be the one that is missing.
        if !holder.hasTypo {
            combine.fail("two are combined: `inserted` and `removed`; give both, or leave `combine` out")
        }
        return false
    }

    private func combined(
        _ inserted: Pattern, _ removed: Pattern, _ way: Combination, _ beat: Nanoseconds, _ holder: NodeReader
    ) -> Pattern? {
        let (field, advice) = (combine ?? holder, "write `combine: first`, or say with `replaced` what is felt of both")
        if let open = [inserted, removed].first(where: \.hasOpenPhases) {
            field.fail("\(quoted(open.name)) lasts until something ends it, so nothing can be combined with it; \(advice)")
            return nil
        }
        do throws(PatternError) {
            return switch way {
            case .together, .first: try Pattern(together: inserted, removed)
            case .sequence: try Pattern(of: inserted, then: removed, beat: beat)
            }
        } catch {
            field.fail("\(quoted(inserted.name)) and \(quoted(removed.name)) cannot be combined: \(error); \(advice)")
            return nil
        }
    }
}

extension Pattern {
    /// The name says what is in it: a pattern of a file that is called so takes its place.
    fileprivate init(together a: Pattern, _ b: Pattern) throws(PatternError) {
        try self.init(
            name: "\(a.name)+\(b.name)", summary: "\(a.name) and \(b.name) at the same time.", parts: [Part(a), Part(b)])
    }

    /// The second one comes on the next beat, and so does what comes after it: several in a row keep the rhythm.
    fileprivate init(of a: Pattern, then b: Pattern, beat: Nanoseconds) throws(PatternError) {
        // As between the steps of a train, a third is off.
        let start = max(beat, a.duration + a.duration.scaled(by: 0.5))
        let end = start + max(beat, b.duration)
        let silence = [Nanoseconds.zero, min(end, Limit.duration)].map { Keyframe(at: $0, intensity: .zero, sharpness: .zero) }
        try self.init(
            name: "\(a.name) then \(b.name)", summary: "\(a.name), and \(b.name) after it.", tracks: [.keyframes(silence)],
            parts: [Part(a), Part(b, .at(min(start, Limit.duration)))])
    }
}
