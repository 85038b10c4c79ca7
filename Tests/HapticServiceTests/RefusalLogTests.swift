// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire
import Testing

@testable import HapticService

@Suite("What is logged of refusals") struct RefusalLogTests {
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

    @Test("A single refusal is logged once, and again when it happens after a while")
    func single() {
        var log = RefusalLog()
        #expect(log.refused(Self.reload, to: 1001, at: Self.start).map(\.more) == [0])
        #expect(log.advance(to: Self.start + RefusalLog.quiet).isEmpty)
        #expect(log.refused(Self.reload, to: 1001, at: Self.start + .seconds(61)).map(\.more) == [0])
    }

    @Test("Without anyone calling `advance`, the next refusal logs what was over before it")
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

    @Test("However many users there are the log is bounded, in memory and in lines, and nothing is left uncounted")
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
        "An error and a log line name the key, the number and what to do",
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

    @Test("However many come and go, those who have gone are bounded")
    func bounded() {
        var users = UserTable()
        for id in 0..<1000 as Range<UInt32> {
            let user = users.connect(id, at: Self.start)
            user.budget.take(of: 1, at: Self.start)
            users.disconnect(user, at: Self.start)
        }
        #expect(users.count == UserTable.mostGone)
        // The last ones are those who are kept.
        #expect(users.connect(999, at: Self.start).budget.isFull(at: Self.start) == false)
    }
}
