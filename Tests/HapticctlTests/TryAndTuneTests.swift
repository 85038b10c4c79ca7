// SPDX-License-Identifier: MIT
import ArgumentParser
import FoundationEssentials
import Glibc
import HapticConfig
import HapticCore
import HapticMotors
import HapticPatterns
import HapticWire
import Testing

@testable import hapticctl

@Suite("What try waits for, and what tune plays and says")
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

    @Test("What is played for a trial is its drives, in steps, and nothing where there is nothing")
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
        #expect(played > 0 && silent > 0)
    }

    /// What `tune` finds of `motor`, held by somebody who is never wrong.
    private func tuned(_ motor: MotorModel, levels: Bool) throws -> Tuning.Outcome {
        var tuning = Tuning(motor.kind, levels: levels, seed: 1)
        while let trial = tuning.trial {
            let felt = FeltCurve(
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
        #expect(read.actuators.map(\.fittedModel) == [model], "\(block)")
        let milliseconds = Int64(TuningWords.milliseconds(gap.value))
        #expect(milliseconds > 0 && read.actuators.map(\.motor.limits.minGap) == [.milliseconds(milliseconds)], "\(block)")
    }

    @Test("The block has a key for each thing that was found, and no gap where there is none")
    func keys() {
        let model = MotorModel(
            kind: .erm, rise: .milliseconds(193), fall: .milliseconds(75), start: Share(clamping: 0.6),
            hold: Share(clamping: 0.3),
            minPulse: .milliseconds(28))
        #expect(
            TuningWords.block(model, gap: nil)
                == "motor: { kind: erm, rise: 193ms, fall: 75ms, start: 0.6, hold: 0.3, minPulse: 28ms }")
    }

    @Test("Yes and no are answers as people write them")
    func words() {
        for line in ["y", "Y", "yes", "YES", " y ", "y\r"] { #expect(TuningAnswer(line) == .yes, "\(line)") }
        for line in ["n", "N", "No", "n \t"] { #expect(TuningAnswer(line) == .no, "\(line)") }
        for line in ["r", "R", "repeat"] { #expect(TuningAnswer(line) == .again, "\(line)") }
        for line in ["", " ", "yikes", "nope", "y y", "j", "1"] { #expect(TuningAnswer(line) == TuningAnswer.none, "\(line)") }
    }

    @Test("A gap that the actuator does not play is explained at the beginning, and one that leaves nothing ends it there")
    func gaps() throws {
        func actuator(minGap: Int64) -> ActuatorResult {
            ActuatorResult(
                name: "main", capabilities: .full, limits: MotorLimits(minGap: .milliseconds(minGap)), backend: "simulated",
                fault: nil, fallback: nil)
        }
        #expect(try TuningPlayer.warnings(actuator(minGap: 0)).isEmpty)
        let warnings = try TuningPlayer.warnings(actuator(minGap: 80))
        #expect(warnings.count == 1 && warnings[0].contains("the `minGap` of main, 80 ms, are not played so"))
        let failure = #expect(throws: Failure.self) { try TuningPlayer.warnings(actuator(minGap: 600)) }
        #expect(failure?.message.contains("the `minGap` of main, 600 ms, is longer than the pause") == true)
    }

    /// What `tune main` says to the first that is to be felt, with this configuration.
    private func firstFailure(_ configuration: String) throws -> Failure? {
        let path = "/tmp/hapticctl-tune-\(getpid())-\(UInt32.random(in: .min ... .max)).yaml"
        defer { unlink(path) }
        try Data("version: 1\n\(configuration)\n".utf8).write(to: URL(filePath: path))
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

    @Test("What a profile or a fallback makes something else of is not measured: it says what was played and what to do")
    func changedByTheDaemon() throws {
        let main = "actuators: [{ name: main, backend: simulated }]"
        #expect(try firstFailure(main) == nil)
        #expect(try firstFailure("\(main)\nprofile: reduced") == nil)
        let half = try #require(try firstFailure("\(main)\nprofile: quiet"))
        #expect(
            half.lines == [
                "what was to be felt, tune at 100% on main, was played as tune at 50% on main, so nothing can be measured; "
                    + "while you tune, main has to be there, the profile `full` and every strength 100%"
            ])
        #expect(half.code == .notFelt)
        let other = try #require(try firstFailure("\(main)\nprofile: silent\nclasses: { alarm: { silent: light } }"))
        #expect(other.message.contains("was played as light at "))
        let board = """
            actuators: [{ name: main, backend: simulated, fallback: lamp }, { name: lamp, backend: simulated }]
            profile: silent
            """
        #expect(try #require(try firstFailure(board)).message.contains("was played as tune at 100% on lamp,"))
        #expect(try #require(try firstFailure("\(main)\nprofile: silent")).message.contains("was not played"))
    }

    @Test("Answers are a y or n a line, with remarks; any other is an error with its line")
    func answers() throws {
        var path = Array("/tmp/hapticctl-answers-XXXXXX".utf8CString)
        let file = path.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkstemp($0) } ?? -1 }
        #expect(file >= 0)
        let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(name) }
        try Outlet.write(Array("# a good day\nYES # felt\n\nn \r\nmaybe\n".utf8), to: file)
        close(file)
        let answers = try TuningAnswers(file: name)
        #expect(try answers.next() && !answers.next())
        let failure = #expect(throws: Failure.self) { try answers.next() }
        #expect(failure?.message == "\(name):5: `maybe` is no answer; write `y` or `n`")
        let end = #expect(throws: Failure.self) { try answers.next() }
        #expect(end?.message.contains("too few answers") == true)
    }
}
