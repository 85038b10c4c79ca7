// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// A name that someone has given to a hold or a task. Two owners may use the same one.
struct OwnedID: Hashable, Comparable, Sendable {
    /// Nil: a device's.
    let owner: Owner?
    let id: Text

    init(_ client: ClientIdentity, id: String) {
        owner = client.isDevice ? nil : client.owner
        self.id = Text(id)
    }

    /// The user who counts for bounds; nil: it is a device's.
    var user: UInt32? { owner?.user }

    static func < (a: Self, b: Self) -> Bool {
        if a.id != b.id { return a.id < b.id }
        guard let one = a.owner, let other = b.owner else { return a.owner == nil && b.owner != nil }
        return one < other
    }
}

/// Something that goes on by itself.
protocol AgendaItem: SendableMetatype {
    var key: OwnedID { get }
    /// When it has something to do; `distantFuture`: nothing comes by itself.
    var nextDeadline: MonotonicInstant { get }
}

/// What goes on by itself, by its owner and id. Who has something to do next is always at hand, however many there are.
///
/// It has no bound of its own.
struct Agenda<Item: AgendaItem> {
    /// When an item has something to do.
    private struct Turn {
        let at: MonotonicInstant
        let key: OwnedID

        init(_ item: Item) { (at, key) = (item.nextDeadline, item.key) }

        func isLater(than other: Self) -> Bool { (at, key) > (other.at, other.key) }
    }

    private var items: [OwnedID: Item] = [:]
    private var counts: [UInt32?: Int] = [:]
    /// One of each item. The next one is the last.
    private var turns: [Turn] = [] {
        didSet { nextDeadline = turns.last?.at ?? .distantFuture }
    }
    /// When the first of them has something to do; `distantFuture` where none has.
    private(set) var nextDeadline = MonotonicInstant.distantFuture

    var count: Int { items.count }

    /// Nil: of devices.
    func count(of user: UInt32?) -> Int { counts[user, default: 0] }

    subscript(key: OwnedID) -> Item? { items[key] }

    func contains(where isMeant: (Item) -> Bool) -> Bool { items.values.contains(where: isMeant) }

    /// By their keys.
    var inOrder: [Item] { items.values.sorted { $0.key < $1.key } }

    /// Keeps it, in the place of the one with its key.
    mutating func put(_ item: Item) {
        if let old = items.updateValue(item, forKey: item.key) {
            turns.remove(at: index(of: Turn(old)))
        } else {
            counts[item.key.user, default: 0] += 1
        }
        let turn = Turn(item)
        turns.insert(turn, at: index(of: turn))
    }

    mutating func remove(_ key: OwnedID) {
        guard let item = items.removeValue(forKey: key) else { return }
        turns.remove(at: index(of: Turn(item)))
        let left = count(of: key.user) - 1
        counts[key.user] = left > 0 ? left : nil
    }

    mutating func removeAll() { self = Agenda() }

    /// The one that has something to do by `now`, of several the one that has waited longest; nil: none has.
    func due(by now: MonotonicInstant) -> Item? {
        guard let next = turns.last, next.at <= now else { return nil }
        return items[next.key]
    }

    /// Changes each of them, but not its key.
    mutating func changeAll(_ change: (inout Item) -> Void) {
        items = items.mapValues {
            var item = $0
            change(&item)
            return item
        }
        turns = items.values.map(Turn.init).sorted { $0.isLater(than: $1) }
    }

    /// Where `turn` is, or has to be.
    private func index(of turn: Turn) -> Int { turns.countOfPrefix { $0.isLater(than: turn) } }
}
