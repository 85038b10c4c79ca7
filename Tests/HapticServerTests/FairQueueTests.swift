// SPDX-License-Identifier: MIT
import Testing

@testable import HapticServer

@Suite("The queue of users with lines") struct FairQueueTests {
    private static func taken(_ queue: FairQueue<String, Int>) -> [Int] {
        var (queue, items) = (queue, [Int]())
        while let item = queue.next() { items.append(item) }
        return items
    }

    @Test("Users have turns one after the other, however much each has waiting")
    func usersHaveTurns() {
        var queue = FairQueue<String, Int>()
        for item in 0..<240 { queue.add(item, of: "ada") }
        queue.add(1000, of: "bob")
        queue.add(2000, of: "eve")
        queue.add(1001, of: "bob")
        #expect(Self.taken(queue).prefix(6) == [0, 1000, 2000, 1, 1001, 2])
        #expect(Self.taken(queue).count == 243)
    }

    @Test("An item that is removed has no turn, and a user without another item has none")
    func removal() {
        var queue = FairQueue<String, Int>()
        for (item, user) in [(1, "ada"), (2, "bob"), (3, "ada"), (4, "eve")] { queue.add(item, of: user) }
        queue.remove(of: "ada") { $0 == 3 }
        queue.remove(of: "bob") { $0 == 2 }
        queue.remove(of: "bob") { $0 == 2 }
        #expect(Self.taken(queue) == [1, 4])
    }

    @Test("A user who comes while another has 240 items waiting is behind one of them")
    func comesWhileAnother() {
        var queue = FairQueue<String, Int>()
        for item in 0..<240 { queue.add(item, of: "ada") }
        for turn in 0..<300 {
            let item = queue.next()!
            queue.add(item, of: "ada")
            if turn % 10 == 9 {
                queue.add(1000, of: "bob")
                #expect(queue.next()! < 240)
                #expect(queue.next() == 1000)
                queue.add(0, of: "ada")
            }
        }
    }

    @Test("A user's items are taken in their order, an item that comes again is behind the rest, and at the end it is empty")
    func userHasWaiting() {
        var queue = FairQueue<String, Int>()
        #expect(queue.isEmpty)
        for item in 0..<3 { queue.add(item, of: "ada") }
        var order: [Int] = []
        for _ in 0..<7 {
            let item = queue.next()!
            order.append(item)
            queue.add(item, of: "ada")
        }
        #expect(order == [0, 1, 2, 0, 1, 2, 0])
        #expect(Self.taken(queue) == [1, 2, 0])
        while queue.next() != nil {}
        #expect(queue.isEmpty)
    }
}
