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
    /// Of the configuration in force.
    var rule: Int
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

    fileprivate func ends(by now: MonotonicInstant, _ rules: [HoldRule]) -> Bool {
        min(machine.confirmation(rules[rule].shape), lease?.end ?? .distantFuture) <= now
    }

    /// Renews the lease, or starts one. A repeat after the end of the lease has no effect.
    mutating func renew(for time: Nanoseconds?, at instant: MonotonicInstant) {
        guard let length = time ?? lease?.length, instant <= lease?.end ?? .distantFuture else { return }
        lease = Lease(length: length, end: instant + length)
    }
}

/// The holds that are not over, bounded: no person has so many hands. Devices' have room of their own, which no client takes.
struct HoldTable {
    static let mostOfClients = 256
    static let mostPerUser = 32
    /// A configuration has no more.
    static let mostOfDevices = 64
    static let most = mostOfClients + mostOfDevices

    private var holds = Agenda<Hold>()
    /// Nothing comes by itself: not everything that hands have done by now may have been taken.
    var areWaiting = false

    var isEmpty: Bool { holds.count == 0 }
    /// When the first of them has something; `distantFuture` where none has.
    var nextDeadline: MonotonicInstant { areWaiting ? .distantFuture : holds.nextDeadline }

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
    func due(by now: MonotonicInstant) -> Hold? { areWaiting ? nil : holds.due(by: now) }

    /// All whose connection this is.
    func ofConnection(_ connection: UInt64) -> [Hold] {
        isEmpty ? [] : holds.inOrder.filter { !$0.client.isDevice && $0.client.connection == connection }
    }

    /// Looks for the rule of each in another configuration, whose shape counts from `now` on. Those that have none are forgotten, and
    /// returned, and so are clients' whose id is reserved now: nobody could let go of them.
    mutating func findRules(
        among new: [HoldRule], insteadOf old: [HoldRule], _ reserved: ReservedNames, at now: MonotonicInstant
    ) -> [Hold] {
        var forgotten: [Hold] = []
        for var hold in holds.inOrder {
            let isReserved = hold.key.user != nil && reserved.names.contains(hold.key.id)
            if !isReserved, let found = HoldRule.index(for: hold.key, among: new) {
                hold.machine.reshape(from: old[hold.rule].shape, to: new[found].shape, at: now, isWaiting: areWaiting)
                hold.rule = found
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
        defer { holds.removeAll() }
        return holds.inOrder
    }
}
