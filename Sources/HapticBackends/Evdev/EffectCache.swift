// SPDX-License-Identifier: MIT

/// Which effect is in which slot of a device, and which has to leave for another one. A value; it does nothing by itself.
///
/// An effect is known by its content, so that what was uploaded once is played again without an upload. Least recently used leaves
/// first. Prepared ones stay, as long as the device gives room; some slots are always kept for what was not prepared.
struct EffectCache {
    /// What has to be done to have an effect in a slot. After it: `store`.
    enum Step: Hashable {
        /// Nothing: it is in this slot.
        case reuse(id: Int16)
        /// Upload it to a slot of its own.
        case add
        /// Put it where another one is. `inPlace`: by an update, for the kernel takes it; else the old one has to be erased first.
        ///
        /// Never done to an effect that plays: that one would start again, with its old length.
        case replace(id: Int16, inPlace: Bool)
        /// Stop what plays and ask again: it has the only slot that can be given.
        case stopFirst
    }

    private struct Slot {
        let id: Int16
        let effect: FFEffect
        var lastUse: UInt64
        var isPinned: Bool
    }

    /// How many effects it holds at most: those of the device, or fewer where others use them.
    private(set) var capacity: Int
    private var slots: [Slot] = []
    private var clock: UInt64 = 0

    /// `capacity` is 1 or more.
    init(capacity: Int) {
        // trap: who makes one gives it 1 or more.
        precondition(capacity > 0, "a device holds at least one effect")
        self.capacity = capacity
    }

    var count: Int { slots.count }
    var ids: [Int16] { slots.map(\.id) }

    /// How many can be prepared: two slots stay free for the level that plays and the next one, or one of two. With a single slot
    /// nothing can be promised.
    var mostPinned: Int { max(0, capacity - (capacity > 2 ? 2 : 1)) }

    mutating func step(for effect: FFEffect, playing: Int16?) -> Step {
        if let index = slots.firstIndex(where: { $0.effect == effect }) {
            clock += 1
            slots[index].lastUse = clock
            return .reuse(id: slots[index].id)
        }
        guard slots.count >= capacity else { return .add }
        func oldest(pinned: Bool) -> Slot? {
            slots.filter { $0.isPinned == pinned && $0.id != playing }.min { $0.lastUse < $1.lastUse }
        }
        if let victim = oldest(pinned: false) { return replacement(of: victim, by: effect) }
        if slots.contains(where: { !$0.isPinned }) { return .stopFirst }
        // Only where the device gives less room than it said.
        if let victim = oldest(pinned: true) { return replacement(of: victim, by: effect) }
        return .stopFirst
    }

    private func replacement(of slot: Slot, by effect: FFEffect) -> Step {
        .replace(id: slot.id, inPlace: effect.canReplace(slot.effect))
    }

    /// `effect` is in slot `id` now, and what was there before is not.
    mutating func store(_ effect: FFEffect, id: Int16) {
        remove(id)
        clock += 1
        slots.append(Slot(id: id, effect: effect, lastUse: clock, isPinned: false))
    }

    /// Slot `id` has been erased.
    mutating func remove(_ id: Int16) { slots.removeAll { $0.id == id } }

    /// The device takes no more than what is there now; false where that is nothing.
    mutating func shrink() -> Bool {
        guard !slots.isEmpty else { return false }
        capacity = slots.count
        return true
    }

    // MARK: Prepared effects

    /// Whether all of `effects` can be kept beside those that already are.
    func canPin(_ effects: [FFEffect]) -> Bool {
        let pinned = slots.filter(\.isPinned)
        return pinned.count + effects.filter { effect in !pinned.contains { $0.effect == effect } }.count <= mostPinned
    }

    /// Keeps `effect`, which is in a slot, until the device is closed.
    mutating func pin(_ effect: FFEffect) {
        for index in slots.indices where slots[index].effect == effect { slots[index].isPinned = true }
    }

    /// Whether `effect` is in a slot to stay.
    func isPinned(_ effect: FFEffect) -> Bool { slots.contains { $0.effect == effect && $0.isPinned } }
}
