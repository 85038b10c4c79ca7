// SPDX-License-Identifier: MIT

/// How the daemon is.
public struct StatusResult: Codable, Hashable, Sendable {
    /// How many decisions ended this way.
    public struct Count: Codable, Hashable, Sendable {
        public var outcome: String
        public var reason: String?
        public var count: UInt64

        public init(outcome: String, reason: String?, count: UInt64) {
            self.outcome = outcome
            self.reason = reason
            self.count = count
        }

        private enum CodingKeys: CodingKey { case outcome, reason, count }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(outcome, forKey: .outcome)
            try container.encode(reason, forKey: .reason)
            try container.encode(count, forKey: .count)
        }
    }

    /// How long something took, in nanoseconds; the percentiles are at most 1/64 off.
    public struct Percentiles: Codable, Hashable, Sendable {
        /// The actuator or the class.
        public var of: String
        public var count: UInt64
        public var p50Ns: Int64
        public var p90Ns: Int64
        public var p99Ns: Int64
        public var maxNs: Int64

        public init(of: String, count: UInt64, p50Ns: Int64, p90Ns: Int64, p99Ns: Int64, maxNs: Int64) {
            self.of = of
            self.count = count
            self.p50Ns = p50Ns
            self.p90Ns = p90Ns
            self.p99Ns = p99Ns
            self.maxNs = maxNs
        }
    }

    /// An actuator that cannot be used.
    public struct Unavailable: Codable, Hashable, Sendable {
        public var actuator: String
        /// Why, and what to do.
        public var error: String

        public init(actuator: String, error: String) {
            self.actuator = actuator
            self.error = error
        }
    }

    public var version: String
    public var uptimeMs: Double
    public var profile: String
    public var clients: Int
    public var sources: Int
    public var playbacks: Int
    /// Only those that occurred.
    public var decisions: [Count]
    /// Clients that are told of something.
    public var subscribers: Int
    /// Notifications that could not be used, for they have no answer to say so.
    public var invalidNotifications: UInt64
    /// Notifications that slow subscribers missed, in sum.
    public var missed: UInt64
    /// Actuations that were left out because they would have come too late.
    public var missedActuations: UInt64
    /// Actuators that cannot be used now.
    public var unavailable: [Unavailable]
    /// Real minus planned time of actuations, of each actuator.
    public var lateness: [Percentiles]
    /// From reading an input to its first actuation, less what the pattern itself waits, of each class.
    public var latency: [Percentiles]

    public init(
        version: String, uptimeMs: Double, profile: String, clients: Int, sources: Int, playbacks: Int, decisions: [Count],
        subscribers: Int, invalidNotifications: UInt64, missed: UInt64, missedActuations: UInt64,
        unavailable: [Unavailable], lateness: [Percentiles], latency: [Percentiles]
    ) {
        self.version = version
        self.uptimeMs = uptimeMs
        self.profile = profile
        self.clients = clients
        self.sources = sources
        self.playbacks = playbacks
        self.decisions = decisions
        self.subscribers = subscribers
        self.invalidNotifications = invalidNotifications
        self.missed = missed
        self.missedActuations = missedActuations
        self.unavailable = unavailable
        self.lateness = lateness
        self.latency = latency
    }
}
