// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticService

@Suite("The table of scopes") struct ScopeTableTests {
    @Test("A scope has one number while it is known; the same name of another user has another one")
    func numbers() {
        var table = ScopeTable()
        let numbers = [table.enter("a", of: 1), table.enter("b", of: 1), table.enter("a", of: 2), table.enter("a", of: 1)]
        #expect(numbers == [1, 2, 3, 1])
        table.leave("a", of: 1)
        table.leave("a", of: 1)
        let again = table.enter("a", of: 1)
        #expect(again == 1)
        #expect(table.count == 3)
    }

    @Test("Of scopes without a connection the oldest of the user who has the most is forgotten; one with a connection never is")
    func forgotten() {
        var table = ScopeTable()
        let kept = table.enter("kept", of: 1)
        func visit(_ name: String, of user: UInt32) -> UInt32 {
            defer { table.leave(Text(name), of: user) }
            return table.enter(Text(name), of: user)
        }
        let other = visit("other", of: 2)
        let numbers = (0..<ScopeTable.mostGone).map { visit("\($0)", of: 1) }
        let now = [visit("other", of: 2), visit("1", of: 1), table.enter("kept", of: 1)]
        #expect(now == [other, numbers[1], kept])
        let first = visit("0", of: 1)
        #expect(first != numbers[0])
        #expect(table.count == ScopeTable.mostGone + 1)
    }

    @Test("A scope that comes back is not forgotten for the time before, and makes no room twice")
    func comesBack() {
        var table = ScopeTable()
        for _ in 0..<2 * ScopeTable.mostGone {
            _ = table.enter("again", of: 1)
            table.leave("again", of: 1)
        }
        #expect(table.count == 1)
        for number in 0..<ScopeTable.mostGone {
            _ = table.enter("\(number)", of: 2)
            table.leave("\(number)", of: 2)
        }
        #expect(table.enter("again", of: 1) == 1, "the other user has more")
        #expect(table.count == ScopeTable.mostGone)
    }
}
