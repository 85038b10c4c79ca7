// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("The lease of a press")
struct LeaseTests {
    private static let lease = Nanoseconds.milliseconds(400)

    /// Repeats the press as often as its lease wants it, up to `end`.
    private func press(_ bench: inout Bench, until end: MonotonicInstant, lease: Nanoseconds? = lease) {
        bench.hold("pay", .down, lease: Self.lease)
        while bench.now + .milliseconds(300) <= end {
            bench.run(for: .milliseconds(300))
            #expect(bench.hold("pay", .down, lease: lease).reason == .renewed)
        }
    }

    @Test("A press that is repeated in time is confirmed as one without a lease", arguments: [lease, nil])
    func repeated(lease: Nanoseconds?) {
        var bench = Bench(.hands())
        press(&bench, until: .ms(2100), lease: lease)
        bench.run(until: .ms(2150))
        #expect(bench.holds.last?.state == .confirmed && bench.holds.last?.at == .ms(2100))
        #expect(!bench.decisions.contains { $0.reason == .leaseExpired })
    }

    @Test("A client that stops repeating lets go when its lease is over: decided, released, never confirmed")
    func stopped() {
        var bench = Bench(.hands())
        press(&bench, until: .ms(1500))
        bench.run(until: .ms(60_000))
        let ending = bench.decisions.first { $0.reason == .leaseExpired }
        #expect(ending?.at == .ms(1900) && ending?.value == .string("up") && ending?.source == "pay")
        #expect(bench.holds.last?.state == .released && !bench.holds.contains { $0.state == .confirmed })
        #expect(bench.engine.holds.isEmpty && bench.hold("pay", .up).reason == .unchanged)
    }

    @Test("However late the daemon looks, a lease that ended before the confirmation is not confirmed", arguments: [2099, 2100])
    func late(end: Int64) {
        var bench = Bench(.hands())
        bench.hold("pay", .down, lease: .milliseconds(end))
        bench.run(until: .ms(1000))
        bench.now = .ms(60_000)
        bench.take(.time)
        // What is full when the lease ends was held to the end.
        #expect(bench.holds.contains { $0.state == .confirmed } == (end == 2100))
        #expect(bench.decisions.count { $0.reason == .leaseExpired } == 1 && bench.engine.holds.isEmpty)
    }

    @Test("A repeat that comes after the end of the lease renews nothing, one that was sent before it does")
    func lateRepeat() {
        for (sentAt, isConfirmed) in [(1400, false), (1299, true)] as [(Int64, Bool)] {
            var bench = Bench(.hands())
            bench.hold("pay", .down, lease: .milliseconds(1300))
            bench.run(until: .ms(1200))
            // Nobody looked in between.
            bench.now = .ms(2500)
            #expect(bench.hold("pay", .down, at: .ms(sentAt)).reason == (isConfirmed ? .renewed : .duplicate))
            #expect(bench.holds.contains { $0.state == .confirmed } == isConfirmed)
        }
    }

    @Test("Only the connection that holds it renews a lease, and a press after its end is a new one")
    func others() {
        var bench = Bench(.hands())
        bench.hold("pay", .down, lease: Self.lease)
        bench.run(until: .ms(300))
        #expect(bench.hold("pay", .down, lease: .seconds(60), client: .adasOther).reason == .duplicate)
        bench.run(until: .ms(400))
        #expect(bench.decisions.last?.reason == .leaseExpired)
        #expect(bench.hold("pay", .down).reason == .pressed)
        bench.run(until: .ms(60_000))
        #expect(bench.holds.last?.state == .confirmed && bench.holds.last?.at == .ms(2500), "the new press has no lease")
    }

    @Test("A lease may begin while it is pressed, and ends also what is confirmed; letting go ends it")
    func beginsLater() {
        var bench = Bench(.hands())
        bench.hold("pay", .down)
        bench.run(until: .ms(1000))
        #expect(bench.hold("pay", .down, lease: .seconds(2)).reason == .renewed)
        bench.run(until: .ms(60_000))
        #expect(bench.holds.last?.state == .confirmed && bench.decisions.last?.reason == .leaseExpired)
        bench.hold("pay", .down, lease: Self.lease)
        bench.hold("pay", .up)
        bench.run(for: .seconds(60))
        #expect(bench.decisions.count { $0.reason == .leaseExpired } == 1 && bench.engine.holds.isEmpty)
    }

    // MARK: What is read late

    @Test("A release that was sent in time is one, however late it is read", arguments: [true, false])
    func lateRelease(isDated: Bool) {
        var bench = Bench(.hands())
        bench.hold("pay", .down)
        bench.run(until: .ms(1500))
        // The daemon did not look, and the release was waiting in the socket.
        bench.now = .ms(2500)
        bench.hold("pay", .up, at: isDated ? .ms(1900) : .ms(2500), isDated: isDated)
        bench.run(until: .ms(10_000))
        #expect(bench.holds.last?.state == .released && !bench.holds.contains { $0.state == .confirmed })
    }

    @Test("A release whose instant is known, and that came after the completion, is confirmed, however late it is read")
    func completed() {
        var bench = Bench(.hands())
        bench.hold("pay", .down)
        bench.run(until: .ms(1500))
        bench.now = .ms(2500)
        bench.hold("pay", .up, at: .ms(2200))
        #expect(bench.holds.last?.state == .confirmed)
    }

    @Test("A closed connection that is seen late confirms nothing")
    func lateClose() {
        var bench = Bench(.hands())
        bench.hold("pay", .down)
        bench.run(until: .ms(1500))
        bench.now = .ms(2500)
        bench.take(.connectionClosed(Bench.ada.connection))
        bench.run(until: .ms(10_000))
        #expect(bench.holds.last?.state == .released && !bench.holds.contains { $0.state == .confirmed })
    }

    @Test("While holds wait nothing comes of them, whatever else happens, and a reload confirms none")
    func waiting() {
        var bench = Bench(.hands())
        bench.hold("pay", .down)
        bench.run(until: .ms(1500))
        bench.now = .ms(2500)
        let hasEnd = bench.engine.hasHoldEnd(by: bench.now)
        bench.take(.holdsWait(true))
        let hasEndWhileWaiting = bench.engine.hasHoldEnd(by: bench.now)
        #expect(hasEnd && !hasEndWhileWaiting && bench.engine.nextDeadline > bench.now)
        let count = bench.holds.count
        bench.take(.time)
        bench.task("other", .began)
        var clients = HoldRule.clients
        clients.shape.duration = .seconds(2)
        bench.take(.configuration(.hands(holdRules: [clients]), replacesDevices: false))
        #expect(bench.holds.count == count)
        bench.hold("pay", .up, at: .ms(1900))
        bench.take(.holdsWait(false))
        bench.run(until: .ms(10_000))
        #expect(bench.holds.last?.state == .released && !bench.holds.contains { $0.state == .confirmed })
    }
}

@Suite("What is felt of a press itself")
struct PressFeedbackTests {
    private static let rule = HoldRule(
        match: .clients(Glob("*")), feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture, priority: 40),
        pressed: "tick",
        complete: "success")
    private static let device = HoldRule(
        match: .device("unlock"), feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture), pressed: "tick")

    @Test("With `pressed` the decision on a press plays its pattern; a duplicate, a tap and the charge add nothing to it")
    func played() {
        var bench = Bench(.hands(holdRules: [Self.rule, Self.device]))
        for (id, client) in [("pay", Bench.ada), ("unlock", .hand)] {
            let press = bench.hold(id, .down, client: client)
            #expect(press.outcome == .played && press.reason == nil && press.pattern == "tick" && press.playback != nil)
            #expect(press.feedbackClass == .interaction && press.value == .string("down"))
            #expect(bench.hold(id, .down, client: client).reason == .duplicate)
            bench.run(for: .milliseconds(200))
            #expect(bench.hold(id, .up, client: client).reason == .released)
            bench.run(for: .seconds(1))
        }
        #expect(bench.decisions.count == 6 && bench.pulses().count == 2)
    }

    @Test("A press that is not felt counts all the same, for the reason of the policy")
    func notFelt() {
        var bench = Bench(.hands(holdRules: [Self.rule]))
        let press = bench.hold("pay", .down, feedback: .off)
        #expect(press.reason == .feedbackOff && press.pattern == "tick")
        bench.run(until: .ms(3000))
        #expect(bench.holds.last?.state == .confirmed && bench.pulses().isEmpty)
    }

    @Test("Picking up what falls is a press, and is felt as one; the charge goes on")
    func pickedUp() {
        var bench = Bench(.hands(holdRules: [Self.rule]))
        bench.hold("pay", .down)
        bench.run(until: .ms(1800))
        bench.hold("pay", .up)
        bench.run(for: .milliseconds(50))
        let count = bench.decisions.count
        let press = bench.hold("pay", .down)
        #expect(press.outcome == .played && press.pattern == "tick")
        #expect(bench.holds.last?.state == .began && bench.holds.last!.value > .zero)
        #expect(bench.decisions.count == count + 1)
    }

    @Test("A press that is refused is not felt")
    func refused() {
        var bench = Bench(.hands(holdRules: [Self.rule, Self.device]))
        #expect(bench.hold("unlock", .down).reason == .reserved)
        #expect(bench.hold("other", .down, client: .hand).reason == .noRule)
        #expect(bench.pulses().isEmpty && bench.decisions.allSatisfy { $0.pattern == nil })
    }

    @Test("The engine's own event makes a decision only where a rule is for it")
    func ownEvents() {
        for rules in [[EventRule.confirmed], []] {
            var bench = Bench(.hands(eventRules: rules))
            bench.hold("pay", .down)
            bench.run(until: .ms(3000))
            bench.hold("pay", .up)
            bench.hold("pay", .down)
            bench.run(for: .milliseconds(1500))
            bench.hold("pay", .up)
            bench.run(for: .seconds(3))
            #expect(bench.decisions.compactMap(\.name) == (rules.isEmpty ? [] : ["pay.confirmed"]))
            #expect(bench.holds.last?.state == .released)
        }
    }
}
