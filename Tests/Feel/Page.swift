// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors

/// The generated part of docs/feel.md, and its pictures.
struct Page {
    static let marker = "<!-- make feel: from here to the end everything is generated -->"

    let figures: [Figure]
    private let results: Results
    private let patterns: Results
    private let others: OtherPatterns

    init(_ others: OtherPatterns) {
        results = Self.judged()
        patterns = Results([.slow, .fast, .lra], Shape.builtIn)
        self.others = others
        figures = Figure.all(of: results)
    }

    /// What the figures that are wanted are judged by: every shape on every motor.
    static func judged() -> Results {
        Results([.slow, .fast, .overdriven, .braked, .lra, .brakedLRA, .line], Shape.all)
    }

    /// What stands in the page from the marker on.
    var text: String {
        var lines = [Self.marker, "", "## Figures wanted", "", "| row | wanted | measured | |", "| --- | --- | --- | --- |"]
        lines += figures.map { "| \($0.row) | \($0.wanted) | \($0.measured) | \($0.isMet ? "met" : "**missed**") |" }
        lines += ["", "## What is missed, and what would have to change", ""]
        lines += figures.filter { !$0.isMet }.map { "- **\($0.row)**: \($0.reason)" }
        lines += ["", "## Every shape", "", Self.explanation, ""]
        for (judged, all) in results.motors { lines += ["### \(Self.capitalized(judged.name))", ""] + table(judged, all) + [""] }
        lines += ["## The patterns that are built in", "", Self.patternExplanation, ""]
        lines += patternTable + [""] + others.lines + ["## Pictures", ""]
        lines += Picture.all.map { "![\($0.title)](pictures/feel/\($0.file))\n" }
        return lines.joined(separator: "\n")
    }

    private static let explanation = """
        Each number is the median of the motors that are judged. Errors: 0 is perfect, 1 is as good as nothing. "within" is the share of the \
        time within ±20 %; "lag" is how far what is felt is behind where it fits best. Impacts show their peak and how long they stay above \
        0.1; trains how many pulses stay apart.
        """

    private static let patternExplanation = """
        The error with fitting and, in brackets, of level = intensity. Short ones are near 1 on every ERM, whoever drives it: the motor \
        begins when the pattern has ended. What counts there is that they are felt: the peak.
        """

    // MARK: Tables

    private func table(_ judged: Judged, _ all: [[Result]]) -> [String] {
        let opponents = judged.opponents
        let names = opponents.map(\.rawValue).joined(separator: " | ")
        let head = "| shape | fitted | \(names) | within | lag |"
        let rule = "|" + String(repeating: " --- |", count: opponents.count + 4)
        return [head, rule] + all.map { row(opponents, $0) }
    }

    private func row(_ opponents: [Opponent], _ results: [Result]) -> String {
        let shape = results[0].shape
        var cells = [Self.cell(shape) { $0.felt }(results)]
        cells += opponents.map { opponent in Self.cell(shape) { $0.felt(by: opponent) }(results) }
        guard shape.family != .impacts, shape.family != .trains else {
            return "| \(shape.name) | \(cells.joined(separator: " | ")) | | |"
        }
        let measures = results.map { SustainedMeasure(intended: $0.intended, felt: $0.felt) }
        cells.append("\(Int((measures.map(\.within).median * 100).rounded())) %")
        cells.append(Figure.whole(Nanoseconds(Int64(measures.map { Double($0.lag.count) }.median))))
        return "| \(shape.name) | \(cells.joined(separator: " | ")) |"
    }

    /// What one driver's column says of a shape.
    static func cell(_ shape: Shape, _ felt: @escaping (Result) -> FeltCurve?) -> ([Result]) -> String {
        { results in
            let curves = results.compactMap { result in felt(result).map { (result, $0) } }
            switch shape.family {
            case .impacts:
                let measures = curves.map { ImpactMeasure(intended: shape.peak, felt: $0.1) }
                let above = Nanoseconds(Int64(measures.map { Double($0.above.count) }.median))
                return "\(Figure.two(measures.map(\.peak).median)), \(Figure.whole(above))"
            case .trains: return "\(Int(curves.map { Double($0.0.apart($0.1)) }.median)) of \(shape.pulses.count)"
            default: return Figure.two(curves.map { SustainedMeasure.error(intended: $0.0.intended, felt: $0.1) }.median)
            }
        }
    }

    private var patternTable: [String] {
        let heads = patterns.motors.flatMap { ["\($0.judged.name): error", "peak"] }
        var lines = [
            "| pattern | \(heads.joined(separator: " | ")) |", "|" + String(repeating: " --- |", count: heads.count + 1),
        ]
        for index in Shape.builtIn.indices {
            let cells = patterns.motors.flatMap { _, all in
                let results = all[index]
                let level = results.compactMap { result in result.opponents.first { $0.opponent == .level } }
                return [
                    "\(Figure.two(results.map(\.error).median)) (\(Figure.two(level.map(\.error).median)))",
                    "\(Figure.two(results.map(\.felt.peak).median)) (\(Figure.two(level.map(\.felt.peak).median)))",
                ]
            }
            lines.append("| `\(Shape.builtIn[index].name)` | \(cells.joined(separator: " | ")) |")
        }
        return lines
    }

    private static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
}
