// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning
import TestSupport
import Testing

@testable import HapticEngine

@Suite("Invariants of the engine at random")
struct RandomWalkTests {
    private static let actuators = [
        EngineActuator(name: "free"),
        EngineActuator(
            name: "erm", capabilities: ActuatorCapabilities(variesIntensity: true, variesSharpness: false),
            limits: MotorLimits(minGap: .milliseconds(20), maxOn: .milliseconds(400), duty: Share(0.4)!)),
        EngineActuator(
            name: "onOff", capabilities: ActuatorCapabilities(variesIntensity: false, variesSharpness: false),
            limits: MotorLimits(minGap: .milliseconds(9))),
    ]
    private static let bounds = EngineBounds(sources: 12, sourcesPerUser: 8, playbacks: 2, sourceTimeout: .seconds(5))

    @Test("The invariants hold after each of 20,000 inputs")
    func walk() {
        var random = SplitMix64(seed: testSeed)
        var bench = Bench(.bench(actuators: Self.actuators, complete: "success", bounds: Self.bounds))
        var inputs = 0
        for _ in 1...20_000 {
            inputs += step(&bench, &random)
            guard check(bench, inputs) else {
                Issue.record("HAPTICD_SEED=\(testSeed) repeats it, input \(inputs)")
                return
            }
        }
        bench.take(.shutdown)
        checkRecord(bench)
    }

    /// One random call into the engine; returns how many inputs it held.
    private func step(_ bench: inout Bench, _ random: inout SplitMix64) -> Int {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: bench.take(.connectionClosed(UInt64.random(in: 0..<3, using: &random)))
        case 1:
            let index = ActuatorIndex(Int.random(in: 0..<3, using: &random))
            bench.take(.actuator(index, isAvailable: Int.random(in: 0..<3, using: &random) > 0))
        case 2: bench.run(for: .milliseconds(Int64.random(in: 0...3000, using: &random)))
        case 3...8: bench.run(for: .microseconds(Int64.random(in: 0...20_000, using: &random)))
        case 9:
            let batch = (0..<Int.random(in: 1...6, using: &random)).map { _ in item(bench.now, &random) }
            bench.send(batch)
            return batch.count { if case .input = $0 { true } else { false } }
        default:
            let item = item(bench.now, &random)
            bench.send([item])
            if case .input = item { return 1 }
        }
        return 0
    }

    private func item(_ now: MonotonicInstant, _ random: inout SplitMix64) -> BatchItem {
        let client = ClientIdentity(
            connection: UInt64.random(in: 0..<3, using: &random), user: UInt32.random(in: 0..<3, using: &random))
        let id = [nil, "a", "b", "c", "d", "e"].randomElement(using: &random)!
        let pattern = PlayablePattern.bench.values.sorted { $0.name < $1.name }.randomElement(using: &random)!
        let kind: Input.Kind
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            return .cancel(
                CancelRequest(
                    client: client, target: [.all, .source(id: id ?? "a")].randomElement(using: &random)!,
                    mode: CancelMode.allCases.randomElement(using: &random)!))
        case 1: return .set(Bool.random(using: &random) ? .full : Profile.allCases.randomElement(using: &random)!)
        case 2: kind = .release
        case 3...5:
            let names = ["payment.succeeded", "sync.state", "sync.other", "nothing"]
            let values: [Scalar?] = [nil, .null, .string("failed"), .number(1), .bool(true)]
            kind = .event(
                EventInput(
                    name: names.randomElement(using: &random)!, value: values.randomElement(using: &random)!,
                    feedbackClass: Bool.random(using: &random) ? .alarm : nil))
        case 6...7:
            let steps = Int.random(in: 1...40, using: &random)
            let actuators = [nil, [0], [1, 2], [0, 2]].randomElement(using: &random)!?.map { ActuatorIndex($0) }
            kind = .play(
                PlayInput(
                    pattern: pattern, train: Bool.random(using: &random) ? StepTrain(steps: steps) : nil,
                    intensity: Intensity(Double.random(in: 0...1, using: &random))!,
                    feedbackClass: FeedbackClass.allCases.randomElement(using: &random)!, actuators: actuators,
                    repetitions: Int.random(in: 1...3, using: &random), endsWithClient: Bool.random(using: &random)))
        default: kind = .progress(ProgressInput(value: Progress(Double(Int.random(in: 0...50, using: &random)) / 50)!))
        }
        let age = Nanoseconds.milliseconds([0, 0, 0, 50, 5000].randomElement(using: &random)!)
        return .input(Input(client: client, id: id, at: now - age, kind: kind))
    }

    /// What must hold at every moment.
    private func check(_ bench: borrowing Bench, _ inputs: Int) -> Bool {
        let leftOn = Self.actuators.indices.filter { index in
            guard let last = bench.actuations.last(where: { $0.actuator.value == index }), last.level.isOn else { return false }
            return last.planned <= bench.now + PlanningContract.lead
        }
        let failures = [
            (leftOn.isEmpty, "with an on, its end has not been handed out: \(leftOn)"),
            (bench.decisions.count == inputs, "\(bench.decisions.count) decisions on \(inputs) inputs"),
            (bench.engine.sourceCount <= Self.bounds.sources, "too many sources"),
            (bench.engine.playbackCount <= Self.bounds.playbacks, "too many playbacks"),
            (bench.engine.nextDeadline > bench.now, "something that is due was left undone"),
        ].filter { !$0.0 }.map(\.1)
        #expect(failures == [])
        return failures.isEmpty
    }

    /// What must hold of the whole record: it is walked once, so the walk stays linear.
    private func checkRecord(_ bench: borrowing Bench) {
        let again: Comment = "HAPTICD_SEED=\(testSeed) repeats it"
        let begun = bench.decisions.compactMap { $0.outcome == .played ? $0.playback : nil }
        #expect(begun.count > 500, again)
        #expect(Set(begun).count == begun.count, again)
        #expect(bench.ends.map(\.playback).sorted() == begun.sorted(), again)
        #expect(bench.decisions.map(\.sequence) == (1...UInt64(bench.decisions.count)).map { $0 }, again)
        #expect(bench.actuations.allSatisfy { (0...1).contains($0.level.intensity.value) }, again)
        let endOf = Dictionary(uniqueKeysWithValues: bench.ends.map { ($0.playback, $0.at) })
        for (index, actuator) in Self.actuators.enumerated() {
            let got = bench.actuations.filter { $0.actuator.value == index }
            #expect(got.map(\.planned) == got.map(\.planned).sorted(), again)
            #expect(got.last?.level.isOn == false, again)
            let joined = zip(got, got.dropFirst()).count { $0.level.isOn && $1.level.isOn && $0.playback != $1.playback }
            #expect(joined == 0, again)
            #expect(got.allSatisfy { $0.planned <= endOf[$0.playback]! }, again)
            let pulses = bench.pulses(on: index)
            #expect(zip(pulses, pulses.dropFirst()).allSatisfy { $1.start - $0.end >= actuator.limits.minGap }, again)
            #expect(pulses.allSatisfy { $0.end - $0.start <= actuator.limits.maxOn ?? .seconds(3600) }, again)
        }
    }
}
