// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticText

/// A request for the state of the daemon.
public struct StatusParams: WireCall {
    public typealias Result = StatusResult

    public static let method = "status"
    public static let summary = "the state of the daemon: settings, counters, lateness, latency"

    public init() {}

    public static let blank = Self()
    public static let members: [WireMember<Self>] = []
}

// sizes: plain values
/// The state of the daemon.
public struct StatusResult: WireResult {
    public var version = ""
    public var uptimeMs = 0.0
    public var profile = Profile.full
    public var settings = SettingsNow.blank
    public var configuration = Configuration.blank
    public var clients = 0
    public var sources = 0
    public var playbacks = 0
    public var decisions: [Count] = []
    public var subscribers = 0
    public var invalidNotifications: UInt64 = 0
    public var refused: [Refused] = []
    public var missed: UInt64 = 0
    public var missedActuations: UInt64 = 0
    public var missedByActuator: [MissedActuations] = []
    public var missedDeadlines: [MissedDeadlines] = []
    public var unavailable: [Unavailable] = []
    public var realtime = Realtime()
    public var lateness: [Percentiles] = []
    public var latency: [Percentiles] = []
    public var heat: [Heat] = []
    public var inputs: [Input] = []

    public init() {}

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .required("version", \.version, .anyText, "the version of the daemon"),
        .required("uptimeMs", \.uptimeMs, .amount, "the time since the start"),
        .required("profile", \.profile, .choice(), "the profile in force"),
        .required("settings", \.settings, .object, "whether the settings allow feedback now"),
        .required("configuration", \.configuration, .object, "the configuration in force"),
        .required("clients", \.clients, .whole, "connections"),
        .required("sources", \.sources, .whole, "sources with a stored state"),
        .required("playbacks", \.playbacks, .whole, "playbacks that play or wait"),
        .required(
            "decisions", \.decisions, .items(of: .object),
            "the number of decisions with each outcome and reason, without those at 0"),
        .required("subscribers", \.subscribers, .whole, "connections with a subscription"),
        .required(
            "invalidNotifications", \.invalidNotifications, .whole,
            "invalid notifications, which have no answer"),
        .required(
            "refused", \.refused, .items(of: .object), "refusals by bounds and access rules since the start, without those at 0"),
        .required("missed", \.missed, .whole, "notifications that slow subscribers missed"),
        .required(
            "missedActuations", \.missedActuations, .whole,
            "actuations since the start that the executor dropped because they were late"),
        .required(
            "missedByActuator", \.missedByActuator, .items(of: .object),
            "dropped actuations of each actuator, since `actuators` or `realtime` of the configuration changed"),
        .required("missedDeadlines", \.missedDeadlines, .items(of: .object), "late inputs of each class"),
        .required("unavailable", \.unavailable, .items(of: .object), "the actuators that cannot be used now"),
        .required("realtime", \.realtime, .object, "the requests of the executor to the kernel"),
        .required(
            "lateness", \.lateness, .items(of: .object),
            """
            real minus planned time of the actuations of each actuator, since `actuators` or `realtime` of the configuration \
            changed
            """
        ),
        .required(
            "latency", \.latency, .items(of: .object),
            "the time from reading an input to its first actuation, without delays of the pattern, for each class"),
        .required("heat", \.heat, .items(of: .object), "the heat of the motors with `thermal`"),
        .required(
            "inputs", \.inputs, .items(of: .object),
            "the keys, buttons and switches that hapticd reads for holds and conditions"),
    ]
}

extension StatusResult {
    /// The configuration in force. The path is no secret, because the list of processes shows `--config`; the content may be.
    public struct Configuration: WireResult {
        public var file: String?

        public init(file: String?) { self.file = file }

        public static let blank = Self(file: nil)

        public static let members: [WireMember<Self>] = [
            .nullable("file", \.file, .anyText, "the absolute path of the file; null: the built-in configuration")
        ]
    }

    /// The number of decisions with one outcome and reason.
    public struct Count: WireResult {
        public var outcome: Outcome
        public var reason: Reason?
        public var count: UInt64

        public init(outcome: Outcome, reason: Reason?, count: UInt64) {
            self.outcome = outcome
            self.reason = reason
            self.count = count
        }

        public static let blank = Self(outcome: .played, reason: nil, count: 0)

        public static let members: [WireMember<Self>] = [
            .required("outcome", \.outcome, .choice(), "the outcome"),
            .nullable("reason", \.reason, .choice(), "the reason"),
            .required("count", \.count, .whole, "the number of decisions"),
        ]
    }

    /// The heat of the motor of an actuator, by its model.
    public struct Heat: WireResult {
        public var actuator: String
        public var share: Double
        public var strength: Double
        public var lowered: UInt64
        public var cut: UInt64

        public init(actuator: String, share: Double, strength: Double, lowered: UInt64, cut: UInt64) {
            self.actuator = actuator
            self.share = share
            self.strength = strength
            self.lowered = lowered
            self.cut = cut
        }

        public static let blank = Self(actuator: "", share: 0, strength: 1, lowered: 0, cut: 0)

        public static let members: [WireMember<Self>] = [
            .required("actuator", \.actuator, .anyText, "the actuator"),
            .required("share", \.share, .amount, "the heat, as a share of the permitted heat"),
            .required("strength", \.strength, .amount, "the remaining share of the strength; 1: all"),
            .required("lowered", \.lowered, .whole, "playbacks that a hot motor weakened"),
            .required("cut", \.cut, .whole, "playbacks that a hot motor cut"),
        ]
    }

    /// The number of refusals for one cause.
    public struct Refused: WireResult {
        public var by: String
        public var count: UInt64

        public init(by: String, count: UInt64) {
            self.by = by
            self.count = count
        }

        public static let blank = Self(by: "", count: 0)

        public static let members: [WireMember<Self>] = [
            .required(
                "by", \.by, .anyText, "the key of `bounds` or `access` in the configuration, or `untilResumed` or `backlog`"),
            .required("count", \.count, .whole, "the number of refusals"),
        ]
    }

    /// The distribution of a time. The percentiles are at most 1/64 off; all are 0 if `count` is.
    public struct Percentiles: WireResult {
        public var of: String
        public var count: UInt64
        public var sumNs: Int64
        public var p50Ns: Int64
        public var p90Ns: Int64
        public var p99Ns: Int64
        public var p999Ns: Int64
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

        public static let blank = Self(of: "", count: 0, sumNs: 0, p50Ns: 0, p90Ns: 0, p99Ns: 0, p999Ns: 0, maxNs: 0)

        public static let members: [WireMember<Self>] = [
            .required("of", \.of, .anyText, "the actuator or the class"),
            .required("count", \.count, .whole, "the number of measurements"),
            .required("sumNs", \.sumNs, .time, "the exact sum"),
            .required("p50Ns", \.p50Ns, .time, "50 % took no longer"),
            .required("p90Ns", \.p90Ns, .time, "90 % took no longer"),
            .required("p99Ns", \.p99Ns, .time, "99 % took no longer"),
            .required("p999Ns", \.p999Ns, .time, "99.9 % took no longer"),
            .required("maxNs", \.maxNs, .time, "the exact maximum"),
        ]
    }

    /// Dropped actuations of one actuator.
    public struct MissedActuations: WireResult {
        public var actuator: String
        public var count: UInt64

        public init(actuator: String, count: UInt64) {
            self.actuator = actuator
            self.count = count
        }

        public static let blank = Self(actuator: "", count: 0)

        public static let members: [WireMember<Self>] = [
            .required("actuator", \.actuator, .anyText, "the actuator"),
            .required("count", \.count, .whole, "the number of actuations"),
        ]
    }

    /// Late inputs of one class. Each counts at most once.
    public struct MissedDeadlines: WireResult {
        public var feedbackClass: FeedbackClass
        public var stale: UInt64
        public var late: UInt64
        public var leftOut: UInt64

        public init(feedbackClass: FeedbackClass, stale: UInt64, late: UInt64, leftOut: UInt64) {
            self.feedbackClass = feedbackClass
            self.stale = stale
            self.late = late
            self.leftOut = leftOut
        }

        public static let blank = Self(feedbackClass: .interaction, stale: 0, late: 0, leftOut: 0)

        public static let members: [WireMember<Self>] = [
            .required("class", \.feedbackClass, .choice(), "the class"),
            .required("stale", \.stale, .whole, "inputs after their deadline at the decision: not felt"),
            .required("late", \.late, .whole, "inputs whose first actuation came after their deadline"),
            .required(
                "leftOut", \.leftOut, .whole,
                "inputs whose first actuation on an actuator was dropped because it was late"),
        ]
    }

    /// An unavailable actuator.
    public struct Unavailable: WireResult {
        public var actuator: String
        public var error: String

        public init(actuator: String, error: String) {
            self.actuator = actuator
            self.error = error
        }

        public static let blank = Self(actuator: "", error: "")

        public static let members: [WireMember<Self>] = [
            .required("actuator", \.actuator, .anyText, "the actuator"),
            .required("error", \.error, .anyText, "the reason, and a remedy"),
        ]
    }
}
