// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

// Other people's files: what is not known in them is left out and noted, not refused.

extension NodeReader {
    /// Adds something that is not wrong, but that people should know.
    func note(_ message: @autoclosure () -> String, to notes: DocumentReport) {
        notes.add(message(), at: node.mark, path: path)
    }

    /// Reads an object of these keys; others are noted. False where it is no object, which is then reported.
    func read<Target>(_ keys: [Key<Target>], into target: inout Target, notes: DocumentReport) -> Bool {
        noteOtherKeys(than: keys.map(\.member.name), to: notes)
        return object { fields in
            fields.ignoreUnknownKeys()
            fields.read(keys, into: &target)
            return ()
        } != nil
    }

    /// O(members): on the wire thousands of keys are work that a client could make us do.
    private func noteOtherKeys(than known: [String], to notes: DocumentReport) {
        guard case .object(let members) = node.content else { return }
        let names = known.map { Text($0) }
        let others = members.filter { !names.contains($0.key) }
        guard !others.isEmpty else { return }
        let present = Set(members.map(\.key))
        let absent = names.filter { !present.contains($0) }
        for member in others {
            notes.add(leftOut("key", member.key, candidates: absent), at: member.keyMark ?? node.mark, path: path)
        }
    }

    /// A number, cut to `range`; where that changes it, that is noted.
    func clamped(to range: ClosedRange<Double>, notes: DocumentReport) -> Double? {
        let number: Double
        switch node.content {
        case .number(let plain) where plain.isFinite: number = plain
        case .integer(let large): number = Double(large)
        default:
            failExpected("a number from \(plainText(range.lowerBound)) to \(plainText(range.upperBound))")
            return nil
        }
        let nearest = min(max(number, range.lowerBound), range.upperBound)
        if nearest != number {
            note(
                "\(shown(number)) is out of range and taken as \(plainText(nearest)); \(plainText(range.lowerBound)) to \(plainText(range.upperBound)) is allowed",
                to: notes)
        }
        return nearest
    }
}

extension Form where Value == Nanoseconds {
    /// A time that is a bare number of seconds in files, too.
    static func bareSeconds(in range: ClosedRange<Nanoseconds>) -> Self {
        Form<Double>.number(in: range.lowerBound.inSeconds...range.upperBound.inSeconds).then { seconds, _ in
            Nanoseconds(seconds: seconds)
        }
    }
}
