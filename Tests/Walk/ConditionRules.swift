// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine

/// The rules of conditions: a condition changes decisions only while a connection asserts it, and never one of the class `alarm`.
struct ConditionRules {
    private(set) var complaint: String?
    /// The conditions that each connection asserts.
    private var asserted: [UInt64: Set<String>] = [:]

    /// The configurations of a walk have the same conditions, so a reload drops none.
    mutating func took(_ event: EngineEvent, _ results: [ItemResult]) {
        if case .connectionClosed(let connection) = event { asserted[connection] = nil }
        var items: [BatchItem] = []
        if case .batch(let batch, _) = event { items = batch }
        for (index, result) in results.enumerated() {
            if case .decided(let decision, _) = result { judge(decision) }
            guard index < items.count, case .condition(let request) = items[index] else { continue }
            guard case .condition(let change) = result else {
                complaint = "\(result) is no result of \(request)"
                return
            }
            take(request, change)
        }
    }

    private mutating func take(_ request: ConditionRequest, _ change: ConditionChange) {
        guard case .taken(let name, let isInForce) = change else { return }
        if request.isOn {
            asserted[request.client.connection, default: []].insert(name)
        } else {
            asserted[request.client.connection]?.remove(name)
        }
        if isInForce != isAsserted(name) { complaint = "the condition \(name) is in force: \(isInForce)" }
    }

    private mutating func judge(_ decision: Decision) {
        guard let name = decision.policy?.condition else {
            // A later item of the batch may have ended what was decided without a condition.
            if decision.reason == .condition, decision.outcome != .cancelled {
                complaint = "a condition without a name: \(decision)"
            }
            return
        }
        if decision.feedbackClass == .alarm { complaint = "a condition changes an alarm: \(decision)" }
        if !isAsserted(name) { complaint = "nobody asserts \(name): \(decision)" }
    }

    private func isAsserted(_ name: String) -> Bool { asserted.values.contains { $0.contains(name) } }
}
