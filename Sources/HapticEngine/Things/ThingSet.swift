// SPDX-License-Identifier: MIT
import HapticCore

/// Things that exist, by their ids.
///
/// Three blocks of memory hold all ids, so freeing a set takes the same time whatever its size. Freeing 100,000 strings would block the
/// loop for 50 ms.
struct ThingSet {
    private struct Thing {
        /// The end of its id in `text`; the id begins at the end of the one before.
        let end: UInt32
        /// Equal ids have equal hashes, whichever set they are in.
        let hash: UInt32
    }

    /// The ids in UTF-8.
    private var text: [UInt8] = []
    private var things: [Thing] = []
    /// A hash table with linear probing. A slot has an index in `things` plus one; 0 is free.
    private var slots: [UInt32] = []
    private(set) var positions = PositionRange()

    var count: Int { things.count }
    /// The length of all ids in UTF-8.
    var bytes: Int { text.count }

    /// Inserts `ids`.
    ///
    /// - Returns: How many of those that were not in the set are in `other`.
    mutating func insert(_ ids: [Text], countingThoseIn other: ThingSet?) -> Int {
        var common = 0
        for id in ids {
            var string = id.string
            string.withUTF8 { bytes in
                let hash = Self.hash(bytes)
                guard insert(bytes, hash) else { return }
                positions.add(bytes)
                if let other, other.contains(bytes, hash) { common += 1 }
            }
        }
        return common
    }

    /// The number of ids in both sets; one look-up for each id of the smaller set.
    func common(with other: ThingSet) -> Int {
        let (few, many) = count < other.count ? (self, other) : (other, self)
        return few.text.withUnsafeBufferPointer { text in
            var (start, common) = (0, 0)
            for index in few.things.indices {
                let thing = few.things[index]
                let id = UnsafeBufferPointer(rebasing: text[start..<Int(thing.end)])
                if many.contains(id, thing.hash) { common += 1 }
                start = Int(thing.end)
            }
            return common
        }
    }

    private static func hash(_ id: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(id))
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }

    private func contains(_ id: UnsafeBufferPointer<UInt8>, _ hash: UInt32) -> Bool {
        !slots.isEmpty && freeSlot(for: id, hash) == nil
    }

    /// The slot for `id`; `nil` if the set has it. `slots` must not be empty.
    private func freeSlot(for id: UnsafeBufferPointer<UInt8>, _ hash: UInt32) -> Int? {
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if things[index].hash == hash, isEqual(index, id) { return nil }
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private func isEqual(_ index: Int, _ id: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = index == 0 ? 0 : Int(things[index - 1].end)
        let end = Int(things[index].end)
        guard end - start == id.count else { return false }
        return text.withUnsafeBufferPointer { $0[start..<end].elementsEqual(id) }
    }

    /// False where it is in it already.
    private mutating func insert(_ id: UnsafeBufferPointer<UInt8>, _ hash: UInt32) -> Bool {
        // At most three quarters of the slots are taken.
        if (things.count + 1) * 4 > slots.count * 3 { grow() }
        guard let slot = freeSlot(for: id, hash) else { return false }
        text.append(contentsOf: id)
        things.append(Thing(end: UInt32(text.count), hash: hash))
        slots[slot] = UInt32(things.count)
        return true
    }

    private mutating func grow() {
        let mask = max(8, slots.count * 2) - 1
        var grown = [UInt32](repeating: 0, count: mask + 1)
        for index in things.indices {
            var slot = Int(things[index].hash) & mask
            while grown[slot] != 0 { slot = (slot + 1) & mask }
            grown[slot] = UInt32(index + 1)
        }
        slots = grown
    }
}

/// Whether ids look like positions: the same text and then a whole number, each number of a range once.
struct PositionRange: Hashable {
    private var prefix: [UInt8]?
    private var low = Int64.max
    private var high = Int64.min
    private var count: Int64 = 0
    private var isOther = false

    /// Counts `id`, the UTF-8 of an id that was not in the set.
    mutating func add(_ id: UnsafeBufferPointer<UInt8>) {
        guard !isOther else { return }
        guard let start = Self.numberStart(in: id), prefix.map({ $0.elementsEqual(id[..<start]) }) ?? true else {
            isOther = true
            return
        }
        if prefix == nil { prefix = Array(id[..<start]) }
        let number = id[start...].reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        (low, high, count) = (min(low, number), max(high, number), count + 1)
    }

    /// Whether all of them are those of `former`, each one more or one less.
    func isShifted(from former: PositionRange) -> Bool {
        guard isWhole, former.isWhole, prefix == former.prefix, count == former.count, count > 1 else { return false }
        return abs(low - former.low) == 1
    }

    private var isWhole: Bool { !isOther && count > 0 && high - low + 1 == count }

    /// Returns the index at which the number at the end of `id` begins: one to nine digits without a leading 0. `nil` if `id` ends
    /// otherwise.
    private static func numberStart(in id: UnsafeBufferPointer<UInt8>) -> Int? {
        var start = id.count
        while start > 0, id.count - start < 10, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(id[start - 1]) { start -= 1 }
        let digits = id.count - start
        guard (1...9).contains(digits), digits == 1 || id[start] != UInt8(ascii: "0") else { return nil }
        return start
    }
}
