// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import TestSupport

/// Has two sources of a seed followed: each value of theirs is felt as it is.
///
/// With random numbers of its own, so that a seed without it does what it did before there was such a thing.
struct Follower {
    /// Their ids, which are their rules' `match`, too.
    static let ids: Set<String> = ["d", "e"]

    /// One seed of three; none of those that failed before there was this.
    let isThere: Bool
    private var random: SplitMix64
    private var values: [String: Double] = [:]

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed ^ 0x666f_6c6c_6f77_011d)
        isThere = random.next() % 3 == 0
        self.random = random
    }

    var text: String { isThere ? "; followed" : "" }

    static let rules = [
        ProgressRule(
            match: Glob("d"), gate: GateConfiguration(step: 0.01),
            follow: FollowShape(detents: FollowShape.even(9), endStop: "soft"),
            feedback: RuleFeedback(pattern: "light", feedbackClass: .texture)),
        ProgressRule(
            match: Glob("e"), gate: GateConfiguration(step: 0.01),
            follow: FollowShape(spring: Spring(response: .milliseconds(300), dampingFraction: 0.3)!, detents: [Progress(0.5)!]),
            feedback: RuleFeedback(pattern: "tick", feedbackClass: .interaction, intensity: Intensity(0.7)!)),
    ]

    /// Some of the inputs become values of a followed source, or let go of it.
    mutating func arrange(_ item: BatchItem, _ request: Request?) -> (item: BatchItem, request: Request?) {
        guard isThere, case .input(var input) = item, chance(3) else { return (item, request) }
        let id = chance(2) ? "d" : "e"
        input.id = id
        if chance(10) {
            input.kind = .release
            return (.input(input), nil)
        }
        // Mostly it moves a little, sometimes it stays, seldom it jumps.
        var value = values[id] ?? 0
        if chance(8) { value = Double.random(in: 0...1, using: &random) }
        if !chance(4) { value += Double.random(in: -0.1...0.1, using: &random) }
        let progress = Progress(clamping: value)
        values[id] = progress.value
        input.kind = .progress(ProgressInput(value: progress))
        return (.input(input), nil)
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    /// Whose value `input` is, where that itself is felt. Reduced, its detents alone are, as any pattern.
    static func source(of input: Input, _ decision: Decision) -> Oracle.Source? {
        guard case .progress = input.kind, let id = input.id, let rule = decision.rule, ids.contains(rule),
            decision.policy?.profile != .reduced
        else { return nil }
        return Oracle.Source(user: input.client.user, id: id)
    }
}

/// Values that are felt as they are: off 250 ms after the last one, and a fade.
extension Oracle {
    private static let followed: Int64 = 350_000_000
    /// How long a value counts.
    private static let counting: Int64 = 250_000_000

    /// A value of `source` was decided; `motors` play it where it begins a playback.
    mutating func said(_ source: Source, _ decision: Decision, on motors: [Int], like expectation: Expectation) {
        let isFelt = decision.outcome == .played || decision.outcome == .merged
        // What was refused may have ended it.
        for (id, playback) in live where playback.followed == source && playback.saidAt != nil {
            let counts = isFelt && (decision.playback == nil || decision.playback?.value == id)
            live[id]?.saidAt = counts ? now : nil
        }
        guard isFelt else { return }
        lengthen(source)
        if decision.outcome == .merged { seen.note(.followMerged) }
        guard let id = decision.playback?.value else { return }
        if live[id] != nil {
            require(live[id]?.followed == source, "a value of \(source) goes on with playback \(id), which is another's")
            return seen.note(.followed)
        }
        for motor in motors { requireNoneIsFollowed(on: motor, before: source) }
        let parts = motors.map { Part(motor: $0, expectation: expectation) }
        began(id, (parts, false), pulses: nil, source: source, event: nil, resumes: false, user: source.user)
        live[id]?.isPlain = false
        live[id]?.followed = source
        live[id]?.saidAt = now
        lengthen(source)
    }

    /// Whose values come keeps the motor, of those that are as important: of one rule.
    private mutating func requireNoneIsFollowed(on motor: Int, before source: Source) {
        guard let id = motors[motor].owner, let playback = live[id], let other = playback.followed, let saidAt = playback.saidAt
        else { return }
        let isKept = other != source && other.id == source.id && now - saidAt < Self.counting
        // What was cancelled may be on its way out.
        require(!isKept || !playback.cancels.isEmpty || !playback.isSure, "\(source) took motor \(motor) from \(other)")
    }

    mutating func letGo(_ source: Source) {
        lengthen(source)
        for (id, playback) in live where playback.followed == source { live[id]?.saidAt = nil }
    }

    /// A source was let go, or has said a value: what is felt of it lasts so long from now on, at most.
    mutating func lengthen(_ source: Source) {
        for (id, playback) in live where playback.followed == source {
            let longest = now - playback.start + Self.followed + tail(of: playback)
            live[id]?.longest = longest
        }
    }
}
