// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticInputs
internal import HapticJSON

extension References {
    /// `inputs`: gets those of the conditions.
    func conditionRules(_ entries: [NodeReader], _ inputs: inout InputTable) -> [ConditionRule] {
        var names: Set<Text> = []
        return entries.compactMap { entry in
            entry.object(ConditionDraft.keys, into: ConditionDraft(references: self)) { draft, entry in
                guard let match = draft.match, let name = ConditionDraft.nameForm.read(match) else { return nil }
                guard names.insert(name).inserted else {
                    match.fail("there is a condition \(quoted(name.string)) already; make one of both")
                    return nil
                }
                guard draft.changesAnything else {
                    entry.fail("the condition changes nothing; give it `classes` or `profile`")
                    return nil
                }
                var rule = draft.rule
                rule.name = name.string
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
    fileprivate var changesAnything = false

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
            $0.changesAnything = true
            _ = $1.read(classKeys, into: &$0)
        },
        .optional(
            "profile", profileForm.unread, default: "none",
            "the profile of the classes that `classes` leaves out, while the condition is in force"
        ) {
            $0.changesAnything = true
            $0.rule.profile = profileForm.read($1)
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
}
