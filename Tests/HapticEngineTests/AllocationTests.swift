// SPDX-License-Identifier: MIT
import CAllocations
import HapticCore
import HapticMotors
import HapticPatterns
import HapticPlanning
import TestSupport
import Testing

@testable import HapticEngine

@Suite("Allocations", .serialized, .enabled(if: callocations_can_count(), "a sanitizer has its own allocator"))
struct AllocationTests {
    private static func take(_ event: EngineEvent, at now: MonotonicInstant = .zero, in loop: inout FeedbackLoop) {
        loop.take(event, at: now)
        while loop.proceed(at: now) {}
    }

    /// What `body` allocates when it is called for the second time: the first may make type metadata, in a debug build.
    static func allocations(_ body: () -> Void) -> Int {
        body()
        callocations_count_this_thread(true)
        defer { callocations_count_this_thread(false) }
        let before = callocations_of_this_thread()
        body()
        return callocations_of_this_thread() - before
    }

    /// Counts the allocations of `times` rounds of `events`, after as many rounds that do not count.
    private static func allocations(
        of events: [EngineEvent], times: Int, at now: MonotonicInstant = .zero, in loop: inout FeedbackLoop
    ) -> Int {
        allocations {
            for _ in 0..<times {
                // By index: an array's iterator is an allocation a turn in a debug build.
                for index in 0..<events.count { take(events[index], at: now, in: &loop) }
            }
        }
    }

    @Test("Progress below its step allocates nothing, however many sources there are", arguments: [1, 1000])
    func belowStep(sources: Int) {
        var loop = FeedbackLoop(.bench())
        // Too long to lie in the string itself.
        let events = (0..<sources).map { number in
            EngineEvent.batch([.progress("upload of a large file, number \(number)", 0.005, at: .zero)])
        }
        #expect(Self.allocations(of: events, times: 10_000 / sources, in: &loop) == 0)
        #expect(loop.engine.count(of: .suppressed, reason: .belowStep) == 20_000)
    }

    @Test("An input that a link of the policy refuses allocates nothing")
    func refused() {
        var classes = ClassTable.standard
        classes.texture.silent = .full
        classes.texture.limitPerSecond = 0
        var loop = FeedbackLoop(.bench(profile: .silent, classes: classes))
        let soft = PlayablePattern.bench["soft"]!
        func play(
            _ feedbackClass: FeedbackClass, _ feedback: Input.FeedbackOverride = .normal, at: MonotonicInstant, work: Int
        ) -> EngineEvent {
            let play = PlayInput(pattern: soft, feedbackClass: feedbackClass)
            let input = Input(
                client: Bench.ada, app: "the app of a very long name", at: at, feedback: feedback, kind: .play(play))
            return .batch([.input(input)], work: WorkBudget(work))
        }
        let now = MonotonicInstant.zero + .seconds(10)
        let events = [
            play(.alarm, .off, at: now, work: 1000), play(.interaction, at: .zero, work: 1000), play(.alarm, at: now, work: 0),
            play(.interaction, at: now, work: 1000), play(.texture, at: now, work: 1000),
        ]
        #expect(Self.allocations(of: events, times: 1000, at: now, in: &loop) == 0)
        for reason in [Reason.feedbackOff, .stale, .quota, .profile, .rateLimited] {
            #expect(loop.engine.count(of: .suppressed, reason: reason) == 2000, "\(reason)")
        }
    }

    @Test("Settings refuse without allocating anything, however many there are")
    func settings() {
        var many = Settings(quietHours: Array(repeating: .always, count: Settings.Limit.quietHours))
        for number in 0..<Settings.Limit.apps { many.apps["an app of a very long name \(number)"] = .full }
        var off = many
        off.off = .forGood
        let child = ClientIdentity(connection: 1, user: 1000, mayAlarm: false)
        let play = PlayInput(pattern: PlayablePattern.bench["soft"]!, feedbackClass: .alarm)
        let app = "an app of a very long name 7"
        func event(_ client: ClientIdentity) -> EngineEvent {
            .batch([.input(Input(client: client, app: app, at: .zero, kind: .play(play)))])
        }
        let events = [event(Bench.ada), event(child)]
        for (settings, reason) in [(many, Reason.quietHours), (off, .off)] {
            var loop = FeedbackLoop(.bench())
            Self.take(.settings(settings), in: &loop)
            Self.take(.localTime(LocalTime(.mon, second: 0)), in: &loop)
            #expect(Self.allocations(of: events, times: 1000, in: &loop) == 0)
            #expect(loop.engine.count(of: .suppressed, reason: reason) == 2000)
            #expect(loop.engine.count(of: .suppressed, reason: .notAllowed) == 2000)
        }
    }

    /// Patterns, one in place of the other after 300 ms, and whether they are fitted.
    struct Planned: Sendable {
        var patterns: [PlayablePattern]
        var steps: Int?
        var isFitted = false
    }

    private static let steps = Planned(patterns: [.bench["soft"]!], steps: 75)
    private static let glide = Planned(patterns: [.fall])
    private static let transition = Planned(patterns: [.rise, .fall])

    /// What planning allocates while they play, and how many actuations come of that.
    private func planning(_ planned: Planned) -> (made: Int, actuations: Int) {
        let motor = planned.isFitted ? MotorModel.fast : nil
        let actuator = EngineActuator(name: "main", capabilities: .bridge, motor: motor)
        var result = (made: 0, actuations: 0)
        // The first time may make type metadata, in a debug build.
        for _ in 1...2 {
            result = (0, 0)
            var loop = FeedbackLoop(.bench(actuators: [actuator]))
            for (index, pattern) in planned.patterns.enumerated() {
                var now = MonotonicInstant.zero + .milliseconds(300) * index
                let play = PlayInput(pattern: pattern, train: planned.steps.map { StepTrain(steps: $0)! }, feedbackClass: .alarm)
                Self.take(.batch([.play(play, at: now)]), at: now, in: &loop)
                let end = index + 1 < planned.patterns.count ? now + .milliseconds(300) : .distantFuture
                callocations_count_this_thread(true)
                let before = callocations_of_this_thread()
                while loop.nextDeadline < end {
                    now = loop.nextDeadline
                    loop.take(.time, at: now)
                    repeat { result.actuations += loop.actions.actions.count } while loop.proceed(at: now)
                }
                result.made += callocations_of_this_thread() - before
                callocations_count_this_thread(false)
            }
        }
        return result
    }

    @Test(
        "A fitted actuation, or one that a spring goes over to, is planned with no more allocations",
        arguments: [
            ("fitted steps", steps, steps, true), ("a fitted glide", glide, glide, true),
            ("a transition", transition, glide, false), ("a fitted transition", transition, glide, true),
        ])
    func planned(row: String, planned: Planned, reference: Planned, isFitted: Bool) {
        var planned = planned
        planned.isFitted = isFitted
        let (its, plain) = (planning(planned), planning(reference))
        #expect(min(its.actuations, plain.actuations) > 100)
        #expect(its.made * plain.actuations <= plain.made * its.actuations, "\(row): \(its), and plainly \(plain)")
    }

    /// What looking at `loop` allocates from one instant to another.
    private func looking(_ loop: inout FeedbackLoop, from start: MonotonicInstant, to end: MonotonicInstant) -> Int {
        while loop.nextDeadline < start {
            let now = loop.nextDeadline
            Self.take(.time, at: now, in: &loop)
        }
        var now = start
        return Self.allocations {
            // Twice: that is how often it is called.
            for _ in 0..<500 {
                now = now + Nanoseconds((end - start).count / 1000)
                Self.take(.time, at: now, in: &loop)
            }
        }
    }

    @Test("Pending tasks allocate nothing while nothing is due")
    func pending() {
        var rule = TaskRule.any
        rule.working = nil
        var loop = FeedbackLoop(.hands(taskRules: [rule]))
        for number in 0..<200 {
            let begun = Input(client: Bench.ada, id: "a task of a long name, number \(number)", at: .zero, kind: .task(.began))
            Self.take(.batch([.input(begun)]), in: &loop)
        }
        #expect(looking(&loop, from: .ms(5000), to: .ms(7000)) == 0)
        #expect(loop.engine.inputs.tasks.count == 200)
    }

    @Test("Charging holds allocate nothing between two steps")
    func charging() {
        var loop = FeedbackLoop(.hands())
        for number in 0..<HoldTable.mostOfClients {
            let client = ClientIdentity(connection: 1, user: UInt32(number / HoldTable.mostPerUser))
            let down = Input(client: client, id: "a hold of a long name, number \(number)", at: .zero, kind: .hold(.down))
            loop.take(.batch([.input(down)]), at: .zero)
            #expect(
                loop.actions.results.contains { if case .decided(let made, _) = $0 { made.reason == .pressed } else { false } })
            while loop.proceed(at: .zero) {}
        }
        // The steps after 0.5 s come at 600 ms and at 670 ms, and what is felt of the first takes no 40 ms.
        #expect(looking(&loop, from: .ms(640), to: .ms(669)) == 0)
        #expect(loop.nextDeadline == .ms(670))
    }

    @Test("A set is freed in a few calls of the allocator, however many things it has", arguments: [100, 20_000])
    func closedSet(things: Int) {
        func part(_ name: String, _ ids: Range<Int>, continues: Bool) -> EngineEvent {
            let ids = ids.map { Text("a thing with a long name, number \($0)") }
            let present = PresentInput(name: name, ids: ids, continues: continues)
            return .batch([.input(Input(client: Bench.ada, at: .zero, kind: .present(present)))])
        }
        var loop = FeedbackLoop(.hands())
        func say(continues: Bool) {
            for start in stride(from: 0, to: things, by: 1000) {
                let end = min(start + 1000, things)
                Self.take(part("cart.items", start..<end, continues: continues || end < things), in: &loop)
            }
        }
        var freed = Self.allocations {
            callocations_count_this_thread(false)
            say(continues: true)
            callocations_count_this_thread(true)
            Self.take(.connectionClosed(Bench.ada.connection), in: &loop)
            callocations_count_this_thread(false)
        }
        #expect(freed < 300, "a set that was being said")
        let nothing = part("cart.items", 0..<0, continues: false)
        freed = Self.allocations {
            callocations_count_this_thread(false)
            say(continues: false)
            callocations_count_this_thread(true)
            Self.take(nothing, in: &loop)
            callocations_count_this_thread(false)
        }
        #expect(freed < 300, "a set that was settled")
        #expect(loop.engine.inputs.things.count == 0)
    }

    @Test("A new source is counted as the allocation that it is")
    func newSource() {
        var loop = FeedbackLoop(.bench())
        var number = 0
        let made = Self.allocations {
            for _ in 0..<1000 {
                number += 1
                Self.take(.batch([.progress("upload of a large file, number \(number)", 0, at: .zero)]), in: &loop)
            }
        }
        #expect(made >= 1000)
    }

    @Test("A cancel allocates nothing for the decisions that wait")
    func cancels() {
        func allocations(calls: Int) -> Int {
            let hum = Pattern.sample("hum", [(0, 0.6), (100, 0.6)])
            let ring = PlayablePattern.phases([.init(hum, until: .released, upTo: .seconds(600))])
            let motors = (0..<64).map { EngineActuator(name: "motor-\($0)") }
            var configuration = EngineConfiguration.bench(actuators: motors, patterns: [ring])
            let feedback = RuleFeedback(pattern: ring.name, feedbackClass: .notification)
            configuration.eventRules = [EventRule(match: Glob("call"), feedback: feedback, resumes: true)]
            var bench = Bench(configuration)
            for number in 0..<calls {
                // A class has a rate.
                bench.run(for: .milliseconds(110))
                bench.event("call", id: "call-\(number)")
            }
            #expect(bench.engine.playbackCount == min(calls, 9))
            let items = (0..<WorkBudget.mostItems).map { BatchItem.cancel(.source(id: "a call that is not there, \($0)")) }
            bench.send(items)
            let made = Self.allocations { bench.take(.batch(items)) }
            #expect(Set(bench.cancelledCounts) == [0])
            return made
        }
        #expect(allocations(calls: 20) <= allocations(calls: 0) + 20)
    }
}
