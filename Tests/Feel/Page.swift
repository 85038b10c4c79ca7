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
    private let shipped: AsShipped

    init(_ others: OtherPatterns, _ shipped: AsShipped) {
        self.shipped = shipped
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
        for (judged, all) in results.motors {
            lines += ["### \(Self.capitalized(judged.name))", ""] + table(judged, all) + details(judged, all)
        }
        lines += ["## The patterns that are built in", "", Self.patternExplanation, ""]
        lines += patternTable + [""] + shipped.lines + others.lines + ["## Pictures", ""]
        lines += Picture.all.map { "![\($0.title)](pictures/feel/\($0.file))\n" }
        return lines.joined(separator: "\n")
    }

    private static let explanation = """
        Each number is the median of the motors that are judged. The first table of a motor has all drivers. Errors: 0 is perfect, 1 is as \
        good as nothing. Impacts show their peak and how long they stay above 0.1; trains how many pulses stay apart. The tables below it have \
        more of what fitting comes to and, in brackets, of level = intensity (of on/off where the driver has no levels). "lag" is how far what \
        is felt is behind where it fits best, at most 150 ms; "error at lag" what the error would be without that delay; "within" the share of \
        the time within ±20 %. "to 0.1" is the time from the command to 0.1 of the intended peak, "peak error" how far the peak is from the \
        intended one, and "ring" the time from the peak to a tenth of it.
        """

    private static let patternExplanation = """
        The error with fitting and, in brackets, of level = intensity. Short ones are near 1 on every ERM, whoever drives it: the motor \
        begins when the pattern has ended. What counts there is that they are felt: the peak.
        """

    // MARK: Tables

    private func table(_ judged: Judged, _ all: [[Result]]) -> [String] {
        let opponents = judged.opponents
        let rows = all.map { results in
            let shape = results[0].shape
            let others = opponents.map { opponent in Self.cell(shape) { $0.felt(by: opponent) }(results) }
            return [shape.name, Self.cell(shape) { $0.felt }(results)] + others
        }
        return Self.table(["shape", "fitted"] + opponents.map(\.rawValue), rows)
    }

    /// What fitting comes to beside the plainest driver, by the measures that are of one kind of shape only.
    private func details(_ judged: Judged, _ all: [[Result]]) -> [String] {
        let plain = judged.abilities.variesIntensity ? Opponent.level : .onOff
        func row(_ results: [Result], _ words: [(Double) -> String], _ cells: (Result, SampledEnvelope) -> [Double]) -> [String] {
            let own = results.map { cells($0, $0.felt) }
            let other = results.compactMap { result in result.felt(by: plain).map { cells(result, $0) } }
            let medians = words.indices.map { index in
                "\(words[index](own.map { $0[index] }.median)) (\(words[index](other.map { $0[index] }.median)))"
            }
            return [results[0].shape.name] + medians
        }
        let lasting = all.filter { $0[0].shape.family != .impacts && $0[0].shape.family != .trains }.map { results in
            row(results, [Figure.two, Figure.milliseconds, Figure.percent]) {
                let measure = SustainedMeasure(intended: $0.intended, felt: $1)
                return [measure.errorAtLag, measure.lag.inMilliseconds, measure.within]
            }
        }
        let impacts = all.filter { $0[0].shape.family == .impacts }.map { results in
            row(results, [Figure.milliseconds, Figure.percent, Figure.milliseconds]) {
                let measure = ImpactMeasure(intended: $0.shape.peak, felt: $1)
                return [measure.timeToTenth?.inMilliseconds ?? .infinity, measure.peakError, measure.ring.inMilliseconds]
            }
        }
        return Self.table(["shape", "error at lag", "lag", "within"], lasting)
            + Self.table(["impact", "to 0.1", "peak error", "ring"], impacts)
    }

    /// With an empty line behind it.
    private static func table(_ heads: [String], _ rows: [[String]]) -> [String] {
        let rule = heads.map { _ in "---" }
        return ([heads, rule] + rows).map { "| \($0.joined(separator: " | ")) |" } + [""]
    }

    /// What one driver's column says of a shape.
    static func cell(_ shape: Shape, _ felt: @escaping (Result) -> SampledEnvelope?) -> ([Result]) -> String {
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
