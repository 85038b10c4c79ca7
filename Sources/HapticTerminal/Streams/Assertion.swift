// SPDX-License-Identifier: MIT
package import HapticClient
import HapticCore
package import HapticWire

/// A condition that stays asserted until its owner releases it: on a new connection after a restart of the daemon, and once more if the
/// daemon has dropped it.
package struct Assertion {
    /// How long the daemon has to answer that a condition is released, in seconds.
    private static let releaseTimeout = 0.3

    private enum Link {
        case connected(HapticClient)
        case away(Reconnection)
    }

    private let name: String
    private let paths: [String]
    private var report: ConnectionReport
    private var link: Link
    /// On this connection.
    private var isAsserted = false
    /// `hold` ends while this descriptor is readable.
    private let interrupt: Int32?

    /// Nothing is asserted before `begin`, or `hold`. `ownsOutput`: see `ConnectionReport`.
    package init(_ name: String, at paths: [String], _ console: Console, ownsOutput: Bool = true, interrupt: Int32? = nil) {
        (self.name, self.paths, self.interrupt) = (name, paths, interrupt)
        report = ConnectionReport(console, ownsOutput: ownsOutput)
        link = .away(Reconnection(lostAt: MonotonicClock.now))
    }

    /// Connects, and asserts the condition. The daemon has `timeout` seconds for all answers; `isPatient`: see `HapticClient.init`. If it
    /// throws, its caller reports the error, and `hold` tries again.
    package mutating func begin(isPatient: Bool = true, timeout: Double = HapticClient.patience) throws(ClientError)
        -> ConditionResult
    {
        do throws(ClientError) {
            let client = try HapticClient(paths: paths, app: ThisProgram.app, isPatient: isPatient)
            client.interruptDescriptor = interrupt
            let result = try greet(client, timeout: timeout)
            (link, isAsserted) = (.connected(client), true)
            return result
        } catch {
            link = .away(Reconnection(lostAt: MonotonicClock.now, retryAfter: error.retryAfter))
            report.reported(error)
            throw error
        }
    }

    /// Keeps the condition asserted until `deadline` (ns of CLOCK_MONOTONIC; `nil`: forever). Throws `interrupted` while `interrupt` is
    /// readable, and errors that do not pass (`ClientError.mayPass`): then the condition is not in force.
    package mutating func hold(until deadline: Int64? = nil) throws {
        while MonotonicClock.now < deadline ?? .max {
            switch link {
            case .connected(let client):
                client.interruptDescriptor = interrupt
                do throws(ClientError) {
                    return try keep(on: client, until: deadline)
                } catch {
                    guard error.mayBeRestart else { throw error }
                    try lose(error)
                }
            case .away(let reconnection):
                guard let client = try reconnect(reconnection, until: deadline) else { return }
                (link, isAsserted) = (.connected(client), true)
                try report.again(at: MonotonicClock.now, lostAt: reconnection.lostAt)
            }
        }
    }

    /// Releases the condition: an input that is sent afterwards is decided without it. `hold` asserts it again.
    package mutating func release() {
        guard case .connected(let client) = link else { return }
        isAsserted = false
        client.interruptDescriptor = nil
        do throws(ClientError) {
            _ = try client.call(ConditionParams(name, on: false), timeout: Self.releaseTimeout)
        } catch {
            // The condition ends with its connection.
            link = .away(Reconnection(lostAt: MonotonicClock.now, retryAfter: error.retryAfter))
        }
    }

    /// A refusal for the rate ends the connection, too: the condition is not in force on it.
    private mutating func lose(_ error: ClientError) throws(Failure) {
        let now = MonotonicClock.now
        (link, isAsserted) = (.away(Reconnection(lostAt: now, retryAfter: error.retryAfter)), false)
        try report.lost(at: now, refusal: error.retryAfter.map { _ in error })
    }

    private func greet(_ client: HapticClient, timeout: Double = HapticClient.patience) throws(ClientError) -> ConditionResult {
        // trap: seconds that hapticctl gives; no number of the daemon.
        let deadline = MonotonicClock.now + Int64(timeout * 1e9)
        _ = try client.call(SubscribeParams(topics: [.settings]), timeout: timeout)
        return try client.call(ConditionParams(name, on: true), timeout: Double(max(0, deadline - MonotonicClock.now)) / 1e9)
    }

    private mutating func keep(on client: HapticClient, until deadline: Int64?) throws(ClientError) {
        let name = Text(name)
        var isDue = !isAsserted
        client.onNotice = { notice in
            if case .settings(let notice) = notice, !notice.now.conditions.contains(where: { Text($0) == name }) { isDue = true }
        }
        while true {
            if isDue {
                // First: the notification of a new end may come together with the answer.
                (isDue, isAsserted) = (false, false)
                _ = try client.call(ConditionParams(self.name, on: true))
                isAsserted = true
            }
            do throws(ClientError) {
                let left = deadline.map { Double(max(0, $0 - MonotonicClock.now)) / 1e9 }
                try client.receiveNotices(timeout: left) { isDue }
            } catch {
                guard error == .timedOut else { throw error }
                return
            }
        }
    }

    /// `nil`: the daemon has not come back before `deadline`.
    private mutating func reconnect(_ reconnection: Reconnection, until deadline: Int64?) throws(ClientError) -> HapticClient? {
        var (reconnection, next, report) = (reconnection, reconnection, report)
        reconnection.limit = deadline
        // A signal ends the tries, and the next call continues their pauses.
        defer { (link, self.report) = (.away(next), report) }
        do throws(ClientError) {
            return try HapticClient.reconnect(
                paths: paths, app: ThisProgram.app, reconnection, interruptDescriptor: interrupt,
                onFailure: {
                    report.failed($0)
                    next.failed(at: MonotonicClock.now, retryAfter: $0.retryAfter)
                },
                greet: { client throws(ClientError) in _ = try greet(client) })
        } catch {
            guard let deadline, error.mayPass, MonotonicClock.now >= deadline else { throw error }
            return nil
        }
    }
}
