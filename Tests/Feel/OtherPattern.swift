// SPDX-License-Identifier: MIT
import FoundationEssentials
import HapticCore
import HapticFormats
import HapticMotors
import HapticPatterns

/// A pattern of other people: the files of Tests/fixtures/ahap that come to it.
struct OtherPattern {
    let files: [String]
    let shape: Shape

    /// The name for its table.
    var title: String { files.map { "`\($0)`" }.joined(separator: ", ") }

    /// Those below `root`, the root of the sources; files that are meant to feel the same are one.
    static func all(in root: String) throws -> [OtherPattern] {
        let directory = root + "/Tests/fixtures/ahap/"
        let files = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".ahap") }.sorted()
        let frames = try files.map { file in
            let bytes = Array(try Data(contentsOf: URL(filePath: directory + file)))
            return Timeline(try PatternFiles.read(bytes, file: file).pattern).frames
        }
        let patterns = Dictionary(grouping: zip(files, frames), by: \.1).map { OtherPattern(files: $1.map(\.0), $0) }
        return patterns.sorted { $0.files[0] < $1.files[0] }
    }

    private init(files: [String], _ frames: [Timeline.Frame]) {
        self.files = files
        let isTap = (frames.last?.offset ?? .zero) <= .milliseconds(20)
        shape = Shape(name: files[0], family: isTap ? .impacts : .patterns, frames: frames)
    }
}

/// What becomes of them on each motor of the library: a part of the page.
struct OtherPatterns {
    let all: [OtherPattern]
    private let results: Results

    /// Milliseconds. In all of these that last everything happens in them, and then they go straight on.
    private static let beginning = 400

    init(in root: String) throws {
        all = try OtherPattern.all(in: root)
        results = Results(Judged.library, all.map(\.shape))
    }

    var lines: [String] {
        var lines = ["## Patterns of other people", "", Self.explanation, ""]
        for (index, pattern) in all.enumerated() {
            let motors = results.motors.map { ($0.judged, $0.results[index]) }
            lines += ["### \(pattern.title)", ""] + table(pattern.shape, motors) + [""]
            let missed = missed(pattern.shape, motors)
            if !missed.isEmpty { lines += ["Missed:", ""] + missed.map { "- \($0)" } + [""] }
        }
        return lines
    }

    private static let explanation = """
        Files of Apple's format that another project made, on every motor of the library. Each has a driver that can do all that the motor's \
        model has; the motors that are judged are not as their models say, as above. Files that are meant to feel the same share a table. A \
        pattern that lasts shows its error and, in brackets, that of its first \(beginning) ms: after that all of these \
        go straight on for seconds. "Peaks apart" is how many of the intended peaks stay so on the worst of these motors; both are smoothed over 10 ms, \
        in which 17 taps at intervals of 10 ms are one. A tap shows its peak and how long it stays above 0.1. It is made longer until it is \
        felt, so by its error alone silence would mostly be nearer to it.
        """

    // MARK: Tables

    private func table(_ shape: Shape, _ motors: [(judged: Judged, results: [Result])]) -> [String] {
        let opponents = Opponent.allCases
        let isTap = shape.family == .impacts
        let names = ["motor", "fitted"] + opponents.map(\.rawValue) + (isTap ? [] : ["peaks apart"])
        let head = "| \(names.joined(separator: " | ")) |"
        return [head, "|" + String(repeating: " --- |", count: names.count)]
            + motors.map { judged, results in
                var cells = [judged.name, cell(shape, results) { $0.felt }]
                cells += opponents.map { opponent in cell(shape, results) { $0.felt(by: opponent) } }
                if !isTap { cells.append("\(apart(results)) of \(Self.peaks(results))") }
                return "| \(cells.joined(separator: " | ")) |"
            }
    }

    private func cell(_ shape: Shape, _ results: [Result], _ felt: @escaping (Result) -> SampledEnvelope?) -> String {
        let whole = Page.cell(shape, felt)(results)
        guard shape.family != .impacts else { return whole }
        let errors = results.compactMap { result in felt(result).map { Self.beginningError(result, $0) } }
        return "\(whole) (\(Figure.two(errors.median)))"
    }

    private static func beginningError(_ result: Result, _ felt: SampledEnvelope) -> Double {
        func beginning(_ curve: SampledEnvelope) -> SampledEnvelope {
            SampledEnvelope(samples: Array(curve.samples.prefix(Self.beginning)))
        }
        return SustainedMeasure.error(intended: beginning(result.intended), felt: beginning(felt))
    }

    /// On the motor that keeps fewest of them apart.
    private func apart(_ results: [Result]) -> Int {
        results.map { min(TrainMeasure.pulsesApart($0.felt), Self.peaks(results)) }.min() ?? 0
    }

    private static func peaks(_ results: [Result]) -> Int { TrainMeasure.pulsesApart(results[0].intended) }

    // MARK: What is missed

    private func missed(_ shape: Shape, _ motors: [(judged: Judged, results: [Result])]) -> [String] {
        func names(_ condition: (Judged, [Result]) -> Bool) -> String? {
            let names = motors.filter(condition).map(\.judged.name)
            return names.isEmpty ? nil : names.joined(separator: ", ")
        }
        guard shape.family != .impacts else {
            func measures(_ results: [Result]) -> [ImpactMeasure] {
                results.map { ImpactMeasure(intended: shape.peak, felt: $0.felt) }
            }
            let faint = names { measures($1).contains { $0.peak < ImpactMeasure.felt } }
            let long = names { measures($1).contains { $0.above > .milliseconds(80) } }
            return [
                faint.map { "It is not felt on \($0)." },
                long.map {
                    """
                    It stays above 0.1 for more than 80 ms on \($0): a shorter pulse is not felt there, as its `minPulse` says. It would take a \
                    motor that is measured by `hapticctl tune`, or one that a driver can reverse.
                    """
                },
            ].compactMap(\.self)
        }
        let worse = names { _, results in results.contains { $0.ratio > 1 } }
        let worseAtFirst = names { _, results in
            results.contains { result in
                let best = result.opponents.map { Self.beginningError(result, $0.felt) }.min() ?? .infinity
                return Self.beginningError(result, result.felt) > best
            }
        }
        let together = names { apart($1) < Self.peaks($1) }
        return [
            worse.map { "Another is nearer to it on \($0)." },
            worseAtFirst.map { "Another is nearer to its beginning on \($0)." },
            together.map {
                "Its peaks run together on \($0): the time between them is shorter than these take to slow down. It would take a faster motor."
            },
        ].compactMap(\.self)
    }
}
