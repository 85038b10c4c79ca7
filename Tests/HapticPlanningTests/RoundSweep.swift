// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import HapticPatterns
import TestSupport

@testable import HapticPlanning

/// Random repetitions on random motors, each simulated with all of its rounds and as `Channel.preview` does it.
struct RoundSweep {
    private var random: SplitMix64
    /// The repetitions of which rounds were left out.
    private(set) var shortened = 0
    /// And those of which each round was simulated.
    private(set) var whole = 0

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// Returns the difference if there is one.
    mutating func next() -> String? {
        let actuator = actuator()
        let (plan, entry, fit) = (plan(), entry(), Bool.random(using: &random))
        let (channel, now) = past(of: actuator)
        var work = WorkBudget(.max)
        guard let preview = channel.preview(plan, entry, fit: fit, at: now, work: &work) else { return "no work was left" }
        let reference = channel.wholePreview(plan, entry, fit: fit, at: now)
        let cost = plan.roundCost(within: actuator.limits, isFitted: actuator.motor != nil)
        if let cost, case .repeated(_, let times) = plan {
            let rounds = min(times, PlaybackPlan.leastRounds) + (Int.max - work.left) / cost
            if rounds < times { shortened += 1 } else { whole += 1 }
        }
        let isSame =
            preview.counts == reference.counts && preview.tally?.peak == reference.tally?.peak
            && preview.tally.map { $0.pulsesRunTogether > 0 } == reference.tally.map { $0.pulsesRunTogether > 0 }
            && preview.isContinued == reference.isContinued
        return isSame ? nil : "\(preview) instead of \(reference) for \(plan.frameCount) frames on \(actuator), fitted: \(fit)"
    }

    // MARK: What there is

    private mutating func milliseconds(_ range: ClosedRange<Int64>) -> Nanoseconds {
        let time = Nanoseconds.milliseconds(Int64.random(in: range, using: &random))
        return one(of: 5) ? time + Nanoseconds(Int64.random(in: 0..<1_000_000, using: &random)) : time
    }

    private mutating func one(of count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private mutating func share(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }

    private mutating func actuator() -> EngineActuator {
        let models: [MotorModel?] = [
            nil, .fast,
            MotorModel(
                kind: .erm, rise: .milliseconds(89), fall: .milliseconds(35), start: Share(0.4)!, hold: Share(0.2)!),
            MotorModel(kind: .erm, rise: .milliseconds(200), fall: .milliseconds(300)),
            MotorModel(kind: .lra, rise: .milliseconds(20), fall: .milliseconds(60)),
        ]
        let capabilities: [ActuatorCapabilities] = [
            .bridge, ActuatorCapabilities(variesIntensity: true, variesSharpness: false),
            ActuatorCapabilities(variesIntensity: false, variesSharpness: false),
        ]
        var limits = MotorLimits.none
        if one(of: 2) { limits.minGap = milliseconds(0...40) }
        if one(of: 3) { limits.maxOn = milliseconds(10...500) }
        if one(of: 3) { limits.minInterval = milliseconds(1...30) }
        if one(of: 2) { limits.duty = Share(share(0.05...0.6))! }
        return EngineActuator(
            name: "motor", capabilities: capabilities.randomElement(using: &random)!, limits: limits,
            motor: models.randomElement(using: &random)!, isFitted: !one(of: 5))
    }

    private mutating func plan() -> PlaybackPlan {
        let pattern = pattern()
        var train: StepTrain?
        if one(of: 3) {
            let steps = Int.random(in: 1...12, using: &random)
            let curve: StepTrain.Ramp = one(of: 2) ? .charge : .linear
            train =
                one(of: 3)
                ? StepTrain(rhythmOf: steps, every: milliseconds(5...200))
                : StepTrain(steps: steps, duration: milliseconds(10...2000), curve: curve)
        }
        return PlaybackPlan(
            pattern: pattern, train: train, repetitions: Int.random(in: 2...70, using: &random),
            gain: one(of: 3) ? Gain(Intensity(share(0.05...1))!) : .one, sharpness: one(of: 4) ? Sharpness(share(0...1))! : nil)
    }

    private mutating func pattern() -> PlayablePattern {
        var (at, keyframes) = (one(of: 4) ? milliseconds(1...50) : .zero, [Keyframe]())
        let glides = one(of: 2)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let intensity = one(of: 4) ? 0 : share(0...1)
            let curve: Easing = glides && !one(of: 3) ? .linear : .step
            keyframes.append(
                Keyframe(at: at, intensity: Intensity(intensity)!, sharpness: Sharpness(share(0...1))!, curve: curve))
            at += milliseconds(1...(one(of: 4) ? 500 : 60))
        }
        keyframes.append(Keyframe(at: at, intensity: .zero, sharpness: .zero, curve: .step))
        if one(of: 2) {
            keyframes.append(Keyframe(at: at + milliseconds(1...400), intensity: .zero, sharpness: .zero, curve: .step))
        }
        return PlayablePattern(try! Pattern(name: "random", tracks: [.keyframes(keyframes)]))
    }

    private mutating func entry() -> Entry {
        var entry = Entry(glides: !one(of: 4))
        if one(of: 4) { entry.delay = milliseconds(0...300) }
        if one(of: 10) { entry.crossFade = CrossFade(takes: one(of: 2), duration: milliseconds(1...1000)) }
        return entry
    }

    /// A motor that has played something, or still plays it, at the instant returned.
    private mutating func past(of actuator: EngineActuator) -> (Channel, MonotonicInstant) {
        var channel = Channel(index: ActuatorIndex(0), actuator: actuator)
        var now = MonotonicInstant.zero + milliseconds(0...5000)
        guard one(of: 2) else { return (channel, now) }
        let times = Int.random(in: 1...5, using: &random)
        let plan = PlaybackPlan(pattern: pattern(), train: nil, repetitions: times, gain: .one, sharpness: nil)
        channel.begin(PlaybackID(1), plan, Entry(), at: now, after: nil)
        let end = now + milliseconds(0...3000)
        var orders = NoOrders()
        while channel.nextDeadline <= end {
            now = max(now, channel.nextDeadline)
            if channel.hasEnded(by: now) {
                channel.finish()
            } else {
                channel.planAhead(to: now + .milliseconds(100), now: now, into: &orders)
            }
        }
        return (channel, end)
    }
}

extension Channel {
    /// As `preview`, of each round.
    fileprivate func wholePreview(_ plan: PlaybackPlan, _ entry: Entry, fit: Bool, at now: MonotonicInstant) -> Preview {
        var output = revocable.output(at: now)
        let motion = motion(before: plan, entry, at: now)
        if motion == nil || !output.output.isOn { _ = output.stop(at: now) }
        output.begin(fit: fit, isTrain: plan.steps > 1, at: now)
        var course = Course(fitted(plan, entry), entry, at: now, after: motion)
        while let next = course.upcoming.next {
            while output.nextEvent < next.at { _ = output.elapse(at: output.nextEvent) }
            _ = output.request(next, among: course.upcoming)
            course.advance()
        }
        output.settleWhole()
        return Preview(counts: output.counts, tally: output.tally(until: now), isContinued: motion != nil)
    }
}

private struct NoOrders: OrderSink {
    var free: Int { 1000 }
    mutating func append(_ order: ActuationOrder) {}
}
