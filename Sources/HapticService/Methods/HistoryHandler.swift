// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

extension HistoryParams: ServedCall {
    func reply(in service: FeedbackService, for client: Client, at _: MonotonicInstant) -> Reply? {
        guard service.line.resolver.work.take(History.most(self) * WorkBudget.Cost.historyEntry) else {
            return .error(WireError(.quota, "the decisions of this line are too many at once; ask for fewer in a line"))
        }
        let seesAll = service.seesOthers(client)
        var result = service.statistics.history.result(self) { !seesAll && $0.owner != client.owner }
        if result.entries.count == 1 { result.entries[0].addNearRule(by: &service.line.resolver) }
        return .result(result)
    }
}

extension HistoryEntry {
    /// Only a single entry is searched for: programs send many events that no rule matches.
    fileprivate mutating func addNearRule(by resolver: inout CallResolver) {
        // A rule with a `transition` matches and plays nothing for some changes.
        guard decision.reason == .noRule, decision.input == .event, decision.rule == nil, nearRule == nil,
            let name = decision.name, let near = resolver.nearRule(to: name)
        else { return }
        (nearRule, didYouMean) = (near.match, near.name)
    }
}
