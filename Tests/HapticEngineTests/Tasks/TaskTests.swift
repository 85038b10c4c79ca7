// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("Tasks")
struct TaskTests {
    @Test("The beginning is felt at once, the end by its result, and each once")
    func results() {
        for (state, pattern) in [(TaskState.succeeded, "success"), (.failed, "long")] {
            var bench = Bench(.hands())
            #expect(bench.task("t", .began).pattern == "light")
            #expect(bench.task("t", .began).reason == .duplicate)
            bench.run(for: .milliseconds(500))
            let end = bench.task("t", state)
            #expect(end.outcome == .played && end.pattern == pattern && end.rule == "*" && end.source == "t")
            #expect(bench.task("t", state).reason == .notPending)
        }
    }

    @Test("Nothing is felt where the rule names no pattern for it, and the task is over all the same")
    func silent() {
        var bench = Bench(.hands())
        bench.task("t", .began)
        #expect(bench.task("t", .cancelled).reason == .noRule)
        #expect(bench.task("t", .began).outcome == .played)
    }

    @Test("It belongs to its user, and not to its connection")
    func owner() {
        var bench = Bench(.hands())
        bench.task("t", .began)
        bench.take(.connectionClosed(1))
        #expect(bench.task("t", .succeeded, client: .bob).reason == .notPending)
        #expect(bench.task("t", .succeeded, client: .adasOther).outcome == .played)
    }

    @Test("After its time it has failed, which is felt, and its end is none any more")
    func timeout() {
        var bench = Bench(.hands())
        bench.task("t", .began)
        bench.run(until: .ms(59_999))
        #expect(bench.engine.tasks.count == 1)
        bench.run(until: .ms(60_000))
        let failure = bench.decisions.last!
        #expect(failure.pattern == "long" && failure.value == .string("failed") && failure.at == .ms(60_000))
        #expect(failure.circumstance == .timedOut(after: .seconds(60)))
        #expect(bench.task("t", .succeeded).reason == .notPending && bench.engine.tasks.count == 0)
    }

    @Test("It says now and then that it is still working, and stops by itself")
    func working() {
        var bench = Bench(.hands())
        bench.task("t", .began)
        bench.run(until: .ms(30_000))
        #expect(bench.pulses().dropFirst().map(\.start) == [.ms(2000), .ms(4000)])
        #expect(bench.decisions.dropFirst().allSatisfy { $0.value == .string("working") && $0.feedbackClass == .texture })
    }

    @Test("Who looks late says once that it is still working")
    func lateWorking() {
        var bench = Bench(.hands())
        bench.task("t", .began)
        bench.now = .ms(4500)
        bench.take(.time)
        bench.run(until: .ms(30_000))
        #expect(bench.decisions.count { $0.value == .string("working") } == 1)
    }

    @Test("A beginning that comes too late is not felt, and the task is pending all the same")
    func stale() {
        var bench = Bench(.hands())
        bench.now = .ms(1000)
        let late = bench.send([.input(Input(client: Bench.ada, id: "t", at: .ms(899), kind: .task(.began)))])[0]
        #expect(late.reason == .stale)
        #expect(bench.task("t", .succeeded).outcome == .played)
    }

    @Test("After a reload it goes on by the new rule, and without one it ends unfelt, when it would have")
    func reload() {
        let other = TaskRule(match: Glob("kept*"), succeeded: RuleFeedback(pattern: "tick", feedbackClass: .notification))
        var bench = Bench(.hands())
        for id in ["kept", "kept-too", "dropped"] { bench.task(id, .began) }
        bench.take(.configuration(.hands(taskRules: [other]), replacesDevices: false))
        #expect(bench.task("kept", .succeeded).pattern == "tick")
        bench.run(until: .ms(60_000))
        let late = bench.decisions.suffix(2)
        #expect(late.map(\.source) == ["dropped", "kept-too"] && late.allSatisfy { $0.at == .ms(60_000) })
        #expect(late.allSatisfy { $0.reason == .noRule && $0.circumstance == .timedOut(after: .seconds(60)) })
        #expect(bench.decisions.allSatisfy { $0.value != .string("working") })
    }

    @Test("Ten thousand beginnings and ends at once are as many decisions, and leave nothing pending or on")
    func hammered() {
        var bench = Bench(.hands())
        for _ in 0..<5000 {
            bench.task("t", .began)
            bench.task("t", .succeeded)
        }
        #expect(bench.decisions.count == 10_000 && bench.engine.tasks.count == 0)
        bench.run(for: .seconds(2))
        #expect(bench.actuations.last?.isOn == false && bench.engine.nextDeadline > .ms(50_000))
    }

    @Test("All users together have so many tasks, and no more")
    func boundedForAll() {
        var bench = Bench(.hands())
        for user in 0..<UInt32(TaskTable.most / TaskTable.mostPerUser) {
            let client = ClientIdentity(connection: UInt64(user), user: user)
            for index in 0..<TaskTable.mostPerUser { #expect(bench.task("t\(index)", .began, client: client).reason != .quota) }
        }
        #expect(bench.engine.tasks.count == TaskTable.most)
        #expect(bench.task("t", .began, client: ClientIdentity(connection: 99, user: 99)).reason == .quota)
    }

    @Test("A user has so many tasks, and no more")
    func bounded() {
        var bench = Bench(.hands())
        for index in 0..<TaskTable.mostPerUser { #expect(bench.task("t\(index)", .began).reason != .quota) }
        #expect(bench.task("more", .began).reason == .quota)
        #expect(bench.task("more", .began, client: .bob).reason != .quota)
        bench.task("t0", .succeeded)
        #expect(bench.task("more", .began).reason != .quota)
    }
}
