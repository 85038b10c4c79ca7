// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticJSON

extension References {
    func conditionRules(_ entries: [NodeReader]) -> [ConditionRule] {
        var names: Set<Text> = []
        return entries.compactMap { entry in
            var draft = ConditionDraft(references: self)
            guard entry.read(ConditionDraft.keys, into: &draft), let match = draft.match,
                let name = ConditionDraft.nameForm.read(match)
            else { return nil }
            guard names.insert(name).inserted else {
                match.fail("there is a condition \(quoted(name.string)) already; make one of both")
                return nil
            }
            guard draft.changesAnything || entry.hasTypo else {
                entry.fail("the condition changes nothing; give it `classes` or `profile`")
                return nil
            }
            draft.rule.name = name.string
            return draft.rule
        }
    }
}

/// A rule for a condition while it is read.
struct ConditionDraft {
    let references: References
    var rule = ConditionRule(name: "")
    fileprivate var match: NodeReader?
    fileprivate var changesAnything = false

    init(references: References) { self.references = references }

    static let nameForm = Form<Text>.name()
    static let form = Form<[NodeReader]>.list(of: .object(of: keys), count: 0...ConditionRule.most)

    static let keys: [Key<Self>] = [
        .required("match", nameForm.unread, "the name of the condition, exactly") { $0.match = $1 },
        .optional("classes", .object(of: classKeys), "its effect on each class; no condition suppresses `alarm`") {
            $0.changesAnything = true
            _ = $1.read(classKeys, into: &$0)
        },
        .optional(
            "profile", .choice(of: Profile.self, "profile"),
            "the profile of the other classes, if it is stricter than the one in force"
        ) {
            $0.changesAnything = true
            $0.rule.profile = $1
        },
    ]

    private static let classKeys: [Key<Self>] = FeedbackClass.allCases.filter { $0 != .alarm }.map { name in
        .optional(name.rawValue, References.effectForm, "`full`, `half`, `nothing`, or a pattern in its place") {
            $0.rule.effects[name] = $0.references.effect($1)
        }
    }
}
