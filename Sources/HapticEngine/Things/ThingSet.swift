// SPDX-License-Identifier: MIT
import HapticCore

/// Things that exist, by their ids.
struct ThingSet {
    private(set) var ids: Set<Text> = []
    /// Of the ids, in UTF-8.
    private(set) var bytes = 0
    private(set) var positions = PositionRange()

    var count: Int { ids.count }

    func contains(_ id: Text) -> Bool { ids.contains(id) }

    /// How many are in both.
    func common(with other: ThingSet) -> Int {
        let (few, many) = count < other.count ? (ids, other.ids) : (other.ids, ids)
        return few.count { many.contains($0) }
    }

    /// False where it is in it already.
    mutating func insert(_ id: Text) -> Bool {
        guard ids.insert(id).inserted else { return false }
        bytes += id.utf8.count
        positions.add(id)
        return true
    }
}

/// Whether ids look like positions: the same text and then a whole number, each number of a range once.
struct PositionRange: Hashable {
    private var prefix: Text?
    private var low = Int64.max
    private var high = Int64.min
    private var count: Int64 = 0
    private var isOther = false

    /// Of an id that was not in it.
    mutating func add(_ id: Text) {
        guard !isOther else { return }
        guard let (prefix, number) = Self.parts(of: id), self.prefix.map({ $0 == prefix }) ?? true else {
            isOther = true
            return
        }
        self.prefix = prefix
        (low, high, count) = (min(low, number), max(high, number), count + 1)
    }

    /// Whether all of them are those of `former`, each one more or one less.
    func isShifted(from former: PositionRange) -> Bool {
        guard isWhole, former.isWhole, prefix == former.prefix, count == former.count, count > 1 else { return false }
        return abs(low - former.low) == 1
    }

    private var isWhole: Bool { !isOther && count > 0 && high - low + 1 == count }

    /// At most nine digits, the first of which is no 0 beside others.
    private static func parts(of id: Text) -> (prefix: Text, number: Int64)? {
        let bytes = id.utf8
        let digits = bytes.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        guard (1...9).contains(digits) else { return nil }
        let text = id.string
        let start = text.utf8.index(text.utf8.endIndex, offsetBy: -digits)
        let number = text[start...]
        guard digits == 1 || number.utf8.first != UInt8(ascii: "0"), let value = Int64(number) else { return nil }
        return (Text(String(text[..<start])), value)
    }
}
