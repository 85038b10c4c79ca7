// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import Testing

@testable import HapticService

@Suite("The log of refusals") struct RefusalLogTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)
    private static let rate = Refusal(cause: .bound(.requestsPerClient), most: 10)
    private static let reload = Refusal(cause: .access(.reload), allowed: AccessList(users: [Account(name: "ada", id: 1)]))

    @Test("A thousand refusals are one line, and one more with their number once there have been none for a while")
    func once() {
        var log = RefusalLog()
        var notices: [RefusalNotice] = []
        for number in 0..<1000 {
            notices += log.refused(Self.rate, to: 1001, at: Self.start + .milliseconds(Int64(number)))
        }
        #expect(notices == [RefusalNotice(refusal: Self.rate, user: 1001, more: 0)])
        let last = Self.start + .milliseconds(999)
        #expect(log.advance(to: last + RefusalLog.quiet - Nanoseconds(1)).isEmpty)
        #expect(log.nextDeadline == last + RefusalLog.quiet)
        #expect(log.advance(to: log.nextDeadline) == [RefusalNotice(refusal: Self.rate, user: 1001, more: 999)])
        #expect((log.count, log.nextDeadline) == (0, .distantFuture))
    }

    @Test("A single refusal is logged once, and again if it recurs after a while")
    func single() {
        var log = RefusalLog()
        #expect(log.refused(Self.reload, to: 1001, at: Self.start).map(\.more) == [0])
        #expect(log.advance(to: Self.start + RefusalLog.quiet).isEmpty)
        #expect(log.refused(Self.reload, to: 1001, at: Self.start + .seconds(61)).map(\.more) == [0])
    }

    @Test("Without a call of `advance`, the next refusal logs the series before it")
    func late() {
        var log = RefusalLog()
        _ = log.refused(Self.rate, to: 1001, at: Self.start)
        _ = log.refused(Self.rate, to: 1001, at: Self.start)
        #expect(log.refused(Self.rate, to: 1001, at: Self.start + .seconds(100)).map(\.more) == [1, 0])
    }

    @Test("Each user and each cause has a line of its own")
    func apart() {
        var log = RefusalLog()
        let notices =
            log.refused(Self.rate, to: 1001, at: Self.start) + log.refused(Self.rate, to: 1002, at: Self.start)
            + log.refused(Self.reload, to: 1001, at: Self.start) + log.refused(Self.rate, to: 1001, at: Self.start)
        #expect(notices.map(\.user) == [1001, 1002, 1001])
    }

    @Test("The client of a door has a line of its own, which refuses nothing to the user of the door")
    func scoped() {
        var log = RefusalLog()
        let scoped = Refusal(cause: .access(.reload), isScoped: true)
        let notices = [Self.reload, scoped, scoped].flatMap { log.refused($0, to: 0, at: Self.start) }
        #expect(notices.map(\.refusal.isScoped) == [false, true])
        let text = """
            refused to a client of the door of user `root` (0): `reload` is kept to root and the user that hapticd runs as, \
            and the client of a door is none of them; a connection without `hello` has the rights of its user (`access: reload`);
            """
        #expect(notices.last?.text(user: "user `root` (0)").hasPrefix(text) == true)
    }

    @Test("The log is bounded in memory and in lines for any number of users, and counts every refusal")
    func bounded() {
        var (log, notices) = (RefusalLog(), [RefusalNotice]())
        let users = UInt32(RefusalLog.capacity + 500)
        for user in 0..<users { notices += log.refused(Self.rate, to: user, at: Self.start) }
        #expect(log.count == RefusalLog.capacity + 1)
        #expect(notices.count == RefusalLog.capacity)
        let over = log.advance(to: Self.start + RefusalLog.quiet)
        #expect(over == [RefusalNotice(refusal: Self.rate, user: nil, more: UInt64(users) - UInt64(RefusalLog.capacity))])
        #expect(log.count == 0)
    }

    @Test(
        "An error and a log line name the key, the number and the remedy",
        arguments: [
            (rate, "10 requests a second", "`bounds: requestsPerClient`"),
            (Refusal(cause: .bound(.clientsPerUser), most: 256), "256 connections", "`bounds: clientsPerUser`"),
            (reload, "user `ada`", "`access: reload`"),
            (
                Refusal(
                    cause: .access(.reload),
                    allowed: AccessList(users: [Account(name: "root", id: 0), Account(name: "ada", id: 1)])),
                "kept to user `ada`, root and the user that hapticd runs as, and", "`access: reload`"
            ),
            (
                Refusal(cause: .access(.profile), allowed: AccessList(groups: [Account(name: "desk", id: 7)])),
                "sudo usermod -aG desk $USER", "`access: profile`"
            ),
        ])
    func words(refusal: Refusal, what: String, key: String) {
        let message = refusal.error(user: 1001).message
        #expect(message.contains(what), "\(message)")
        #expect(message.contains(key), "\(message)")
        let line = refusal.warning(user: "user 1001")
        #expect(line.contains("user 1001"), "\(line)")
        #expect(line.contains(key), "\(line)")
        #expect(refusal.summary(user: "user 1001", count: 999).contains("999"))
    }
}

@Suite("The users who are connected") struct UserTableTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)

    @Test("A user who hangs up does not begin again with a full budget, and is forgotten once that makes no difference")
    func budget() {
        var users = UserTable()
        let user = users.connect(1001, at: Self.start)
        user.budget.take(of: 1, at: Self.start)
        users.disconnect(user, at: Self.start)
        let again = users.connect(1001, at: Self.start + .milliseconds(500))
        #expect(again === user)
        #expect(again.connections == 1)
        users.disconnect(again, at: Self.start + .milliseconds(600))
        #expect(users.count == 1)
        let other = users.connect(1002, at: Self.start + .seconds(1))
        #expect((users.count, users.connections(of: 1001)) == (1, 0))
        users.disconnect(other, at: Self.start + .seconds(1))
        #expect(users.count == 0)
    }

    @Test("Users who have gone are bounded, however many come and go")
    func bounded() {
        var users = UserTable()
        for id in 0..<1000 as Range<UInt32> {
            let user = users.connect(id, at: Self.start)
            user.budget.take(of: 1, at: Self.start)
            users.disconnect(user, at: Self.start)
        }
        #expect(users.count == UserTable.mostGone)
        // The users who have gone last are kept.
        #expect(users.connect(999, at: Self.start).budget.isFull(at: Self.start) == false)
    }
}

@Suite("Statistics of the service") struct StatisticsTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)

    private func played(_ playback: UInt64, deadline: Nanoseconds? = .milliseconds(100)) -> Decision {
        Decision(
            sequence: playback, at: Self.start, input: .play, feedbackClass: .interaction, outcome: .played, actuators: ["main"],
            playback: PlaybackID(playback), deadline: deadline.map { Self.start + $0 })
    }

    private func actuation(_ playback: UInt64, _ level: Level = Level(intensity: .one, sharpness: .zero)) -> Actuation {
        Actuation(planned: Self.start + .seconds(1), actuator: ActuatorIndex(0), playback: PlaybackID(playback), level: level)
    }

    private func late(_ lateness: Nanoseconds) -> MonotonicInstant { Self.start + .seconds(1) + lateness }

    @Test("Latency is the time from reading to the first actuation, less the pattern's own delay")
    func latency() {
        var statistics = ServiceStatistics(actuators: 1)
        statistics.decided(played(1), readAt: Self.start - .microseconds(20))
        statistics.actuated(actuation(1), at: late(.microseconds(30)))
        statistics.actuated(actuation(1), at: late(.microseconds(500)))
        #expect(statistics[.interaction].latency.count == 1)
        #expect(statistics[.interaction].latency.max == .microseconds(50))
        #expect(statistics[.texture].latency.count == 0)
        #expect(statistics.actuators[0].lateness.sum == .microseconds(530))
    }

    @Test(
        "An input counts as late if its first actuation is after its deadline",
        arguments: [
            (.milliseconds(100), .milliseconds(100), 0), (.milliseconds(100), .milliseconds(101), 1),
            (nil, .seconds(3600), 0),
        ] as [(Nanoseconds?, Nanoseconds, UInt64)])
    func lateness(deadline: Nanoseconds?, lateness: Nanoseconds, count: UInt64) {
        var statistics = ServiceStatistics(actuators: 1)
        statistics.decided(played(1, deadline: deadline), readAt: Self.start)
        statistics.actuated(actuation(1), at: late(lateness))
        #expect(statistics[.interaction].late == count)
    }

    @Test("An actuation that the executor leaves out counts once for its input, and each time for its actuator")
    func leftOut() {
        var statistics = ServiceStatistics(actuators: 2)
        statistics.decided(played(1), readAt: Self.start)
        statistics.missed(actuation(1))
        statistics.missed(actuation(1, .off))
        statistics.missed(actuation(1))
        #expect(statistics[.interaction].leftOut == 1)
        #expect(statistics.actuators.map(\.missed) == [3, 0])
        #expect(statistics.missedActuations == 3)
        // A later actuation of the same input is not another missed deadline.
        statistics.actuated(actuation(1), at: late(.seconds(1)))
        #expect(statistics[.interaction].late == 0)
        #expect(statistics[.interaction].latency.count == 1)
        statistics.replaceActuators(count: 1)
        #expect(statistics.actuators.map(\.missed) == [0])
        #expect(statistics.missedActuations == 3)
    }

    private func end(_ playback: UInt64) -> PlaybackEnd {
        PlaybackEnd(playback: PlaybackID(playback), ending: .completed, reason: nil, at: Self.start)
    }

    @Test("Reports of an actuation that come after the end of its playback still count")
    func afterTheEnd() {
        var statistics = ServiceStatistics(actuators: 1)
        statistics.decided(played(1), readAt: Self.start)
        statistics.ended(end(1))
        statistics.actuated(actuation(1), at: late(.seconds(1)))
        #expect(statistics[.interaction].latency.max == .seconds(1))
        #expect(statistics[.interaction].late == 1)
        #expect(statistics.awaitedCount == 0)
    }

    @Test("The end of a followed value is forgotten with those of other playbacks")
    func followedEnd() {
        var statistics = ServiceStatistics(actuators: 1)
        var decision = played(1)
        (decision.isFollowed, decision.user) = (true, 1001)
        statistics.decided(decision, readAt: Self.start)
        statistics.ended(end(1))
        var kept = statistics
        for playback in 2...(UInt64(ServiceStatistics.mostEnded) + 1) {
            kept = statistics
            statistics.decided(played(playback), readAt: Self.start)
            statistics.ended(end(playback))
        }
        let owners = [kept.followedOwner(of: actuation(1)), statistics.followedOwner(of: actuation(1))]
        #expect(owners == [Owner(user: 1001), nil])
    }

    @Test("A playback that is never felt is forgotten in time")
    func bounded() {
        var statistics = ServiceStatistics(actuators: 1)
        for playback in 1...3000 as ClosedRange<UInt64> {
            statistics.decided(played(playback), readAt: Self.start)
            // Some are felt only after their end.
            statistics.ended(end(playback))
            if playback % 3 == 0 { statistics.actuated(actuation(playback - 1), at: late(.zero)) }
            #expect(statistics.awaitedCount <= ServiceStatistics.mostEnded)
        }
        #expect(statistics[.interaction].latency.count == 1000)
    }
}

@Suite("The log of ids that are positions") struct ShiftedSetTests {
    private static func decision(_ set: String, user: UInt32 = 1000, _ circumstance: Decision.Circumstance?) -> Decision {
        var decision = Decision(sequence: 1, at: .zero, input: .present, user: user, name: set, outcome: .played)
        decision.circumstance = circumstance
        return decision
    }

    @Test("Each set is named once for its user, up to a bound per user")
    func once() {
        var sets = ShiftedSets()
        #expect(sets.notice(of: Self.decision("cart", nil)) == nil)
        #expect(sets.notice(of: Self.decision("cart", .idsShifted)) == ShiftedSetNotice(set: "cart", user: 1000))
        #expect(sets.notice(of: Self.decision("cart", .idsShifted)) == nil)
        #expect(sets.notice(of: Self.decision("cart", user: 1001, .idsShifted)) == ShiftedSetNotice(set: "cart", user: 1001))
        let named = (0..<1000).compactMap { sets.notice(of: Self.decision("set \($0)", .idsShifted)) }
        #expect(named.count == ShiftedSets.mostOfUser - 1)
        // A user at the bound does not affect the others.
        #expect(sets.notice(of: Self.decision("till", user: 1001, .idsShifted)) != nil)
    }

    @Test("The user whose last report is the oldest is forgotten")
    func users() {
        var sets = ShiftedSets()
        func isSaid(_ user: Int, _ set: String = "cart") -> Bool {
            sets.notice(of: Self.decision(set, user: UInt32(user), .idsShifted)) != nil
        }
        for user in 0..<ShiftedSets.mostUsers { #expect(isSaid(user)) }
        #expect(isSaid(0, "till"))
        #expect(isSaid(ShiftedSets.mostUsers))
        #expect(!isSaid(0))
        #expect(!isSaid(2))
        #expect(isSaid(1))
    }

    @Test("The sentence names the set and the user, and what to send instead")
    func words() {
        let text = ShiftedSetNotice(set: "cart", user: 1000).text(user: "user `ada` (1000)")
        #expect(text.hasPrefix("positions were probably sent as ids: all ids of the set `cart` of user `ada` (1000) "))
        #expect(text.contains("send an id that stays with its thing"))
    }
}
