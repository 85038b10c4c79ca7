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

    @Test("A beginning is felt within 100 ms or not at all, whatever the client and the class say")
    func answer() {
        var classes = ClassTable.standard
        classes.interaction.deadline = .seconds(1)
        var rule = TaskRule.any
        for feedbackClass in [FeedbackClass.interaction, .notification] {
            rule.began?.feedbackClass = feedbackClass
            for age in [100, 101] as [Int64] {
                var bench = Bench(.hands(taskRules: [rule], classes: classes))
                bench.now = .ms(1000)
                let late = Input(
                    client: Bench.ada, id: "t", at: .ms(1000 - age), deadline: .seconds(10), kind: .task(.began))
                #expect(bench.send([.input(late)])[0].reason == (age > 100 ? .stale : nil))
                #expect(bench.engine.tasks.count == 1)
            }
        }
        var bench = Bench(.hands())
        bench.now = .ms(1000)
        let late = Input(client: Bench.ada, id: "t", at: .ms(950), deadline: .milliseconds(40), kind: .task(.began))
        #expect(bench.send([.input(late)])[0].reason == .stale, "a client may say less")
    }

    @Test("The time for which the machine sleeps counts: after a night it has failed, and after a nap it goes on")
    func slept() {
        var bench = Bench(.hands())
        bench.task("t", .began)
        bench.run(until: .ms(1000))
        bench.take(.slept(.milliseconds(500)))
        bench.run(until: .ms(1499))
        #expect(bench.decisions.count == 1)
        bench.run(until: .ms(1500))
        #expect(bench.decisions.last?.value == .string("working"))
        bench.take(.slept(.seconds(28_800)))
        let failure = bench.decisions.last!
        #expect(failure.value == .string("failed") && failure.circumstance == .timedOut(after: .seconds(60)))
        #expect(bench.engine.tasks.count == 0)
    }

    @Test("After a reload it says that it is still working when the new rule wants that, also where the old one did not")
    func reloadWorking() {
        for old in [TaskRule.any, TaskRule(match: Glob("*"))] {
            var bench = Bench(.hands(taskRules: [old]))
            bench.task("t", .began)
            bench.run(until: .ms(1500))
            var new = TaskRule.any
            new.working?.interval = .milliseconds(700)
            bench.take(.configuration(.hands(taskRules: [new])))
            bench.run(until: .ms(4000))
            #expect(bench.decisions.dropFirst().map(\.at) == [.ms(2100), .ms(2800), .ms(3500)])
        }
    }

    @Test("A reload has so many tasks look for their rules in one turn, and one that ends before its turn has its own")
    func reloadInTurns() {
        var bench = Bench(.hands())
        for index in 0..<200 { bench.task("t\(index + 100)", .began) }
        var new = TaskRule.any
        new.succeeded?.pattern = "tick"
        bench.take(.configuration(.hands(taskRules: [new])))
        #expect(bench.engine.nextDeadline == .zero, "some have not looked")
        #expect(bench.task("t299", .succeeded).pattern == "tick")
        for _ in 0..<4 { bench.take(.time) }
        #expect(bench.engine.nextDeadline > .zero && bench.engine.tasks.count == 199)
    }

    @Test("Looking for another rule is charged to the line, and a task whose end was refused is still pending")
    func reloadCosts() {
        var bench = Bench(.hands())
        for index in 0..<200 { bench.task("t\(index + 100)", .began) }
        bench.take(.configuration(.hands()))
        let end = BatchItem.input(Input(client: Bench.ada, id: "t299", at: .zero, kind: .task(.succeeded)))
        bench.take(.batch([end], work: WorkBudget(0)))
        let refused = bench.decisions.first { $0.value == .string("succeeded") }
        #expect(refused?.reason == .quota && bench.engine.tasks.count == 200)
        #expect(bench.task("t299", .succeeded).reason != .notPending && bench.engine.tasks.count == 199)
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

    @Test("What is due at the instant of a reload with other actuators is felt by them, once they are there")
    func dueAtReload() {
        var loop = FeedbackLoop(.hands())
        let began = Input(client: Bench.ada, id: "t", at: .zero, kind: .task(.began))
        loop.take(.batch([.input(began)]), at: .zero)
        while loop.goOn(at: .zero) {}
        loop.take(.configuration(.hands(), replacesDevices: true), at: .ms(60_000))
        #expect(loop.engine.playbackCount == 0 && loop.engine.nextDeadline <= .ms(60_000))
        var late: [Decision] = []
        while loop.goOn(at: .ms(60_000)) {
            for case .decided(let decision, _) in loop.actions.results { late.append(decision) }
        }
        #expect(late.map(\.outcome) == [.played] && late.first?.value == .string("failed"))
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
