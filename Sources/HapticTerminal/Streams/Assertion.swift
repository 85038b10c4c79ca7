// SPDX-License-Identifier: MIT
package import HapticClient
import HapticCore
package import HapticWire

/// A condition that stays asserted until its owner releases it: on a new connection after a restart of the daemon, and once more if the
/// daemon has dropped it.
package struct Assertion {
    /// How long the daemon has to answer that a condition is released, in seconds.
    private static let farewell = 0.3

    private enum Link {
        case connected(HapticClient)
        case away(since: Int64)
    }

    private let name: String
    private let paths: [String]
    private var report: ConnectionReport
    private var link: Link
    /// `hold` ends while this descriptor is readable.
    package var interrupt: Int32?

    /// Nothing is asserted before `begin`, or `hold`. `ownsOutput`: see `ConnectionReport`.
    package init(_ name: String, at paths: [String], _ console: Console, ownsOutput: Bool = true, interrupt: Int32? = nil) {
        (self.name, self.paths, self.interrupt) = (name, paths, interrupt)
        report = ConnectionReport(console, ownsOutput: ownsOutput)
        link = .away(since: MonotonicClock.now)
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
            link = .connected(client)
            return result
        } catch {
            report.reported(error)
            throw error
        }
    }

    /// Keeps the condition asserted until `deadline` (ns of CLOCK_MONOTONIC; `nil`: forever). Throws `interrupted` while `interrupt` is
    /// readable, and errors that do not pass (`ClientError.mayPass`): then the condition is not in force.
    package mutating func hold(until deadline: Int64? = nil) throws {
        while true {
            switch link {
            case .connected(let client):
                client.interruptDescriptor = interrupt
                do throws(ClientError) {
                    return try keep(on: client, until: deadline)
                } catch {
                    guard error.mayBeRestart else { throw error }
                    link = .away(since: MonotonicClock.now)
                    try report.lost(at: MonotonicClock.now)
                }
            case .away(let lostAt):
                guard let client = try reconnect(lostAt, until: deadline) else { return }
                link = .connected(client)
                try report.again(at: MonotonicClock.now, lostAt: lostAt)
            }
        }
    }

    /// Releases the condition, before its process ends: an input that is sent afterwards is decided without the condition.
    package func release() {
        guard case .connected(let client) = link else { return }
        client.interruptDescriptor = nil
        _ = try? client.call(ConditionParams(name, on: false), timeout: Self.farewell)
    }

    private func greet(_ client: HapticClient, timeout: Double = HapticClient.patience) throws(ClientError) -> ConditionResult {
        // trap: seconds that hapticctl gives; no number of the daemon.
        let deadline = MonotonicClock.now + Int64(timeout * 1e9)
        _ = try client.call(SubscribeParams(topics: [.settings]), timeout: timeout)
        return try client.call(ConditionParams(name, on: true), timeout: Double(max(0, deadline - MonotonicClock.now)) / 1e9)
    }

    private func keep(on client: HapticClient, until deadline: Int64?) throws(ClientError) {
        let name = Text(name)
        var isDropped = false
        client.onNotice = { notice in
            if case .settings(let notice) = notice { isDropped = !notice.now.conditions.contains { Text($0) == name } }
        }
        while true {
            do throws(ClientError) {
                let left = deadline.map { Double(max(0, $0 - MonotonicClock.now)) / 1e9 }
                try client.receiveNotices(timeout: left) { isDropped }
            } catch {
                guard error == .timedOut else { throw error }
                return
            }
            _ = try client.call(ConditionParams(self.name, on: true))
            isDropped = false
        }
    }

    /// `nil`: the daemon has not come back before `deadline`.
    private mutating func reconnect(_ lostAt: Int64, until deadline: Int64?) throws(ClientError) -> HapticClient? {
        var report = report
        defer { self.report = report }
        do throws(ClientError) {
            return try HapticClient.reconnect(
                paths: paths, app: ThisProgram.app, Reconnection(lostAt: lostAt, limit: deadline), interruptDescriptor: interrupt,
                onFailure: { report.failed($0) }, greet: { client throws(ClientError) in _ = try greet(client) })
        } catch {
            guard let deadline, error.mayPass, MonotonicClock.now >= deadline else { throw error }
            return nil
        }
    }
}
