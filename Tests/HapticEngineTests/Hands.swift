// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

@testable import HapticEngine

/// Rules for what a hand does.
extension EngineConfiguration {
    static func hands(
        holdRules: [HoldRule] = [.clients, .unlock], taskRules: [TaskRule] = [.any],
        eventRules: [EventRule] = [.confirmed, .player], bounds: EngineBounds = .standard
    ) -> EngineConfiguration {
        try! EngineConfiguration(
            actuators: [EngineActuator(name: "main")], eventRules: eventRules, collectionRules: [.cart], holdRules: holdRules,
            taskRules: taskRules,
            patterns: Dictionary(uniqueKeysWithValues: PlayablePattern.bench.map { (Text($0), $1) }), bounds: bounds)
    }
}

extension HoldRule {
    static let clients = HoldRule(
        match: .clients(Glob("*")), feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture), complete: "success")
    static let unlock = HoldRule(
        match: .device("unlock"), feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture), complete: "success")
}

extension TaskRule {
    static let any = TaskRule(
        match: Glob("*"), began: RuleFeedback(pattern: "light", feedbackClass: .interaction),
        succeeded: RuleFeedback(pattern: "success", feedbackClass: .notification),
        failed: RuleFeedback(pattern: "long", feedbackClass: .notification),
        working: Working(feedback: RuleFeedback(pattern: "tick", feedbackClass: .texture), upTo: .seconds(5)),
        timeout: .seconds(60))
}

extension CollectionRule {
    static let cart = CollectionRule(
        match: Glob("cart.*"), patterns: ThingPatterns(inserted: "tick", removed: "light", both: "success"),
        feedback: RuleFeedback(pattern: "tick", feedbackClass: .interaction))
}

extension EventRule {
    static let confirmed = EventRule(
        match: Glob("*.confirmed"), feedback: RuleFeedback(pattern: "light", feedbackClass: .notification))
    static let player = EventRule(
        match: Glob("player"), transition: ThingPatterns(inserted: "tick", removed: "light", both: "success"),
        feedback: RuleFeedback(pattern: "tick", feedbackClass: .interaction))
}

extension ClientIdentity {
    static let hand = ClientIdentity.device(user: 0)
}

extension Bench {
    @discardableResult
    mutating func hold(
        _ id: String, _ state: HoldState, at instant: MonotonicInstant? = nil, isDated: Bool = true, lease: Nanoseconds? = nil,
        client: ClientIdentity = Bench.ada
    ) -> Decision {
        let hand = HoldInput(state, lease: lease, isDated: isDated)
        return send([.input(Input(client: client, id: id, at: instant ?? now, kind: .hold(hand)))])[0]
    }

    @discardableResult
    mutating func task(_ id: String, _ state: TaskState, client: ClientIdentity = Bench.ada) -> Decision {
        send([.input(Input(client: client, id: id, at: now, kind: .task(state)))])[0]
    }

    @discardableResult
    mutating func present(
        _ name: String, _ ids: [String], more: Bool = false, client: ClientIdentity = Bench.ada
    ) -> Decision {
        let present = PresentInput(name: name, ids: ids.map { Text($0) }, continues: more)
        return send([.input(Input(client: client, at: now, kind: .present(present)))])[0]
    }
}
