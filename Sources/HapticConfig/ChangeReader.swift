// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticText

/// The `when` of a rule for events, while it is read.
struct ChangeDraft {
    var from: ChangeCondition.Matcher? = .any
    var to: ChangeCondition.Matcher? = .any

    private static let keys: [Key<Self>] = [
        .optional(
            "from", valueForm.unread, default: "any",
            "the value before: text is a glob, `*` alone matches anything, and null is the value at first"
        ) { $0.from = valueForm.read($1) },
        .optional("to", valueForm.unread, default: "any", "the new value, in the same way") { $0.to = valueForm.read($1) },
    ]

    static let form = Form<ChangeCondition>.object(keys, into: Self()) { draft, reader in
        if reader.node.content == .object([]) {
            reader.fail("no condition; give it `from` or `to`, or leave `when` out")
            return nil
        }
        guard let from = draft.from, let to = draft.to else { return nil }
        return ChangeCondition(from: from, to: to)
    }.described(as: .objectOfAny(keys.map(\.member)))

    /// Bytes of an event's text value, on the wire and here.
    private static let longestValue = 256

    private static let valueForm = Form<ChangeCondition.Matcher>(.scalar) { field in
        switch field.node.content {
        case .null: return .exactly(.null)
        case .bool(let flag): return .exactly(.bool(flag))
        case .number(let number) where number.isFinite: return .exactly(.number(number))
        case .string("*"): return .any
        case .string(let text) where text.utf8.count > longestValue:
            field.fail("a value has at most \(longestValue) bytes of text, and this is longer")
            return nil
        case .string(let text): return .glob(Glob(text.string))
        case .number, .integer, .list, .object, .invalid:
            field.failExpected("what the value must be: text (`*` for any), a number, `true`, `false` or `null`")
            return nil
        }
    }
}
