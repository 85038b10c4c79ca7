// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

/// The traces `tasks*` show all except bounds, the work of a reload, and a daemon that comes late.
@Suite("Tasks")
struct TaskTests {
    @Test("A daemon that comes late plays once that a task is still working")
    func lateWorking() {
        var bench = Bench(.hands())
        bench.task("t", .began)
        bench.now = .ms(4500)
        bench.take(.time)
        bench.run(until: .ms(30_000))
        #expect(bench.decisions.count { $0.value == .string("working") } == 1)
    }

    /// Two hundred pending tasks, and a reload: some of them have not looked for their rules.
    private static func reloaded(with rule: TaskRule) -> Bench {
        var bench = Bench(.hands())
        for index in 0..<200 { bench.task("t\(index + 100)", .began) }
        bench.take(.configuration(.hands(taskRules: [rule])))
        return bench
    }

    @Test("After a reload a bounded number of tasks find their rules in each turn; a task that ends earlier finds its own")
    func reloadInTurns() {
        var new = TaskRule.any
        new.succeeded?.pattern = "tick"
        var bench = Self.reloaded(with: new)
        #expect(bench.engine.nextDeadline == .zero)
        #expect(bench.task("t299", .succeeded).pattern == "tick")
        for _ in 0..<4 { bench.take(.time) }
        #expect(bench.engine.nextDeadline > .zero)
        #expect(bench.engine.inputs.tasks.count == 199)
    }

    @Test("The search for another rule is charged to the line, and a task whose end was refused is still pending")
    func reloadCosts() {
        var bench = Self.reloaded(with: .any)
        let end = BatchItem.input(Input(client: Bench.ada, id: "t299", at: .zero, kind: .task(.succeeded)))
        bench.take(.batch([end], work: WorkBudget(0)))
        let refused = bench.decisions.first { $0.value == .string("succeeded") }
        #expect(refused?.reason == .quota)
        #expect(bench.engine.inputs.tasks.count == 200)
        #expect(bench.task("t299", .succeeded).reason != .notPending)
        #expect(bench.engine.inputs.tasks.count == 199)
    }

    @Test("A timeout at the instant of a reload with other actuators is felt by these, once they are there")
    func dueAtReload() {
        var loop = FeedbackLoop(.hands())
        let began = Input(client: Bench.ada, id: "t", at: .zero, kind: .task(.began))
        loop.take(.batch([.input(began)]), at: .zero)
        while loop.proceed(at: .zero) {}
        loop.take(.configuration(.hands(), replacesDevices: true), at: .ms(60_000))
        #expect(loop.engine.playbackCount == 0)
        #expect(loop.engine.nextDeadline <= .ms(60_000))
        var late: [Decision] = []
        while loop.proceed(at: .ms(60_000)) {
            for case .decided(let decision, _) in loop.actions.results { late.append(decision) }
        }
        #expect(late.map(\.outcome) == [.played])
        #expect(late.map(\.value) == [.string("failed")])
    }

    @Test("All users together have a bounded number of tasks")
    func boundedForAll() {
        var bench = Bench(.hands())
        for user in 0..<UInt32(TaskTable.most / TaskTable.mostPerUser) {
            let client = ClientIdentity(connection: UInt64(user), user: user)
            for index in 0..<TaskTable.mostPerUser { #expect(bench.task("t\(index)", .began, client: client).reason != .quota) }
        }
        #expect(bench.engine.inputs.tasks.count == TaskTable.most)
        #expect(bench.task("t", .began, client: ClientIdentity(connection: 99, user: 99)).reason == .quota)
    }

    @Test("A user has a bounded number of tasks")
    func bounded() {
        var bench = Bench(.hands())
        for index in 0..<TaskTable.mostPerUser { #expect(bench.task("t\(index)", .began).reason != .quota) }
        #expect(bench.task("more", .began).reason == .quota)
        #expect(bench.task("more", .began, client: ClientIdentity(connection: 2, user: 1001)).reason != .quota)
        bench.task("t0", .succeeded)
        #expect(bench.task("more", .began).reason != .quota)
    }
}
