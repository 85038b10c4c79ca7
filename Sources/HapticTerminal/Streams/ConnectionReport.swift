// SPDX-License-Identifier: MIT
package import HapticClient

/// Reports that the daemon has gone and come back: to people on standard error, to programs on standard output as `{"connection": {…}}`.
package struct ConnectionReport {
    private let console: Console
    /// Whether standard output is for lines of this program.
    private let ownsOutput: Bool
    /// Said once, not at every try.
    private var obstacle: ClientError?
    /// Whether the first try has failed, and no other has succeeded yet.
    private var isUnconnected = false

    package init(_ console: Console, ownsOutput: Bool = true) { (self.console, self.ownsOutput) = (console, ownsOutput) }

    /// `refusal`: the owner has closed the connection because of it.
    package mutating func lost(at now: Int64, refusal: ClientError? = nil) throws(Failure) {
        (obstacle, isUnconnected) = (refusal, false)
        console.warn(refusal.map { "\($0.description); trying again…" } ?? "the connection to hapticd was lost; trying again…")
        try write(ConnectionLine.State(connected: false, atNs: now))
    }

    /// A try has failed. That nobody is there goes without saying.
    package mutating func failed(_ error: ClientError) {
        switch error {
        case .noDaemon, .closed, .timedOut: return
        default: break
        }
        guard error != obstacle else { return }
        obstacle = error
        console.warn("not connected yet: \(error)")
    }

    /// The owner has reported that the first try failed.
    mutating func reported(_ error: ClientError) { (obstacle, isUnconnected) = (error, true) }

    /// `leftOut`: how much of what came meanwhile the daemon will not get.
    package mutating func again(at now: Int64, lostAt: Int64, leftOut: Int = 0) throws(Failure) {
        let away = Double(now - lostAt) / 1e6
        let rest = leftOut > 0 ? "; of what came meanwhile \(Words.count(leftOut, "value")) left out for newer ones" : ""
        let words = isUnconnected ? "connected after" : "connected again after"
        isUnconnected = false
        console.warn("\(words) \(Words.about(now - lostAt))\(rest)")
        try write(ConnectionLine.State(connected: true, atNs: now, awayMs: away))
    }

    private func write(_ state: ConnectionLine.State) throws(Failure) {
        guard ownsOutput else { return }
        try console.writeJSON(ConnectionLine(connection: state))
        if console.isJSON { try console.flush() }
    }
}

/// One line of `--json` output.
struct ConnectionLine: Encodable, Hashable {
    struct State: Encodable, Hashable {
        var connected: Bool
        /// On CLOCK_MONOTONIC.
        var atNs: Int64
        /// How long it was lost; null while it is.
        var awayMs: Double?

        private enum CodingKeys: CodingKey { case connected, atNs, awayMs }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(connected, forKey: .connected)
            try container.encode(atNs, forKey: .atNs)
            // `encode`, not `encodeIfPresent`, which leaves out what is nil.
            try container.encode(awayMs, forKey: .awayMs)
        }
    }

    var connection: State
}
