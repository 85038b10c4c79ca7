// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@testable import HapticEngine

@Suite("The agenda")
struct AgendaTests {
    private struct Item: AgendaItem {
        let key: OwnedID
        var nextDeadline: MonotonicInstant
    }

    /// `user` 0 stands for devices.
    private static func key(_ id: Int, _ user: UInt32) -> OwnedID {
        OwnedID(ClientIdentity(connection: user == 0 ? 0 : 1, user: user), id: "a\(id)")
    }

    @Test("The next item is the earliest one, of equal ones by id and user, whatever is put, changed and removed")
    func order() {
        var (agenda, all) = (Agenda<Item>(), [OwnedID: Item]())
        var random = SplitMix64(seed: 11)
        for _ in 0..<5000 {
            let user = UInt32.random(in: 0..<3, using: &random)
            let key = Self.key(Int.random(in: 0..<20, using: &random), user)
            if Bool.random(using: &random) {
                let item = Item(key: key, nextDeadline: .ms(Int64.random(in: 1...10, using: &random)))
                agenda.put(item)
                all[key] = item
            } else {
                agenda.remove(key)
                all[key] = nil
            }
            if Int.random(in: 0..<50, using: &random) == 0 {
                func delay(_ item: inout Item) { item.nextDeadline = item.nextDeadline + .milliseconds(1) }
                agenda.changeAll(delay)
                for key in all.keys { delay(&all[key]!) }
            }
            let next = all.values.min {
                ($0.nextDeadline, $0.key.id, $0.key.user ?? 0) < ($1.nextDeadline, $1.key.id, $1.key.user ?? 0)
            }
            #expect(agenda.nextDeadline == next?.nextDeadline ?? .distantFuture)
            #expect(agenda.due(by: .ms(10_000))?.key == next?.key)
            #expect(agenda.due(by: .zero) == nil)
            let owner = user == 0 ? nil : user
            let counts = [agenda.count, agenda.inOrder.count, agenda.count(of: owner)]
            #expect(counts == [all.count, all.count, all.keys.count { $0.user == owner }])
        }
    }

    @Test("A name of a device and the same name of each user are different keys")
    func owners() {
        var agenda = Agenda<Item>()
        for user in [0, 1, 2] as [UInt32] { agenda.put(Item(key: Self.key(1, user), nextDeadline: .ms(Int64(user)))) }
        #expect(agenda.inOrder.map(\.key.user) == [nil, 1, 2])
        agenda.remove(Self.key(1, 1))
        #expect(agenda.inOrder.map(\.key.user) == [nil, 2])
        #expect([nil, 1, 2].map { agenda.count(of: $0) } == [1, 0, 1])
        agenda.removeAll()
        #expect(agenda.count == 0)
        #expect(agenda.nextDeadline == .distantFuture)
    }
}
