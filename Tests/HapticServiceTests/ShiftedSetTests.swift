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

    @Test("Each set is named once, for its user, and only so many of a user")
    func once() {
        var sets = ShiftedSets()
        #expect(sets.notice(of: Self.decision("cart", nil)) == nil)
        #expect(sets.notice(of: Self.decision("cart", .idsShifted)) == ShiftedSetNotice(set: "cart", user: 1000))
        #expect(sets.notice(of: Self.decision("cart", .idsShifted)) == nil)
        #expect(sets.notice(of: Self.decision("cart", user: 1001, .idsShifted)) == ShiftedSetNotice(set: "cart", user: 1001))
        let named = (0..<1000).compactMap { sets.notice(of: Self.decision("set \($0)", .idsShifted)) }
        #expect(named.count == ShiftedSets.mostOfUser - 1)
        // Whoever has said too much has silenced nobody else.
        #expect(sets.notice(of: Self.decision("till", user: 1001, .idsShifted)) != nil)
    }

    @Test("Of many users, the one of whom nothing has been said for the longest time is forgotten")
    func users() {
        var sets = ShiftedSets()
        func isSaid(_ user: Int, _ set: String = "cart") -> Bool {
            sets.notice(of: Self.decision(set, user: UInt32(user), .idsShifted)) != nil
        }
        for user in 0..<ShiftedSets.mostUsers { #expect(isSaid(user)) }
        #expect(isSaid(0, "till"))
        #expect(isSaid(ShiftedSets.mostUsers))
        #expect(!isSaid(0))
        #expect(!isSaid(2))
        #expect(isSaid(1))
    }

    @Test("The sentence names the set and the user, and says what to send")
    func words() {
        let text = ShiftedSetNotice(set: "cart", user: 1000).text(user: "user `ada` (1000)")
        #expect(text.hasPrefix("positions were probably sent as ids: all ids of the set `cart` of user `ada` (1000) "))
        #expect(text.contains("send an id that stays with its thing"))
    }
}
