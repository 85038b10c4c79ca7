// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import TestSupport
import Testing

/// Somebody who holds a motor, not quite sure of what they feel.
private struct Person {
    /// The least acceleration that is felt, and the least dip that makes two of one.
    var threshold = 0.1
    var dip = 0.2
    /// How often an answer is just wrong.
    var slips = 0.02
    /// How much what is felt varies from one trial to the next, as a share.
    var noise = 0.1
    var random: SplitMix64

    mutating func answer(_ trial: Tuning.Trial, of motor: MotorModel) -> Bool {
        let length = trial.stimulus.duration + .milliseconds(400)
        let felt = SampledEnvelope(motor, driven: trial.stimulus.changes, length: length).smoothed.samples
        let varied = 1 + noise * Double.random(in: -1...1, using: &random)
        let isYes =
            switch trial.quantity {
            case .minPulse, .start: (felt.max() ?? 0) >= threshold * varied
            // What is felt long after the kick.
            case .hold: felt.indices.contains(900) && felt[900] >= threshold * varied
            case .gap: isTwo(felt, dip: dip * varied)
            }
        return Double.random(in: 0..<1, using: &random) < slips ? !isYes : isYes
    }

    /// Whether there is a dip below the lower one of the peaks on both of its sides.
    private func isTwo(_ felt: [Double], dip: Double) -> Bool {
        var (before, after) = (0.0, [Double]())
        for value in felt.reversed() { after.append(max(value, after.last ?? 0)) }
        return zip(felt, after.reversed()).contains { value, after in
            before = max(before, value)
            return min(before, after) >= threshold && value <= (1 - dip) * min(before, after)
        }
    }
}

@Suite("Tuning by questions")
struct TuningTests {
    private func tuned(
        _ motor: MotorModel, levels: Bool = true, seed: UInt64 = 1, answer: (Tuning.Trial) -> Bool
    ) throws -> Tuning.Outcome {
        var tuning = Tuning(motor.kind, levels: levels, seed: seed)
        var asked = 0
        while let trial = tuning.trial {
            asked += 1
            #expect(trial.number == asked)
            #expect(asked <= Tuning.mostTrials)
            #expect(tuning.outcome == nil)
            tuning.answer(answer(trial))
        }
        return try #require(tuning.outcome)
    }

    private func tuned(_ motor: MotorModel, levels: Bool = true, seed: UInt64 = 1, by person: Person) throws -> Tuning.Outcome {
        var person = person
        return try tuned(motor, levels: levels, seed: seed) { person.answer($0, of: motor) }
    }

    /// What a person feels of the start and the hold of a motor cannot be less than their threshold.
    @Test("The block that is found is near the truth", arguments: MotorLibrary.motors.filter { $0.model.kind == .erm })
    func found(motor: NamedMotor) throws {
        let truth = motor.model
        for seed in 1...3 as ClosedRange<UInt64> {
            let outcome = try tuned(truth, seed: seed, by: Person(random: SplitMix64(seed: seed)))
            let model = try #require(outcome.model)
            #expect(outcome.doubts.isEmpty, "\(motor.name) \(seed)")
            #expect(model.mistakes.isEmpty, "\(motor.name) \(seed)")
            let (up, down) = (model.rise.inSeconds / truth.rise.inSeconds, model.fall.inSeconds / truth.fall.inSeconds)
            #expect((0.8...1.3).contains(up), "\(motor.name) \(seed): \(up), \(down)")
            #expect((0.8...1.4).contains(down), "\(motor.name) \(seed): \(up), \(down)")
            let start = max(truth.start.value, 0.1.squareRoot())
            #expect(abs(model.start.value - start) <= 0.08, "\(motor.name) \(seed): \(model.start.value)")
            let hold = max(truth.hold.value, 0.1.squareRoot())
            #expect(abs(model.hold.value - hold) <= 0.08, "\(motor.name) \(seed): \(model.hold.value)")
            #expect(outcome.trials <= 140)
            #expect(outcome.catches * 4 >= outcome.trials - 8)
        }
    }

    @Test("A person who feels less than others gives much the same motor")
    func feelsLess() throws {
        // trap: the library has it.
        let truth = MotorLibrary.motor(named: "coin")!.model
        for (threshold, dip) in [(0.06, 0.15), (0.15, 0.3)] {
            var person = Person(random: SplitMix64(seed: 7))
            (person.threshold, person.dip) = (threshold, dip)
            let model = try #require(try tuned(truth, by: person).model)
            let (up, down) = (model.rise.inSeconds / truth.rise.inSeconds, model.fall.inSeconds / truth.fall.inSeconds)
            #expect((0.6...1.7).contains(up), "\(threshold): \(up), \(down)")
            #expect((0.6...2).contains(down), "\(threshold): \(up), \(down)")
        }
    }

    @Test("A person who says yes to everything is detected")
    func yes() throws {
        let outcome = try tuned(MotorModel(kind: .erm, rise: .milliseconds(193), fall: .milliseconds(75))) { _ in true }
        #expect(outcome.doubts.contains { if case .guessed = $0 { true } else { false } })
    }

    @Test("A person who guesses half of the time is detected")
    func guesses() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            let outcome = try tuned(MotorModel(kind: .erm, rise: .milliseconds(193), fall: .milliseconds(75)), seed: seed) { _ in
                Bool.random(using: &random)
            }
            #expect(!outcome.doubts.isEmpty, "\(seed)")
        }
    }

    @Test("One slip in a catch trial is forgiven")
    func slip() throws {
        var slips = 1
        // trap: the library has it.
        let truth = MotorLibrary.motor(named: "fast-erm")!.model
        var person = Person(random: SplitMix64(seed: 3))
        person.slips = 0
        let outcome = try tuned(truth) { trial in
            guard trial.isCatch, slips > 0 else { return person.answer(trial, of: truth) }
            slips -= 1
            return true
        }
        #expect(outcome.guesses == 1)
        #expect(outcome.doubts.isEmpty)
    }

    @Test("A motor that is never felt is reported soon")
    func neverFelt() throws {
        let outcome = try tuned(MotorModel(kind: .erm, rise: .milliseconds(193), fall: .milliseconds(75))) { _ in false }
        #expect(outcome.doubts == [.notFound(.minPulse)])
        #expect(outcome.model == nil)
        #expect(outcome.trials < 20)
    }

    @Test("For an on/off line there are only questions about pulses and gaps")
    func onOff() throws {
        // trap: the library has it.
        let truth = MotorLibrary.motor(named: "pinephone")!.model
        var person = Person(random: SplitMix64(seed: 5))
        let outcome = try tuned(truth, levels: false) { trial in
            #expect([.minPulse, .gap].contains(trial.quantity))
            #expect(trial.stimulus.parts.allSatisfy { [.one, .zero].contains($0.drive) })
            return person.answer(trial, of: truth)
        }
        #expect(outcome.doubts.isEmpty)
        #expect(outcome.model?.start == .one)
        #expect(outcome.trials < 80)
    }

    @Test("The same seed and the same answers lead to the same questions")
    func repeatable() throws {
        // trap: the library has it.
        let truth = MotorLibrary.motor(named: "fast-erm")!.model
        let outcomes = try (1...2).map { _ in try tuned(truth, seed: 9, by: Person(random: SplitMix64(seed: 4))) }
        #expect(outcomes[0] == outcomes[1])
    }

    /// The shortest pulse that is played is 2 ms; of a motor that is felt of it `rise` is an upper bound.
    @Test(
        "An LRA has no level to start at, and its times are near the truth",
        arguments: MotorLibrary.motors.filter { $0.model.kind == .lra })
    func lra(motor: NamedMotor) throws {
        let truth = motor.model
        for seed in 1...3 as ClosedRange<UInt64> {
            let outcome = try tuned(truth, seed: seed, by: Person(random: SplitMix64(seed: seed)))
            let model = try #require(outcome.model)
            #expect(model.kind == .lra)
            #expect(model.start == .zero)
            #expect(model.hold == .zero)
            #expect(model.mistakes.isEmpty)
            let (up, down) = (model.rise.inSeconds / truth.rise.inSeconds, model.fall.inSeconds / truth.fall.inSeconds)
            let most = model.minPulse > .milliseconds(2) ? 1.4 : 2.6
            #expect((0.6...most).contains(up), "\(motor.name) \(seed): \(up), \(down)")
            #expect((0.6...1.4).contains(down), "\(motor.name) \(seed): \(up), \(down)")
            #expect(
                (model.minPulse > .milliseconds(2)) == !["vg0840001d", "closed-loop-lra"].contains(motor.name),
                "\(motor.name): \(model.minPulse)")
        }
    }
}
