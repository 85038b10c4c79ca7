// SPDX-License-Identifier: MIT
import HapticCore
package import HapticTerminal

/// The findings for people, for programs, and as a page.
package struct DoctorText {
    let findings: [Finding]
    let isRoot: Bool
    /// The rest has been shown before; the verdict is on all. Nil: all are shown.
    var shown: [Finding]?

    package init(findings: [Finding], isRoot: Bool, shown: [Finding]? = nil) {
        (self.findings, self.isRoot, self.shown) = (findings, isRoot, shown)
    }

    // MARK: For people

    package var lines: [[Console.Span]] {
        var lines: [[Console.Span]] = []
        for part in Part.allCases {
            let own = (shown ?? findings).filter { $0.part == part }
            guard !own.isEmpty else { continue }
            lines.append([.init(part.rawValue)])
            lines += own.flatMap(self.lines)
        }
        return lines + [[], [verdictSpan]]
    }

    /// One finding: what, and unless all is well why and what to do.
    func lines(_ finding: Finding) -> [[Console.Span]] {
        let word: Console.Span =
            switch finding.state {
            case .ok: .init("  ok       ", .green)
            case .note: .init("  note     ", .yellow)
            case .problem: .init("  PROBLEM  ", .red)
            }
        let margin = "           "
        var lines: [[Console.Span]] = [[word, .init(finding.what)]]
        guard let kind = finding.kind else { return lines }
        lines += finding.details.map { [.init(margin + "| " + $0)] }
        lines += [kind.why, Self.plain(kind.remedy)].map { [.init(margin + $0)] }
        lines += finding.remedies.map { [.init(margin + "$ "), .init($0.line(isRoot: isRoot))] }
        return lines
    }

    private var problems: [Finding] { findings.filter { $0.state == .problem } }

    /// What is worth being fixed first.
    private var first: Finding? {
        let order = FindingKind.allCases
        return problems.min { a, b in
            // trap: a problem has a kind, and each is among all.
            order.firstIndex(of: a.kind!)! < order.firstIndex(of: b.kind!)!
        }
    }

    package var verdict: String {
        if let first { return "\(Words.count(problems.count, "problem")); fix first: \(first.what)" }
        let notes = findings.count { $0.state == .note }
        return notes == 0 ? "Everything is in order." : "No problem, \(Words.count(notes, "note"))."
    }

    private var verdictSpan: Console.Span { .init(verdict, problems.isEmpty ? .green : .red) }

    package var hasProblem: Bool { !problems.isEmpty }

    /// Without links, which a terminal does not follow.
    static func plain(_ markdown: String) -> String {
        var (text, rest) = ("", markdown[...])
        while let open = rest.firstIndex(of: "["), let middle = rest[open...].firstIndex(of: "]"),
            let close = rest[middle...].firstIndex(of: ")")
        {
            let target = rest[rest.index(middle, offsetBy: 2)..<close]
            // From the folder of the page that has the explanations.
            let file = String(target.prefix { $0 != "#" })
            let page =
                file.isEmpty ? "docs/troubleshooting.md" : file.begins(with: "../") ? String(file.dropFirst(3)) : "docs/\(file)"
            text += "\(rest[..<open])\(rest[rest.index(after: open)..<middle]) (\(page))"
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    // MARK: For programs

    package struct Row: Encodable {
        var finding: String
        var part: String
        var state: String
        var what: String
        var details: [String]
        var why: String?
        var remedy: String?
        var commands: [String]
        var needsRoot: Bool

        private enum CodingKeys: CodingKey { case finding, part, state, what, details, why, remedy, commands, needsRoot }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(finding, forKey: .finding)
            try container.encode(part, forKey: .part)
            try container.encode(state, forKey: .state)
            try container.encode(what, forKey: .what)
            try container.encode(details, forKey: .details)
            // `encode`, not `encodeIfPresent`, which leaves out what is nil.
            try container.encode(why, forKey: .why)
            try container.encode(remedy, forKey: .remedy)
            try container.encode(commands, forKey: .commands)
            try container.encode(needsRoot, forKey: .needsRoot)
        }
    }

    package struct Verdict: Encodable {
        var verdict: String
        var problems: Int
        var notes: Int
        /// The finding that is worth being fixed first; null: none.
        var first: String?

        private enum CodingKeys: CodingKey { case verdict, problems, notes, first }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(verdict, forKey: .verdict)
            try container.encode(problems, forKey: .problems)
            try container.encode(notes, forKey: .notes)
            try container.encode(first, forKey: .first)
        }
    }

    package func row(_ finding: Finding) -> Row {
        Row(
            finding: finding.kind?.rawValue ?? "ok", part: finding.part.rawValue, state: finding.state.rawValue,
            what: finding.what, details: finding.details, why: finding.kind?.why,
            remedy: finding.kind.map { Self.plain($0.remedy) }, commands: finding.remedies.map { $0.line(isRoot: isRoot) },
            needsRoot: finding.remedies.contains(where: \.needsRoot))
    }

    package var verdictRow: Verdict {
        Verdict(
            verdict: hasProblem ? "problems" : "ok", problems: problems.count, notes: findings.count { $0.state == .note },
            first: first?.kind?.rawValue)
    }

    // MARK: The page

    /// Everything that may be found, as a table of Markdown: what docs/troubleshooting.md has.
    package static var page: [String] {
        ["| finding | what it is | why it matters | what helps |", "| --- | --- | --- | --- |"]
            + FindingKind.allCases.map { one in
                let words = one.explanation
                return "| `\(one.rawValue)` | \(words.title) | \(words.why) | \(words.remedy) |"
            }
    }
}
