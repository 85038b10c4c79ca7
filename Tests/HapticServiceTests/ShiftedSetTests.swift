// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticService

@Suite("What is logged of ids that are positions") struct ShiftedSetTests {
    private static func decision(_ set: String, user: UInt32 = 1000, _ circumstance: Decision.Circumstance?) -> Decision {
        var decision = Decision(sequence: 1, at: .zero, input: .present, user: user, name: set, outcome: .played)
        decision.circumstance = circumstance
        return decision
    }

    @Test("Each set is named once, for its user, and of no more sets than there is room for")
    func once() {
        var sets = ShiftedSets()
        #expect(sets.notice(of: Self.decision("cart", nil)) == nil)
        #expect(sets.notice(of: Self.decision("cart", .idsShifted)) == ShiftedSetNotice(set: "cart", user: 1000))
        #expect(sets.notice(of: Self.decision("cart", .idsShifted)) == nil)
        #expect(sets.notice(of: Self.decision("cart", user: 1001, .idsShifted)) == ShiftedSetNotice(set: "cart", user: 1001))
        let named = (0..<1000).compactMap { sets.notice(of: Self.decision("set \($0)", .idsShifted)) }
        #expect(named.count == ShiftedSets.capacity - 2)
    }

    @Test("The sentence names the set and the user, and says what to send")
    func words() {
        let text = ShiftedSetNotice(set: "cart", user: 1000).text(user: "user `ada` (1000)")
        #expect(text.hasPrefix("positions were probably sent as ids: all ids of the set `cart` of user `ada` (1000) "))
        #expect(text.contains("send an id that stays with its thing"))
    }
}
