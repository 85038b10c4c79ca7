// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticInputs
internal import HapticText

extension References {
    /// `inputs`: gets those of the conditions. `notes`: gets the names that look like globs.
    func conditionRules(_ entries: [NodeReader], _ inputs: inout InputTable, notes: inout [Diagnostic]) -> [ConditionRule] {
        var names: Set<Text> = []
        return entries.compactMap { entry in
            entry.object(ConditionDraft.keys, into: ConditionDraft(references: self)) { draft, entry in
                guard let match = draft.match, let name = ConditionDraft.nameForm.read(match) else { return nil }
                guard names.insert(name).inserted else {
                    match.fail("there is a condition \(quoted(name.string)) already; make one of both")
                    return nil
                }
                var rule = draft.rule
                guard draft.hasMistake || rule.changesAnything else {
                    entry.fail("the condition changes nothing; give it `classes` or a `profile`, not only `full`")
                    return nil
                }
                rule.name = name.string
                if name.string.utf8.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }) {
                    let what = "names of conditions are exact, so \(quoted(name.string)) has no wildcard"
                    notes.append(match.note("\(what); write the whole name"))
                }
                if let source = draft.input { inputs.add(.condition(name), source, draft.inputField, entry) }
                return rule
            }
        }
    }
}

/// A rule for a condition while it is read.
struct ConditionDraft {
    let references: References
    var rule = ConditionRule(name: "")
    fileprivate var match: NodeReader?
    fileprivate var input: InputSource?
    fileprivate var inputField: NodeReader?
    /// An effect or the profile could not be read, which has been reported.
    fileprivate var hasMistake = false

    init(references: References) { self.references = references }

    static let nameForm = Form<Text>.name()
    static let form = Form<[NodeReader]>.list(of: .object(of: keys), count: 0...ConditionRule.most)

    static let keys: [Key<Self>] = [
        .required("match", nameForm.unread, "the exact name of the condition (no glob); each name once") { $0.match = $1 },
        .optional(
            "input", InputSource.form.unread, default: "none",
            "the switch, key or button that asserts the condition while it is on"
        ) { ($0.inputField, $0.input) = ($1, InputSource.form.read($1)) },
        .optional("classes", .object(of: classKeys), default: "none", "the effect on each class except `alarm`") {
            $0.readClasses($1)
        },
        .optional(
            "profile", profileForm.unread, default: "none",
            "the profile of the classes that `classes` leaves out, while the condition is in force"
        ) {
            $0.rule.profile = profileForm.read($1)
            if $0.rule.profile == nil { $0.hasMistake = true }
        },
    ]

    private static let profileForm = Form<Profile>.choice(of: Profile.self, "profile")

    private static let classKeys: [Key<Self>] = FeedbackClass.allCases.filter { $0 != .alarm }.map { name in
        .optional(
            name.rawValue, References.effectForm, default: "by `profile`",
            "`full`, `half` (of the intensity), `nothing`, or a pattern that replaces the original"
        ) {
            $0.rule.effects[name] = $0.references.effect($1)
        }
    }

    private mutating func readClasses(_ field: NodeReader) {
        guard field.read(Self.classKeys, into: &self), case .object(let members) = field.node.content else {
            hasMistake = true
            return
        }
        // Members without an effect: an unknown class, or an unknown effect.
        if members.count != FeedbackClass.allCases.count(where: { rule.effects[$0] != nil }) { hasMistake = true }
    }
}

extension ConditionRule {
    /// Whether the rule lowers any class below `full`.
    fileprivate var changesAnything: Bool {
        FeedbackClass.allCases.contains { $0 != .alarm && (effects[$0].map { $0 != .full } ?? (profile ?? .full != .full)) }
    }
}
