// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@testable import HapticEngine

@Suite("The table of tasks")
struct TaskTableTests {
    private static func task(_ id: String, _ user: UInt32, timeout: Int64) -> PendingTask {
        let client = ClientIdentity(connection: 1, user: user)
        return PendingTask(
            PendingTask.Key(client, id: id), at: .zero, client: client, app: nil, isOff: false, rule: 0,
            timeout: .milliseconds(timeout))
    }

    @Test("Whatever is put, changed and removed, the next one is the one that waits longest, of several by id and user")
    func order() {
        var (table, all) = (TaskTable(), [PendingTask.Key: PendingTask]())
        var random = SplitMix64(seed: 11)
        for _ in 0..<5000 {
            let task = Self.task(
                "t\(Int.random(in: 0..<20, using: &random))", UInt32.random(in: 0..<3, using: &random),
                timeout: Int64.random(in: 1...10, using: &random))
            if Bool.random(using: &random) {
                table.put(task)
                all[task.key] = task
            } else {
                table.remove(task.key)
                all[task.key] = nil
            }
            if Int.random(in: 0..<50, using: &random) == 0 {
                table.age(by: .milliseconds(1))
                for key in all.keys { all[key]?.age(by: .milliseconds(1)) }
            }
            let next = all.values.min { ($0.end, $0.key.id, $0.key.user) < ($1.end, $1.key.id, $1.key.user) }
            #expect(table.count == all.count && table.nextDeadline == next?.end ?? .distantFuture)
            #expect(table.due(by: .ms(100))?.key == next?.key)
        }
    }

    @Test("A user who ends tasks has room for as many others")
    func room() {
        var table = TaskTable()
        for round in 0..<3 {
            for index in 0..<TaskTable.mostPerUser { table.put(Self.task("t\(index)", 1, timeout: Int64(round + 1))) }
            #expect(!table.hasRoom(for: 1) && table.hasRoom(for: 2))
        }
        table.remove(Self.task("t7", 1, timeout: 1).key)
        #expect(table.hasRoom(for: 1))
    }
}
