// SPDX-License-Identifier: MIT
import FoundationEssentials
import HapticConfig
import HapticCore
import HapticEngine
import HapticFormats
import HapticMotors
import HapticPatterns
import HapticPlanning
import HapticReplay

/// What the built-in patterns come to on the motors of the files in configs/boards: engine, limits and executor as in the daemon, in virtual
/// time, on motors that are 30 % faster and slower than the file's model and start 0.1 below and above it.
struct AsShipped {
    /// A share of full acceleration that counts as felt.
    static let felt = ImpactMeasure.felt

    /// Files that come to the same.
    struct Board {
        var files: [String]
        let engine: EngineConfiguration
        let model: MotorModel
        let truths: [MotorModel]
        /// By pattern: the peak on the model itself.
        let expected: [String: Double]
        /// By pattern: the peak on each of `truths`.
        let peaks: [String: [Double]]
    }

    /// Those that motors play, by name.
    let patterns: [Pattern]
    let boards: [Board]

    /// `root`: the folder of the project.
    init(in root: String) throws {
        let folder = root + "/configs/boards"
        patterns = BuiltInPatterns.all.filter { !$0.isForLights }.sorted { Text($0.name) < Text($1.name) }
        var boards: [Board] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where file.hasSuffix(".yaml") {
            let engine = try Configuration.load(path: "\(folder)/\(file)").engineConfiguration()
            if let same = boards.firstIndex(where: { $0.engine.actuators == engine.actuators }) {
                boards[same].files.append(file)
            } else {
                boards.append(try Board(file, engine, patterns))
            }
        }
        self.boards = boards
    }

    /// Patterns with the file and the least of the peaks, if that is not felt.
    var unfelt: [(pattern: String, file: String, peak: Double)] {
        patterns.flatMap { pattern in
            boards.compactMap { board in
                let peak = board.peaks[pattern.name]?.min() ?? 0
                return peak < Self.felt ? (pattern.name, board.files[0], peak) : nil
            }
        }
    }

    var lines: [String] {
        let cases = patterns.count * boards.reduce(0) { $0 + $1.files.count * $1.truths.count }
        let missed = patterns.reduce(0) { sum, pattern in
            sum
                + boards.reduce(0) { $0 + $1.files.count * ($1.peaks[pattern.name] ?? []).count { $0 < Self.felt } }
        }
        let heads = boards.flatMap { board in [board.files.map { "`\($0)`" }.joined(separator: ", "), "worst"] }
        let rows = patterns.map { pattern in
            let cells = boards.flatMap { board in
                [Figure.two(board.expected[pattern.name] ?? 0), Figure.two(board.peaks[pattern.name]?.min() ?? 0)]
            }
            return "| `\(pattern.name)` | \(cells.joined(separator: " | ")) |"
        }
        return [
            "## As shipped", "",
            "Each built-in pattern with the motor and the limits of each file in [configs/boards](../configs/boards), played by engine and executor "
                + "in virtual time: its peak on the model, and the worst of four motors that are 30 % faster or slower and start 0.1 "
                + "below or above it. \(cases - missed) of \(cases) combinations of pattern, file and motor reach 0.1 of full acceleration.",
            "", "| pattern | \(heads.joined(separator: " | ")) |", "|" + String(repeating: " --- |", count: heads.count + 1),
        ] + rows + [""]
    }
}

extension AsShipped.Board {
    fileprivate init(_ file: String, _ engine: EngineConfiguration, _ patterns: [Pattern]) throws {
        guard let model = engine.actuators.first?.motor, engine.actuators.count == 1 else {
            throw Main.Failure.noModel(file: file)
        }
        let truths = Judged.truths(of: model)
        var (expected, peaks) = ([String: Double](), [String: [Double]]())
        for pattern in patterns {
            let drives = Self.drives(for: pattern, engine)
            let length = (drives.last?.at ?? .zero) + .milliseconds(250)
            expected[pattern.name] = SampledEnvelope(model, driven: drives, length: length).peak
            peaks[pattern.name] = truths.map { SampledEnvelope($0, driven: drives, length: length).peak }
        }
        self.init(files: [file], engine: engine, model: model, truths: truths, expected: expected, peaks: peaks)
    }

    /// The drives of the motor. A pattern with an open phase plays for some seconds.
    private static func drives(for pattern: Pattern, _ engine: EngineConfiguration) -> [DriveChange] {
        var board = VirtualBoard(engine)
        let play = PlayInput(pattern: PlayablePattern(pattern))
        board.send([
            .input(Input(client: ClientIdentity(connection: 1, user: 1000), at: .zero, kind: .play(play)))
        ])
        board.run(until: .zero + .seconds(5))
        return board.takeRecords().compactMap { record in
            guard case .actuation(let applied) = record else { return nil }
            return DriveChange(at: applied.at - .zero, drive: applied.actuation.drive)
        }
    }
}
