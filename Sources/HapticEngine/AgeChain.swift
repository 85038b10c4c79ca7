// SPDX-License-Identifier: MIT

/// Slots of a table, by the age of what is in them: the oldest is always at hand, and each change costs the same however many there are.
struct AgeChain {
    /// Slots before and after one; -1 for none.
    private struct Link {
        var older: Int32 = -1
        var newer: Int32 = -1
    }

    /// By slot. Apart from what is in the slots, which is large.
    private var links: [Link] = []
    /// -1 for none.
    private(set) var oldest = -1
    private var newest = -1

    /// A slot that is not in it, or the next one that was never in it.
    mutating func add(_ slot: Int) {
        if slot == links.count { links.append(Link()) }
        links[slot] = Link(older: Int32(newest))
        if newest >= 0 { links[newest].newer = Int32(slot) } else { oldest = slot }
        newest = slot
    }

    mutating func makeNewest(_ slot: Int) {
        guard slot != newest else { return }
        remove(slot)
        add(slot)
    }

    mutating func remove(_ slot: Int) {
        let link = links[slot]
        if link.older >= 0 { links[Int(link.older)].newer = link.newer } else { oldest = Int(link.newer) }
        if link.newer >= 0 { links[Int(link.newer)].older = link.older } else { newest = Int(link.older) }
    }
}
