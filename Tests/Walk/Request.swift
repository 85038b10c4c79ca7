// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import TestSupport

/// What a `play` of a walk asks for, in the oracle's words.
struct Request {
    /// How it is spread over several motors; nanoseconds.
    enum Spread {
        case stagger(Int64, StaggerOrigin)
        case handOver(to: Int, Int64)
    }

    var pattern: String
    var train: Expectation.Train?
    var repetitions = 1
    var spread: Spread?
    /// In the order in which they are named; nil: all.
    var motors: [Int]?

    var steps: Int { (train?.steps ?? 1) * repetitions }
}

extension Board {
    /// What a playback is to feel like, on each motor, and whether that is known.
    func parts(of decision: Decision, _ summary: PlaySummary?, _ request: Request?) -> (parts: [Oracle.Part], isSure: Bool) {
        let chosen = decision.actuators.map(Board.number)
        let whole = expectation(of: decision, summary, request)
        var parts = chosen.map { Oracle.Part(motor: $0, expectation: whole) }
        // Where a profile put another pattern in its place that is played on all at once.
        guard let request, request.pattern == decision.pattern, let spread = request.spread else { return (parts, true) }
        switch spread {
        case .handOver(let to, let length):
            // Where one side is missing the other plays it as it is.
            guard chosen.count > 1, chosen.contains(to) else { return (parts, true) }
            for index in parts.indices { parts[index].expectation.fade = .init(takes: chosen[index] == to, length: length) }
            return (parts, true)
        case .stagger(let interval, let origin):
            let wanted = request.motors ?? Array(motors.indices)
            // Whoever is missing makes the others begin earlier, unless only nothing is felt there.
            let isSure = chosen == wanted
            for index in parts.indices {
                let turns = isSure ? Self.turn(index, of: chosen.count, origin) : wanted.count - 1
                parts[index].expectation.delay = interval * Int64(turns)
            }
            return (parts, isSure)
        }
    }

    /// How many come before the one at `position`, of `count`: from the centre to both sides two at a time.
    private static func turn(_ position: Int, of count: Int, _ origin: StaggerOrigin) -> Int {
        switch origin {
        case .first: position
        case .last: count - 1 - position
        case .center: position < count / 2 ? (count - 1) / 2 - position : position - count / 2
        }
    }

    /// Where a profile put another pattern in its place that is played once.
    private func expectation(of decision: Decision, _ summary: PlaySummary?, _ request: Request?) -> Expectation {
        if let movement = movements[decision.pattern!] {
            return Expectation(movement, gain: decision.intensity!.value / movement.peak)
        }
        let shape = shapes[decision.pattern!]!
        let gain = decision.intensity!.value / shape.peak
        guard let request, request.pattern == shape.name,
            summary.map({ $0.steps == request.steps }) ?? (request.train?.isRhythm == true)
        else {
            return Expectation(shape, gain: gain, train: nil, repetitions: 1)
        }
        return Expectation(shape, gain: gain, train: request.train, repetitions: request.repetitions)
    }
}

/// Random inputs.
struct Inputs {
    let board: Board
    let options: Options

    /// An item of a batch, and what is to be felt of it where it is a `play`.
    func item(_ now: MonotonicInstant, _ random: inout SplitMix64) -> (item: BatchItem, request: Request?) {
        let client = ClientIdentity(
            connection: UInt64.random(in: 0..<4, using: &random), user: UInt32.random(in: 0..<3, using: &random))
        let id = has(.namedSources) ? [nil, "a", "b", "c", "d", "e"].randomElement(using: &random)! : nil
        var request: Request?
        let kind: Input.Kind
        switch Int.random(in: 0..<14, using: &random) {
        case 0 where has(.cancels):
            let targets: [CancelTarget] = [
                .all, .source(id: id ?? "a"), .playback(PlaybackID(UInt64.random(in: 1...50, using: &random))),
            ]
            let mode: CancelMode = Bool.random(using: &random) ? .graceful : .immediate
            return (.cancel(CancelRequest(client: client, target: targets.randomElement(using: &random)!, mode: mode)), nil)
        case 1 where has(.profiles):
            let profile = Bool.random(using: &random) ? Profile.full : Profile.allCases.randomElement(using: &random)!
            return (.set(profile), nil)
        case 2: kind = .release
        case 3...5 where has(.events):
            let names = ["payment.succeeded", "sync.state", "sync.other", "nothing"]
            let values: [Scalar?] = [nil, .null, .string("failed"), .number(1), .bool(true)]
            kind = .event(
                EventInput(
                    name: names.randomElement(using: &random)!, value: values.randomElement(using: &random)!,
                    feedbackClass: Bool.random(using: &random) ? .alarm : nil))
        case 6...9:
            let play = play(&random)
            (kind, request) = (.play(play.input), play.request)
        default:
            kind = .progress(ProgressInput(value: Progress(Double(Int.random(in: 0...50, using: &random)) / 50)!))
        }
        let age: Int64 = has(.oldInputs) ? [0, 0, 0, 50, 5000].randomElement(using: &random)! : 0
        return (.input(Input(client: client, id: id, at: now - .milliseconds(age), kind: kind)), request)
    }

    private func has(_ feature: Options.Feature) -> Bool { options.features.contains(feature) }

    private func play(_ random: inout SplitMix64) -> (input: PlayInput, request: Request) {
        let pattern = board.playable.randomElement(using: &random)!
        var request = Request(pattern: pattern.name)
        var train: StepTrain?
        if has(.trains), Bool.random(using: &random) {
            let steps = Int.random(in: 2...77, using: &random)
            let length = Nanoseconds.milliseconds(Int64.random(in: 1...3000, using: &random))
            let isCharge = Bool.random(using: &random)
            train = StepTrain(steps: steps, duration: length, curve: isCharge ? .charge : .linear)
            request.train = .init(steps: steps, length: length.count, isCharge: isCharge)
        }
        if has(.repetitions) { request.repetitions = Int.random(in: 1...3, using: &random) }
        var actuators: [ActuatorIndex]?
        if Bool.random(using: &random) {
            let chosen = board.motors.indices.filter { _ in Bool.random(using: &random) }
            if !chosen.isEmpty {
                actuators = chosen.map { ActuatorIndex($0) }
                request.motors = chosen
            }
        }
        let input = PlayInput(
            pattern: pattern, train: train, intensity: Intensity(Double.random(in: 0.02...1, using: &random))!,
            feedbackClass: FeedbackClass.allCases.randomElement(using: &random)!, actuators: actuators,
            repetitions: request.repetitions, endsWithClient: has(.awaited) && Bool.random(using: &random))
        return (input, request)
    }
}

extension BatchItem {
    static func set(_ profile: Profile) -> BatchItem { .change(SettingsChange(profile: .set(profile))) }
}
