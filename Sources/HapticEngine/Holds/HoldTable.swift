// SPDX-License-Identifier: MIT
import HapticCore

/// A press and hold, and who does it.
struct Hold: AgendaItem {
    /// The press ends at `end` unless it is repeated; a repeat that gives no time of its own lasts for `length` again.
    struct Lease: Hashable {
        var length: Nanoseconds
        var end: MonotonicInstant
    }

    let key: OwnedID
    var machine = HoldMachine()
    /// An index of the rules in force; meaningless while there is a `former` rule.
    private(set) var rule: Int
    /// The rule of an earlier configuration, in use until the hold has found its rule in the configuration in force.
    fileprivate(set) var former: HoldRule?
    /// Who pressed it last, and what it said then.
    var client: ClientIdentity
    var app: String?
    var feedback: Input.FeedbackOverride
    /// When the hand did something last.
    var lastAt: MonotonicInstant
    /// Nil: the press lasts until its client releases it, or goes.
    var lease: Lease?

    var nextDeadline: MonotonicInstant { min(machine.nextDeadline, lease?.end ?? .distantFuture) }

    /// Whether a lease is running at that instant, so that a repeat renews it.
    func isLeased(at instant: MonotonicInstant) -> Bool { lease.map { instant <= $0.end } ?? false }

    /// `rules`: of the configuration in force.
    func shape(_ rules: [HoldRule]) -> HoldShape { former?.shape ?? rules[rule].shape }

    /// Adopts the rule at `index` of `rules`, those of the configuration in force, from `now` on.
    mutating func adopt(_ index: Int, of rules: [HoldRule], at now: MonotonicInstant, isWaiting: Bool) {
        if let former { machine.reshape(from: former.shape, to: rules[index].shape, at: now, isWaiting: isWaiting) }
        (rule, former) = (index, nil)
    }

    fileprivate func ends(by now: MonotonicInstant, _ rules: [HoldRule]) -> Bool {
        min(machine.confirmation(shape(rules)), lease?.end ?? .distantFuture) <= now
    }

    /// Renews the lease, or starts one. A repeat after the end of the lease has no effect.
    mutating func renew(for time: Nanoseconds?, at instant: MonotonicInstant) {
        guard let length = time ?? lease?.length, instant <= lease?.end ?? .distantFuture else { return }
        lease = Lease(length: length, end: instant + length)
    }
}

/// The holds that are not over, bounded: no person has so many hands. Devices' have room of their own, which no client takes.
package struct HoldTable {
    static let mostOfClients = 256
    static let mostPerUser = 32
    /// The most keys, buttons and switches of a configuration, those of conditions included.
    package static let mostOfDevices = 64
    static let most = mostOfClients + mostOfDevices

    private var holds = Agenda<Hold>()
    /// Nothing comes by itself: not everything that hands have done by now may have been taken.
    var areWaiting = false
    /// The next search for rules in a new configuration; `nil` if each hold has found its rule.
    private(set) var rulesDue: MonotonicInstant?
    /// The pause between two searches, in which others have their turn.
    static let rulePause = Nanoseconds.milliseconds(1)

    var isEmpty: Bool { holds.count == 0 }
    /// When the first hold has something to do; `distantFuture` if none has. During a search for rules no hold proceeds: the patterns and
    /// actuators of a former rule may not exist any more.
    var nextDeadline: MonotonicInstant { areWaiting ? .distantFuture : rulesDue ?? holds.nextDeadline }

    /// Whether a press is confirmed, or its lease ends, by `now` if nothing more is known of its hand.
    func hasEnd(by now: MonotonicInstant, _ rules: [HoldRule]) -> Bool {
        guard nextDeadline <= now else { return false }
        return holds.contains { $0.ends(by: now, rules) }
    }

    /// Those that `hasEnd` means, also while they wait.
    func ends(by now: MonotonicInstant, _ rules: [HoldRule]) -> [Hold] {
        isEmpty ? [] : holds.inOrder.filter { $0.ends(by: now, rules) }
    }

    /// Whether another one of this user, or (nil) of a device, has room.
    func hasRoom(for user: UInt32?) -> Bool {
        let ofDevices = holds.count(of: nil)
        guard let user else { return ofDevices < Self.mostOfDevices }
        return holds.count - ofDevices < Self.mostOfClients && holds.count(of: user) < Self.mostPerUser
    }

    subscript(key: OwnedID) -> Hold? { holds[key] }

    /// Keeps it, or forgets it where it is over.
    mutating func put(_ hold: Hold) {
        if hold.machine.isOver { holds.remove(hold.key) } else { holds.put(hold) }
    }

    /// The one that has something by `now`, of several the one that has waited longest; nil: none has.
    func due(by now: MonotonicInstant) -> Hold? { areWaiting || rulesDue != nil ? nil : holds.due(by: now) }

    /// All whose connection this is.
    func ofConnection(_ connection: UInt64) -> [Hold] {
        isEmpty ? [] : holds.inOrder.filter { !$0.client.isDevice && $0.client.connection == connection }
    }

    /// Keeps each hold's rule of the former configuration, whose rules are `old`, and begins a search at `now`.
    mutating func outdateRules(_ old: [HoldRule], at now: MonotonicInstant) {
        guard !isEmpty else { return }
        holds.changeAll { if $0.former == nil { $0.former = old[$0.rule] } }
        rulesDue = now
    }

    /// Holds without a rule of the configuration in force.
    var outdatedCount: Int { rulesDue == nil ? 0 : holds.inOrder.count { $0.former != nil } }

    /// Finds the rules of as many outdated holds as `work` pays for; the others follow at `rulesDue`. The new shapes count from `now` on.
    ///
    /// - Returns: The removed holds: those without a rule, and clients' holds whose id is reserved now, which nobody could release.
    mutating func findRules(_ rules: Rules, at now: MonotonicInstant, work: WorkBudget) -> [Hold] {
        var (work, forgotten) = (work, [Hold]())
        let (new, cost) = (rules.configuration, rules.costs.holds)
        rulesDue = nil
        for var hold in holds.inOrder where hold.former != nil {
            let units = hold.key.user == nil ? new.holdRules.count : cost.units(hold.key.id.utf8.count)
            // A search beyond the budget of a line would refuse the press, too.
            let isAffordable = units <= WorkBudget.line
            guard !isAffordable || work.take(units) else {
                rulesDue = now + Self.rulePause
                break
            }
            let isReserved = hold.key.user != nil && new.reserved.names.contains(hold.key.id)
            if isAffordable, !isReserved, let found = HoldRule.index(for: hold.key, among: new.holdRules) {
                hold.adopt(found, of: new.holdRules, at: now, isWaiting: areWaiting)
                holds.put(hold)
            } else {
                holds.remove(hold.key)
                forgotten.append(hold)
            }
        }
        return forgotten
    }

    /// Forgets all of them, and returns them.
    mutating func removeAll() -> [Hold] {
        rulesDue = nil
        defer { holds.removeAll() }
        return holds.inOrder
    }
}
