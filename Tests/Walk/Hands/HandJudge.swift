// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine

/// Holds what the engine decides on holds, sets and tasks against models that share no code with it. What is to be felt of it is the oracle's.
struct HandJudge {
    private(set) var complaint: String?
    private(set) var seen = Sometimes()
    private(set) var holds = HoldModel()
    private(set) var tasks = TaskModel()
    private var sets = SetModel()
    /// What has to come by itself and has not, since when.
    private var dueHolds: [HoldModel.Key: [HoldModel.Happening]] = [:]
    private var dueTasks: [TaskModel.Key: String] = [:]
    private var dueAt: Int64 = 0

    /// `event` has happened, and this came of it.
    mutating func took(_ event: EngineEvent, at now: MonotonicInstant, _ results: [ItemResult], _ actions: [EngineAction]) {
        let now = now.nanoseconds
        if now > dueAt { checkNothingIsDue() }
        dueAt = now
        var itemCount = 0
        switch event {
        case .batch(let batch, _):
            itemCount = batch.count
            for (item, result) in zip(batch, results) { judge(result, on: item, at: now) }
        case .connectionClosed(let connection):
            expect(holds.connectionClosed(connection, at: now))
            if sets.connectionClosed(connection) { seen.note(.setDropped) }
        case .slept(let time):
            expect(holds.slept())
            sets.slept(time.count)
            tasks.slept(time.count)
        case .shutdown: expect(holds.removeAll())
        case .holdsWait(let wait):
            holds.areWaiting = wait
            seen.note(.holdsWaited)
        // They come before all that is due.
        case .refusal, .configuration: return
        case .actuator, .settings, .localTime, .time: break
        }
        expect(holds.advance(to: now))
        for (key, what) in tasks.advance(to: now) { dueTasks[key] = what }
        for case .held(let change) in actions { judge(change) }
        for case .decided(let decision, _) in results.dropFirst(itemCount) { judgeByItself(decision) }
    }

    private mutating func fail(_ message: String) { if complaint == nil { complaint = message } }

    private mutating func expect(_ happenings: [(HoldModel.Key, [HoldModel.Happening])]) {
        for (key, more) in happenings { dueHolds[key, default: []] += more }
    }

    /// Nothing is put off.
    private mutating func checkNothingIsDue() {
        if let (key, due) = dueHolds.first(where: { !$0.value.isEmpty }) {
            fail("of hold \(key) there was to come, at \(dueAt): \(due)")
        }
        if let (key, due) = dueTasks.first { fail("task \(key) was to be \(due) at \(dueAt)") }
        dueHolds = [:]
    }

    // MARK: What is said

    private mutating func judge(_ result: ItemResult, on item: BatchItem, at now: Int64) {
        switch (item, result) {
        case (.input(let input), .decided(let decision, _)): judge(decision, on: input, at: now)
        case (.cancel(let request), _) where request.untilResumed: expect(holds.suspend(at: now))
        default: break
        }
    }

    private mutating func judge(_ decision: Decision, on input: Input, at now: Int64) {
        switch input.kind {
        case .hold(let hand):
            let wanted = holds.take(hand, of: input, at: now)
            let isFelt = wanted == .pressed && HoldModel.isFelt(input)
            let isRight =
                isFelt
                ? decision.pattern != nil && decision.reason != .pressed
                : decision.reason == wanted && decision.outcome != .played && decision.pattern == nil
            if !isRight { fail("hold \(hand) is to be \(wanted): \(decision)") }
            if isFelt, decision.outcome == .played { seen.note(.holdPressFelt) }
            switch wanted {
            case .reserved: seen.note(.holdReserved)
            case .duplicate: seen.note(.holdTwice)
            case .renewed: seen.note(.leaseRenewed)
            case .notAllowed: seen.note(.holdOfOther)
            case .quota: seen.note(.holdQuota)
            default: break
            }
        case .task(let state):
            let wanted = tasks.take(state, of: input, at: now)
            let own: Set<Reason> = [.notPending, .duplicate, .noRule]
            let isRight = wanted.map { $0 == decision.reason } ?? !(decision.reason.map(own.contains) ?? false)
            if !isRight { fail("task \(state) is to be \(wanted.map(\.rawValue) ?? "felt"): \(decision)") }
            switch wanted {
            case .duplicate: seen.note(.taskTwice)
            case .quota: seen.note(.taskQuota)
            case nil where decision.outcome == .played: seen.note(.taskFelt)
            default: break
            }
        case .present(let present): judge(decision, sets.take(present, input.client, at: now))
        case .event(let event):
            let isReserved = input.client.connection != 0 && event.name.hasPrefix("\(HoldModel.device).")
            if isReserved != (decision.reason == .reserved) { fail("an event of a reserved name: \(decision)") }
        case .progress, .release, .play: break
        }
    }

    private mutating func judge(_ decision: Decision, _ wanted: SetModel.Outcome) {
        let isRight: Bool
        switch wanted {
        case .noRule: isRight = decision.reason == .noRule && decision.things == nil
        case .incomplete:
            isRight = decision.reason == .incomplete && decision.things == nil
            seen.note(.setIncomplete)
        case .tooMuch:
            isRight = decision.reason == .quota && decision.bound != nil
            seen.note(.setQuota)
        case .partMissing(let reason):
            isRight = decision.reason == reason && decision.bound == nil && decision.things == nil
            seen.note(.setWithoutPart)
        case .settled(let inserted, let removed, let kept):
            let isSame = inserted + removed == 0
            isRight =
                decision.things == Decision.ThingCounts(inserted: inserted, removed: removed, kept: kept)
                && (decision.reason == .unchanged) == isSame && decision.reason != .noRule
            if isSame { seen.note(.setSame) } else if decision.outcome == .played { seen.note(.setFelt) }
        }
        if !isRight { fail("the set is to be \(wanted): \(decision)") }
    }

    // MARK: What comes by itself

    private mutating func judge(_ change: HoldChange) {
        let key = HoldModel.Key(user: change.origin == .device ? nil : change.user, id: change.id)
        came(.change(change.state, change.value.value), of: key, "\(change)")
        switch change.state {
        case .confirmed: seen.note(.holdConfirmed)
        case .released: seen.note(.holdReleased)
        case .began, .progress: break
        }
    }

    private mutating func judgeByItself(_ decision: Decision) {
        let key = HoldModel.Key(user: decision.origin == .device ? nil : decision.user, id: decision.source ?? "")
        switch (decision.input, decision.value) {
        case (.hold, .number(let value)):
            if decision.outcome == .played { seen.note(.holdFelt) }
            came(.felt(value), of: key, "\(decision)")
        case (.hold, .string("up")):
            if decision.reason == .leaseExpired { seen.note(.leaseEnded) }
            came(decision.reason == .leaseExpired ? .leaseEnded : .letGo, of: key, "\(decision)")
        case (.event, _):
            let state = [HoldChange.State.confirmed, .released].first { decision.name == "\(key.id).\($0.rawValue)" }
            guard let state else { return fail("an event of nobody: \(decision)") }
            came(.event(state), of: key, "\(decision)")
        case (.task, .string(let what)):
            let key = TaskModel.Key(user: decision.user ?? 0, id: decision.source ?? "")
            if dueTasks.removeValue(forKey: key) != what.string { fail("this was not due: \(decision)") }
            seen.note(what.string == "failed" ? .taskLate : .taskWorking)
        default: fail("nothing of this comes by itself: \(decision)")
        }
    }

    /// The changes of a hold come beside its decisions: each in its own order.
    private mutating func came(_ happening: HoldModel.Happening, of key: HoldModel.Key, _ text: String) {
        let isChange = happening.isChange
        guard let index = dueHolds[key]?.firstIndex(where: { $0.isChange == isChange }), dueHolds[key]![index] == happening else {
            return fail("not what was due, \(dueHolds[key] ?? []): \(text)")
        }
        dueHolds[key]!.remove(at: index)
        if dueHolds[key]!.isEmpty { dueHolds[key] = nil }
    }
}

extension HoldModel.Happening {
    fileprivate var isChange: Bool { if case .change = self { true } else { false } }
}
