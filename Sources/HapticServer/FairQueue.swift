// SPDX-License-Identifier: MIT
internal import NIOCore

/// Whose turn it is: the users in turn, and of each user what waits in turn. So however much one user has waiting, another waits
/// for one turn of his at most.
///
/// Pure. As long as what is added to it: whoever adds sees that each item is in it once.
struct FairQueue<User: Hashable, Item> {
    /// Only of those who have something waiting.
    private var waiting: [User: CircularBuffer<Item>] = [:]
    /// Each of those once.
    private var order = CircularBuffer<User>()

    var isEmpty: Bool { order.isEmpty }

    mutating func add(_ item: Item, of user: User) {
        if waiting[user] == nil { order.append(user) }
        waiting[user, default: CircularBuffer(initialCapacity: 1)].append(item)
    }

    /// Takes the first one of `user` that `isMeant`. O(those of the user).
    mutating func remove(of user: User, where isMeant: (Item) -> Bool) {
        guard let index = waiting[user]?.firstIndex(where: isMeant) else { return }
        waiting[user]?.remove(at: index)
        guard waiting[user]?.isEmpty == true else { return }
        waiting[user] = nil
        order.removeAll { $0 == user }
    }

    /// Takes the next one. Its user is now behind all others.
    mutating func next() -> Item? {
        guard let user = order.popFirst(), let item = waiting[user]?.popFirst() else { return nil }
        if waiting[user]?.isEmpty == true { waiting[user] = nil } else { order.append(user) }
        return item
    }
}
