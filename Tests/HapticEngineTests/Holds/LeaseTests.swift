// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

/// Traces show leases, except for inputs that are read late.
@Suite("The lease of a press")
struct LeaseTests {
    /// A press of 1.5 s, after which the daemon does nothing until 2.5 s: it would be confirmed at 2.1 s.
    private static func stalled() -> Bench {
        var bench = Bench(.hands())
        bench.hold("pay", .down)
        bench.run(until: .ms(1500))
        bench.now = .ms(2500)
        return bench
    }

    /// The endings of holds within ten seconds.
    private func endings(_ bench: inout Bench) -> [HoldChange.State] {
        bench.run(until: .ms(10_000))
        return bench.holds.map(\.state).filter { $0 != .progress && $0 != .began }
    }

    @Test("However late the daemon comes, a lease that ended before the confirmation is not confirmed", arguments: [2099, 2100])
    func late(end: Int64) {
        var bench = Bench(.hands())
        bench.hold("pay", .down, lease: .milliseconds(end))
        bench.run(until: .ms(1000))
        bench.now = .ms(60_000)
        bench.take(.time)
        // What is full when the lease ends was held to the end.
        #expect(bench.holds.contains { $0.state == .confirmed } == (end == 2100))
        #expect(bench.decisions.count { $0.reason == .leaseExpired } == 1)
        #expect(bench.engine.inputs.holds.isEmpty)
    }

    @Test("A repeat that is sent after the end of the lease renews nothing, one that was sent before it does")
    func lateRepeat() {
        for (sentAt, isConfirmed) in [(1400, false), (1299, true)] as [(Int64, Bool)] {
            var bench = Bench(.hands())
            bench.hold("pay", .down, lease: .milliseconds(1300))
            bench.run(until: .ms(1200))
            bench.now = .ms(2500)
            #expect(bench.hold("pay", .down, at: .ms(sentAt)).reason == (isConfirmed ? .renewed : .duplicate))
            #expect(bench.holds.contains { $0.state == .confirmed } == isConfirmed)
        }
    }

    @Test(
        "A release that was sent in time is one, however late it is read, and one that came after the completion confirms",
        arguments: [(1900, true, false), (2500, false, false), (2200, true, true)] as [(Int64, Bool, Bool)])
    func lateRelease(sentAt: Int64, isDated: Bool, isConfirmed: Bool) {
        var bench = Self.stalled()
        bench.hold("pay", .up, at: .ms(sentAt), isDated: isDated)
        let endings = endings(&bench)
        #expect(endings == [isConfirmed ? .confirmed : .released])
    }

    @Test("A closed connection that is seen late confirms nothing")
    func lateClose() {
        var bench = Self.stalled()
        bench.take(.connectionClosed(Bench.ada.connection))
        let endings = endings(&bench)
        #expect(endings == [.released])
    }

    @Test("Waiting holds do nothing, whatever else happens, and a reload confirms none")
    func waiting() {
        var bench = Self.stalled()
        var hasEnd = [bench.engine.hasHoldEnd(by: bench.now)]
        bench.take(.holdsWait(true))
        hasEnd.append(bench.engine.hasHoldEnd(by: bench.now))
        #expect(hasEnd == [true, false])
        #expect(bench.engine.nextDeadline > bench.now)
        let count = bench.holds.count
        bench.take(.time)
        bench.task("other", .began)
        var clients = HoldRule.clients
        clients.shape.duration = .seconds(2)
        bench.take(.configuration(.hands(holdRules: [clients]), replacesDevices: false))
        #expect(bench.holds.count == count)
        bench.hold("pay", .up, at: .ms(1900))
        bench.take(.holdsWait(false))
        let endings = endings(&bench)
        #expect(endings == [.released])
    }
}
