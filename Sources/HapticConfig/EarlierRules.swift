// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticText

/// The globs of the rules read so far, to find a rule that can never be used because an earlier one takes all it matches.
struct EarlierRules {
    static let form = Form<Text>.name()

    /// What all comparisons may cost, about 50 ms: those of a thousand plain names. Past it only equal ones are found.
    private var work = WorkBudget(5_000_000)
    private var (globs, values) = (Glob.Cost(), Glob.Cost())
    private var rules: [(glob: Glob, when: ChangeCondition?, path: String)] = []

    /// The glob of the next rule, whose condition is `when`.
    mutating func glob(_ field: NodeReader, when: ChangeCondition?) -> Glob? {
        guard let glob = (Self.form.read(field)?.string).map(Glob.init) else { return nil }
        let cost = globs.units(glob.text.utf8.count) + values.units(when?.globs.map(\.text.utf8.count).max() ?? 0)
        let isAffordable = work.take(cost)
        if !isAffordable { work = WorkBudget(0) }
        let taker = rules.first {
            isAffordable ? covers($0.when, when) && covers($0.glob, glob) : $0.glob == glob && $0.when == when
        }
        if let taker {
            field.fail(
                "this rule is never used: \(taker.path) (\(quoted(taker.glob.text))) takes all that it matches; put it before that one"
            )
        }
        globs.add(glob)
        for glob in when?.globs ?? [] { values.add(glob) }
        rules.append((glob, when, String(Substring(field.path.utf8.prefix { $0 != UInt8(ascii: ".") }))))
        return glob
    }

    /// Whether `a` matches everything that `b` does. Matching b's own text shows it: what `*` in it stands for falls to a star
    /// of `a` too, as long as no `?` of `a` may have taken that star for one character.
    private func covers(_ a: Glob, _ b: Glob) -> Bool {
        Text(a.text) == Text(b.text)
            || (a.matches(b.text) && !(a.text.utf8.contains(UInt8(ascii: "?")) && b.text.utf8.contains(UInt8(ascii: "*"))))
    }

    /// Whether `a` holds for every change that `b` holds for; nil holds for all.
    private func covers(_ a: ChangeCondition?, _ b: ChangeCondition?) -> Bool {
        let (a, b) = (a ?? ChangeCondition(), b ?? ChangeCondition())
        return covers(a.from, b.from) && covers(a.to, b.to)
    }

    private func covers(_ a: ChangeCondition.Matcher, _ b: ChangeCondition.Matcher) -> Bool {
        switch (a, b) {
        case (.any, _): true
        case (.glob(let a), .glob(let b)): covers(a, b)
        case (.exactly(let a), .exactly(let b)): a == b
        case (.glob, _), (.exactly, _): false
        }
    }
}

extension ChangeCondition {
    fileprivate var globs: [Glob] {
        [from, to].compactMap { if case .glob(let glob) = $0 { glob } else { nil } }
    }
}
