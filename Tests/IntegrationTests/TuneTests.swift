// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import HapticMotors
import Testing

@Suite("hapticctl tune, as a person uses it")
struct TuneTests {
    @Test("What is no answer is said to be none, and the question asked again as a whole; r plays it again")
    func badAnswer() throws {
        let daemon = try Daemon()
        let terminal = try PseudoTerminal()
        let program = try Program(
            "hapticctl", ["tune", "main", "--socket", daemon.socket], environment: ["TERM": "xterm"], input: terminal.terminal,
            output: terminal.terminal, in: daemon.folder)
        var said = ""
        func wait(for questions: Int) throws {
            try IntegrationTests.wait(for: "question \(questions): \(said)") {
                said += terminal.written()
                return said.components(separatedBy: "Did you feel it? [y/n/r] ").count == questions + 1
            }
        }
        try wait(for: 1)
        terminal.type("maybe\n")
        try wait(for: 2)
        #expect(said.contains("`maybe` is no answer: y is yes, n is no, r plays it again"), "\(said)")
        terminal.type("R\n")
        try wait(for: 3)
        #expect(said.components(separatedBy: "is no answer").count == 2, "\(said)")
        terminal.type("YES\n")
        try wait(for: 4)
        #expect(said.components(separatedBy: "is no answer").count == 2, "\(said)")
        program.signal(SIGTERM)
        _ = try program.wait()
    }

    /// What somebody who is never wrong answers of the motor `coin`, to the questions that are asked with `--answers`.
    private func answers() throws -> String {
        let motor = try #require(MotorLibrary.motor(named: "coin")).model
        var tuning = Tuning(.erm, levels: true, seed: 0)
        var answers = ""
        while let trial = tuning.trial {
            let length = trial.stimulus.duration + .milliseconds(400)
            let felt = FeltCurve(motor, driven: trial.stimulus.changes, length: length)
            let smoothed = felt.smoothed
            let isYes =
                switch trial.quantity {
                case .minPulse, .start: smoothed.peak >= ImpactMeasure.felt
                case .hold: smoothed.samples.count > 900 && smoothed.samples[900] >= ImpactMeasure.felt
                case .gap: TrainMeasure.pulsesApart(felt) > 1
                }
            answers += isYes ? "y\n" : "n\n"
            tuning.answer(isYes)
        }
        return answers
    }

    @Test("Answers from a file lead to a block, and a configuration with it is one that the daemon takes")
    func block() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(try answers(), to: "answers")
        let ended = try runCtl(["tune", "main", "--simulate", "--answers", file], in: folder)
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended)")
        let blocks = ended.output.split(separator: "\n").filter { $0.hasPrefix("    motor: { kind: erm, ") }
        #expect(blocks.count == 1 && ended.output.contains(" of the rated drive sets it in motion"), "\(ended)")
        let text = "version: 1\nactuators:\n  - name: main\n    backend: simulated\n\(blocks.first ?? "")\n"
        let daemon = try Daemon(["--config", try folder.write(text, to: "tuned.yaml")], in: folder)
        let actuators = try daemon.connect().result("actuators")["actuators"] as? [[String: Any]]
        #expect(actuators?.first?.object("motor").number("minPulseMs") ?? 0 > 0, "\(actuators ?? [])")
        let short = try folder.write("y\nn\n", to: "short")
        let broken = try runCtl(["tune", "main", "--simulate", "--answers", short], in: folder)
        #expect(broken.status == 1 && broken.errors.contains("\(short) has too few answers"), "\(broken)")
    }

    @Test("In the profile quiet nothing is measured, and what to do is said")
    func quiet() throws {
        let daemon = try Daemon()
        let answers = try daemon.folder.write(String(repeating: "y\n", count: 300), to: "answers")
        #expect(try daemon.ctl("profile", "quiet").status == 0)
        let ended = try daemon.ctl("tune", "main", "--answers", answers)
        #expect(ended.status == 1 && !ended.output.contains("motor:"), "\(ended)")
        #expect(ended.errors.contains("was played as tune at 50% on main, so nothing can be measured"), "\(ended)")
        #expect(ended.errors.contains("the profile `full`"), "\(ended)")
    }

    @Test("An actuator that is not there is said first")
    func unknown() throws {
        let ended = try Daemon().ctl("tune", "nosuch")
        #expect(ended.status == 1 && ended.output.isEmpty, "\(ended)")
        #expect(ended.errors == "unknown actuator `nosuch`; there is `main`\n", "\(ended)")
    }
}
