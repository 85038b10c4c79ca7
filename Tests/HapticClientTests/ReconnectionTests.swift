// SPDX-License-Identifier: MIT
import HapticClient
import HapticWire
import Testing

@Suite("Reconnecting, in virtual time")
struct ReconnectionTests {
    private let second: Int64 = 1_000_000_000

    @Test("Tries follow at once, then after 50 ms, twice as long each time, and at last every second")
    func backOff() {
        var reconnection = Reconnection(lostAt: 7 * second)
        var now = 7 * second
        #expect(reconnection.step(at: now) == .tryNow)
        for pause in [50, 100, 200, 400, 800, 1000, 1000, 1000] as [Int64] {
            reconnection.failed(at: now)
            let next = now + pause * 1_000_000
            #expect(reconnection.step(at: now) == .wait(until: next))
            #expect(reconnection.step(at: next - 1) == .wait(until: next))
            #expect(reconnection.step(at: next) == .tryNow)
            now = next
        }
    }

    @Test("A try that took long is followed by a pause all the same")
    func slowTry() {
        var reconnection = Reconnection(lostAt: 0)
        reconnection.failed(at: 5 * second)
        #expect(reconnection.step(at: 5 * second) == .wait(until: 5 * second + Reconnection.shortestPause))
    }

    @Test("A refusal with a time is followed by that pause, if it is longer than the pause of the moment")
    func refusals() {
        var reconnection = Reconnection(lostAt: second, retryAfter: 2 * second)
        #expect(reconnection.step(at: second) == .wait(until: 3 * second))
        #expect(reconnection.step(at: 3 * second) == .tryNow)
        reconnection.failed(at: 3 * second, retryAfter: 4 * second)
        #expect(reconnection.step(at: 3 * second) == .wait(until: 7 * second))
        reconnection.failed(at: 7 * second, retryAfter: 1)
        #expect(reconnection.step(at: 7 * second) == .wait(until: 7 * second + 2 * Reconnection.shortestPause))
    }

    @Test("The last try is made when the time is up, and there is none after it")
    func limit() {
        var reconnection = Reconnection(lostAt: 0, limit: second / 5)
        for now in [0, 50_000_000, 150_000_000] as [Int64] {
            #expect(reconnection.step(at: now) == .tryNow)
            reconnection.failed(at: now)
        }
        #expect(reconnection.step(at: 150_000_001) == .wait(until: second / 5), "not 350 ms, which is after it")
        #expect(reconnection.step(at: second / 5) == .tryNow)
        reconnection.failed(at: second / 5)
        #expect(reconnection.step(at: second / 5) == .giveUp)
        #expect(reconnection.step(at: 100 * second) == .giveUp)
    }

    @Test("With no time one try is made, and without a limit tries never end")
    func extremes() {
        var none = Reconnection(lostAt: second, limit: 0)
        #expect(none.step(at: second) == .tryNow)
        none.failed(at: second)
        #expect(none.step(at: second) == .giveUp)
        var endless = Reconnection(lostAt: 0)
        for hour in 1...1000 as ClosedRange<Int64> { endless.failed(at: hour * 3600 * second) }
        #expect(endless.step(at: 1001 * 3600 * second) == .tryNow)
    }

    @Test(
        "Errors that a restart may cause are tried again, and lasting ones are not",
        arguments: [
            (.noDaemon(tried: ["/s"]), true), (.closed, true), (.timedOut, true), (.noPermission(path: "/s"), true),
            (.refused(WireError(.shuttingDown, "")), true), (.refused(WireError(.invalidParams, "")), false),
            (.refused(WireError(.quota, "", data: .init(retryAfterMs: 5))), true), (.refused(WireError(.quota, "")), false),
            (.interrupted, false), (.pathTooLong(path: "/s"), false), (.notUnderstood(""), false),
            (.system(call: "socket", errno: 24, message: ""), false),
        ] as [(ClientError, Bool)])
    func restart(error: ClientError, isOne: Bool) {
        #expect(error.mayBeRestart == isOne)
    }

    @Test("A refusal for lack of room may pass, and one for lack of a right does not")
    func place() {
        #expect(ClientError.refused(WireError(.quota, "the user has 256 connections")).mayPass)
        #expect(ClientError.closed.mayPass)
        #expect(!ClientError.refused(WireError(.notAllowed, "")).mayPass)
        #expect(!ClientError.interrupted.mayPass)
    }

    @Test("The pause after a refusal is as long as the daemon says, within bounds, and there is none without a time")
    func retryAfter() {
        func pause(_ code: ErrorCode, _ milliseconds: Double?) -> Int64? {
            ClientError.refused(WireError(code, "", data: .init(limit: "requestsPerUser", retryAfterMs: milliseconds))).retryAfter
        }
        #expect([200, 0.5, -1].map { pause(.quota, $0) } == [second / 5, second / 1000, second / 1000])
        #expect([3_600_000, 1e300].map { pause(.quota, $0) } == [10 * second, 10 * second])
        #expect([pause(.quota, nil), pause(.notAllowed, 200), ClientError.closed.retryAfter] == [nil, nil, nil])
    }
}
