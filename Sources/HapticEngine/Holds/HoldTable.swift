// SPDX-License-Identifier: MIT
import HapticCore

/// A press and hold, and who does it.
struct Hold {
    let key: HoldKey
    var machine = HoldMachine()
    /// Of the configuration in force.
    var rule: Int
    /// Who pressed it last, and what it said then.
    var client: ClientIdentity
    var app: String?
    var feedback: Input.FeedbackOverride
    /// When the hand did something last.
    var lastAt: MonotonicInstant
}

struct HoldKey: Hashable, Sendable {
    /// Nil: a device's.
    let user: UInt32?
    let id: Text

    init(_ client: ClientIdentity, id: String) {
        user = client.isDevice ? nil : client.user
        self.id = Text(id)
    }
}

/// The holds that are not over, bounded: no person has so many hands. Devices' have room of their own, which no client takes.
struct HoldTable {
    static let mostOfClients = 256
    static let mostPerUser = 32
    /// A configuration has no more.
    static let mostOfDevices = 64
    static let most = mostOfClients + mostOfDevices

    private(set) var holds: [HoldKey: Hold] = [:]
    /// When the first of them has something; `distantFuture` where none has.
    private(set) var nextDeadline = MonotonicInstant.distantFuture

    /// Whether another one of this user, or (nil) of a device, has room.
    func hasRoom(for user: UInt32?) -> Bool {
        let ofDevices = holds.keys.count { $0.user == nil }
        guard let user else { return ofDevices < Self.mostOfDevices }
        return holds.count - ofDevices < Self.mostOfClients && holds.keys.count { $0.user == user } < Self.mostPerUser
    }

    subscript(key: HoldKey) -> Hold? { holds[key] }

    /// Keeps it, or forgets it where it is over.
    mutating func put(_ hold: Hold) {
        holds[hold.key] = hold.machine.isOver ? nil : hold
        look()
    }

    /// The one that has something by `now`, of several the one that has waited longest; nil: none has.
    func due(by now: MonotonicInstant) -> Hold? {
        guard nextDeadline <= now else { return nil }
        return holds.values.min {
            ($0.machine.nextDeadline, $0.key.id, $0.key.user ?? 0) < ($1.machine.nextDeadline, $1.key.id, $1.key.user ?? 0)
        }
    }

    /// All whose connection this is.
    func ofConnection(_ connection: UInt64) -> [Hold] {
        holds.isEmpty ? [] : inOrder.filter { !$0.client.isDevice && $0.client.connection == connection }
    }

    /// By id.
    var inOrder: [Hold] { holds.values.sorted { ($0.key.id, $0.key.user ?? 0) < ($1.key.id, $1.key.user ?? 0) } }

    /// Looks for the rule of each in another configuration, whose shape counts from `now` on. Those that have none are forgotten, and
    /// returned, and so are clients' whose id is reserved now: nobody could let go of them.
    mutating func findRules(
        among new: [HoldRule], insteadOf old: [HoldRule], _ reserved: ReservedNames, at now: MonotonicInstant
    ) -> [Hold] {
        var forgotten: [Hold] = []
        for var hold in inOrder {
            let isReserved = hold.key.user != nil && reserved.names.contains(hold.key.id)
            if !isReserved, let found = HoldRule.index(for: hold.key, among: new) {
                hold.machine.reshape(from: old[hold.rule].shape, to: new[found].shape, at: now)
                hold.rule = found
                holds[hold.key] = hold
            } else {
                holds[hold.key] = nil
                forgotten.append(hold)
            }
        }
        look()
        return forgotten
    }

    /// Forgets all of them, and returns them.
    mutating func removeAll() -> [Hold] {
        defer {
            holds.removeAll()
            look()
        }
        return inOrder
    }

    private mutating func look() { nextDeadline = holds.values.map(\.machine.nextDeadline).min() ?? .distantFuture }
}
