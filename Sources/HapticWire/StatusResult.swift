// SPDX-License-Identifier: MIT
public import HapticCore

/// How the daemon is.
public struct StatusResult: Codable, Hashable, Sendable {
    public var version: String
    public var uptimeMs: Double
    public var profile: String
    /// What people's settings say now.
    public var settings: SettingsNow
    public var configuration: Configuration
    public var clients: Int
    public var sources: Int
    public var playbacks: Int
    /// Only those that occurred.
    public var decisions: [Count]
    /// Clients that have subscribed to something.
    public var subscribers: Int
    /// Notifications that could not be used, for they have no answer to say so.
    public var invalidNotifications: UInt64
    /// What bounds and access rules have refused, since the start; only those that did.
    public var refused: [Refused]
    /// Notifications that slow subscribers missed, in sum.
    public var missed: UInt64
    /// Actuations that were left out because they would have come too late, since the start.
    public var missedActuations: UInt64
    /// The same of each actuator, since the configuration of the actuators changed.
    public var missedByActuator: [MissedActuations]
    /// Inputs that were not felt in time, of each class.
    public var missedDeadlines: [MissedDeadlines]
    /// Actuators that cannot be used now.
    public var unavailable: [Unavailable]
    public var realtime: Realtime
    /// Real minus planned time of actuations, of each actuator, since the configuration of the actuators changed.
    public var lateness: [Percentiles]
    /// From reading an input to its first actuation, less what the pattern itself waits, of each class.
    public var latency: [Percentiles]
    /// How hot the motors are of which that is known.
    public var heat: [Heat]
    /// The keys and buttons of devices' holds.
    public var inputs: [Input]

    public init(
        version: String, uptimeMs: Double, profile: String, settings: SettingsNow, configuration: Configuration,
        clients: Int, sources: Int,
        playbacks: Int, decisions: [Count], subscribers: Int, invalidNotifications: UInt64, refused: [Refused],
        missed: UInt64, missedActuations: UInt64, missedByActuator: [MissedActuations], missedDeadlines: [MissedDeadlines],
        unavailable: [Unavailable], realtime: Realtime, lateness: [Percentiles], latency: [Percentiles],
        heat: [Heat], inputs: [Input]
    ) {
        self.version = version
        self.uptimeMs = uptimeMs
        self.profile = profile
        self.settings = settings
        self.configuration = configuration
        self.clients = clients
        self.sources = sources
        self.playbacks = playbacks
        self.decisions = decisions
        self.subscribers = subscribers
        self.invalidNotifications = invalidNotifications
        self.refused = refused
        self.missed = missed
        self.missedActuations = missedActuations
        self.missedByActuator = missedByActuator
        self.missedDeadlines = missedDeadlines
        self.unavailable = unavailable
        self.realtime = realtime
        self.lateness = lateness
        self.latency = latency
        self.heat = heat
        self.inputs = inputs
    }
}

extension StatusResult {
    /// Which configuration is in force. Its path is no secret, as whoever may see processes sees `--config`; what is in it may be.
    public struct Configuration: Codable, Hashable, Sendable {
        /// The file that it was read from, as an absolute path; null: the built-in configuration.
        public var file: String?

        public init(file: String?) { self.file = file }

        private enum CodingKeys: CodingKey { case file }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(file, forKey: .file)
        }
    }

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

    /// How hot the motor of an actuator is, by its model.
    public struct Heat: Codable, Hashable, Sendable {
        public var actuator: String
        /// Of what it may be.
        public var share: Double
        /// What is left of its strength; 1: all of it.
        public var strength: Double
        /// Playbacks that were felt less, and playbacks that were cut, for it was hot.
        public var lowered: UInt64
        public var cut: UInt64

        public init(actuator: String, share: Double, strength: Double, lowered: UInt64, cut: UInt64) {
            self.actuator = actuator
            self.share = share
            self.strength = strength
            self.lowered = lowered
            self.cut = cut
        }
    }

    /// How often something was refused.
    public struct Refused: Codable, Hashable, Sendable {
        /// The key of `bounds` or `access` in the configuration, or `untilResumed` or `backlog`.
        public var by: String
        public var count: UInt64

        public init(by: String, count: UInt64) {
            self.by = by
            self.count = count
        }
    }

    /// How long something took, in nanoseconds; the percentiles are at most 1/64 off, and all are 0 where `count` is.
    public struct Percentiles: Codable, Hashable, Sendable {
        /// The actuator or the class.
        public var of: String
        public var count: UInt64
        /// All of them together.
        public var sumNs: Int64
        public var p50Ns: Int64
        public var p90Ns: Int64
        public var p99Ns: Int64
        public var p999Ns: Int64
        /// The worst, exactly.
        public var maxNs: Int64

        public init(
            of: String, count: UInt64, sumNs: Int64, p50Ns: Int64, p90Ns: Int64, p99Ns: Int64, p999Ns: Int64, maxNs: Int64
        ) {
            self.of = of
            self.count = count
            self.sumNs = sumNs
            self.p50Ns = p50Ns
            self.p90Ns = p90Ns
            self.p99Ns = p99Ns
            self.p999Ns = p999Ns
            self.maxNs = maxNs
        }
    }

    /// Actuations of one actuator that were left out.
    public struct MissedActuations: Codable, Hashable, Sendable {
        public var actuator: String
        public var count: UInt64

        public init(actuator: String, count: UInt64) {
            self.actuator = actuator
            self.count = count
        }
    }

    /// Inputs of one class that were not felt in time. Each counts in one of the three at most.
    public struct MissedDeadlines: Codable, Hashable, Sendable {
        public var feedbackClass: String
        /// Older than their deadline when they were decided: not felt (`stale`).
        public var stale: UInt64
        /// Their first actuation came after their deadline.
        public var late: UInt64
        /// Their first actuation on an actuator was left out, because it came too late for that actuator.
        public var leftOut: UInt64

        public init(feedbackClass: String, stale: UInt64, late: UInt64, leftOut: UInt64) {
            self.feedbackClass = feedbackClass
            self.stale = stale
            self.late = late
            self.leftOut = leftOut
        }

        private enum CodingKeys: String, CodingKey {
            case feedbackClass = "class"
            case stale, late, leftOut
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

    /// A key or button that is read for a hold.
    public struct Input: Codable, Hashable, Sendable {
        public enum Kind: String, CaseIterable, Hashable, Sendable {
            /// Of an input device.
            case key
            case line
            /// Nothing is read: `hapticd --simulate`.
            case simulated
        }

        public var hold: String
        /// Which key or button.
        public var input: String
        /// A `Kind`.
        public var kind: String
        /// Why it cannot be read now, and what to do; null: it can, or is being opened.
        public var error: String?
        /// The same in a word, as an actuator's.
        public var fault: String?

        public init(hold: String, input: String, kind: Kind, _ fault: ActuatorFault? = nil) {
            self.hold = hold
            self.input = input
            self.kind = kind.rawValue
            error = fault?.words
            self.fault = fault?.kind.rawValue
        }

        private enum CodingKeys: CodingKey { case hold, input, kind, error, fault }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(hold, forKey: .hold)
            try container.encode(input, forKey: .input)
            try container.encode(kind, forKey: .kind)
            try container.encode(error, forKey: .error)
            try container.encode(fault, forKey: .fault)
        }
    }
}
