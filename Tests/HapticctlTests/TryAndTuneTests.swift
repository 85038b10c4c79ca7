// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticConfig
import HapticCore
import HapticEngine
import HapticMotors
import HapticPatterns
import HapticPlanning
import HapticWire
import TerminalTestSupport
import TestSupport
import Testing

@testable import HapticTerminal
@testable import hapticctl

@Suite("The file that try watches, and the trials of tune")
struct TryAndTuneTests {
    private func stamp(_ inode: UInt, _ nanoseconds: Int) -> FileWatch.Stamp {
        FileWatch.Stamp(device: 1, inode: inode, seconds: 5, nanoseconds: nanoseconds, bytes: 10)
    }

    @Test("A file counts once it has stayed the same, once for each time that it is saved")
    func watch() {
        // Found; written twice; gone while an editor renames, and back as another file; the same again.
        let looks: [FileWatch.Stamp?] = [
            stamp(1, 0), stamp(1, 0), stamp(1, 0), stamp(1, 7), stamp(1, 9), stamp(1, 9), nil, stamp(2, 9), stamp(2, 9),
            stamp(2, 9),
        ]
        var rest = looks[...]
        var watch = FileWatch { rest.popFirst() ?? nil }
        let seen = looks.map { _ in watch.hasNew() }
        #expect(seen == [false, true, false, false, false, true, false, false, true, false])
    }

    @Test("A trial is played as its drives in steps, and not at all without drives")
    func stimulus() throws {
        var tuning = Tuning(.erm, levels: true, seed: 1)
        var (played, silent) = (0, 0)
        while let trial = tuning.trial {
            if let pattern = try TuningPlayer.pattern(trial.stimulus) {
                let frames = Timeline(pattern).frames
                let sent = frames.map { DriveChange(at: $0.offset, drive: Drive($0.level.intensity)) }
                #expect(sent == trial.stimulus.changes, "\(trial)")
                #expect(pattern.duration <= .seconds(4))
                played += 1
            } else {
                #expect(trial.isCatch)
                silent += 1
            }
            tuning.answer(!trial.isCatch && trial.number % 3 > 0)
        }
        #expect(played > 0)
        #expect(silent > 0)
    }

    /// What `tune` finds of `motor`, held by somebody who is never wrong.
    private func tuned(_ motor: MotorModel, levels: Bool) throws -> Tuning.Outcome {
        var tuning = Tuning(motor.kind, levels: levels, seed: 1)
        while let trial = tuning.trial {
            let felt = SampledEnvelope(
                motor, driven: trial.stimulus.changes, length: trial.stimulus.duration + .milliseconds(400))
            let smoothed = felt.smoothed
            let isYes =
                switch trial.quantity {
                case .minPulse, .start: smoothed.peak >= ImpactMeasure.felt
                case .hold: smoothed.samples.count > 900 && smoothed.samples[900] >= ImpactMeasure.felt
                case .gap: TrainMeasure.pulsesApart(felt) > 1
                }
            tuning.answer(isYes)
        }
        return try #require(tuning.outcome)
    }

    @Test(
        "The configuration reads the block as the model that was found, with the smallest gap as its minGap",
        arguments: [("coin", true), ("pinephone", false), ("pixel-lra", true)])
    func block(motor: String, levels: Bool) throws {
        let truth = try #require(MotorLibrary.motor(named: motor)).model
        let outcome = try tuned(truth, levels: levels)
        let (model, gap) = (try #require(outcome.model), try #require(outcome.found[.gap]))
        let block = TuningWords.block(model, gap: gap)
        let text = "version: 1\nactuators:\n  - name: main\n    backend: simulated\n    \(block)\n"
        let read = try Configuration.read(yaml: Array(text.utf8), file: "hapticd.yaml")
        #expect(read.actuators.map(\.fittedMotor) == [model], "\(block)")
        let milliseconds = Int64(TuningWords.milliseconds(gap.value))
        #expect(milliseconds > 0)
        #expect(read.actuators.map(\.limits.minGap) == [.milliseconds(milliseconds)], "\(block)")
    }

    @Test("Yes and no are answers as people write them")
    func words() {
        #expect(["y", "Y", "yes", "YES", " y ", "y\r"].filter { TuningAnswer($0) != .yes } == [])
        #expect(["n", "N", "No", "n \t"].filter { TuningAnswer($0) != .no } == [])
        #expect(["r", "R", "repeat"].filter { TuningAnswer($0) != .again } == [])
        #expect(["", " ", "yikes", "nope", "y y", "j", "1"].filter { TuningAnswer($0) != TuningAnswer.none } == [])
    }

    /// The failure of the first stimulus of `tune main` with this configuration, if any.
    private func firstFailure(_ configuration: String) throws -> Failure? {
        try withFile("hapticd.yaml", "version: 1\n\(configuration)\n") { path in
            let player = try TuningPlayer(
                actuator: "main", common: try CommonOptions.parse([]),
                simulation: try SimulationOptions.parse(["--simulate", "--config", path]), Console(isJSON: false, isQuiet: true))
            var tuning = Tuning(.erm, levels: true, seed: 1)
            while let trial = tuning.trial, trial.isCatch { tuning.answer(false) }
            let stimulus = try #require(tuning.trial).stimulus
            do {
                try player.play(stimulus)
                return nil
            } catch let failure as Failure {
                return failure
            }
        }
    }

    @Test(
        "The result is a line of the configuration; values that the actuator or the daemon changes are reported"
    )
    func texts() throws {
        let main = "actuators: [{ name: main, backend: simulated }]"
        let board = "actuators: [{ name: main, backend: simulated, fallback: lamp }, { name: lamp, backend: simulated }]"
        var cases = SnapshotCases()
        for configuration in [
            main, "\(main)\nprofile: reduced", "\(main)\nprofile: quiet", "\(main)\nprofile: silent",
            "\(main)\nprofile: silent\nclasses: { alarm: { silent: light } }", "\(board)\nprofile: silent",
        ] {
            let failure = try firstFailure(configuration)
            cases.add(configuration.replacing("\n", with: "; "), failure.map { ["\($0.code)"] + $0.lines } ?? ["played"])
        }
        for gap in [0, 80, 600] as [Int64] {
            let actuator = ActuatorResult(EngineActuator(name: "main", limits: MotorLimits(minGap: .milliseconds(gap))))
            do {
                cases.add("minGap \(gap) ms", try TuningPlayer.warnings(actuator))
            } catch {
                cases.add("minGap \(gap) ms", ["refused: \(error.message)"])
            }
        }
        let model = MotorModel(
            kind: .erm, rise: .milliseconds(193), fall: .milliseconds(75), start: Share(clamping: 0.6),
            hold: Share(clamping: 0.3), minPulse: .milliseconds(28))
        cases.add("found, without a gap", [TuningWords.block(model, gap: nil)])
        try expectSnapshot(of: cases.text, "tune")
    }

    @Test("Answers are a y or n a line, with remarks; any other is an error with its line")
    func answers() throws {
        try withFile("answers", "# a good day\nYES # felt\n\nn \r\nmaybe\n") { name in
            let answers = try TuningAnswers(file: name)
            #expect(try answers.next())
            #expect(try !answers.next())
            let failure = #expect(throws: Failure.self) { try answers.next() }
            #expect(failure?.message == "\(name):5: `maybe` is no answer; write `y` or `n`")
            let end = #expect(throws: Failure.self) { try answers.next() }
            #expect(end?.message.contains("too few answers") == true)
        }
    }
}
