// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticJSON

/// Ask how the daemon is.
public struct StatusParams: WireCall {
    public typealias Result = StatusResult

    public static let method = "status"
    public static let summary = "how the daemon is: counters, lateness, latency"

    public init() {}

    public static let blank = Self()
    public static let members: [WireMember<Self>] = []
}

/// How the daemon is.
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
        .required("uptimeMs", \.uptimeMs, .amount, "since its start"),
        .required("profile", \.profile, .choice(), "the profile in force"),
        .required("settings", \.settings, .object, "whether anything is felt now, as far as people's settings say"),
        .required("configuration", \.configuration, .object, "which configuration is in force"),
        .required("clients", \.clients, .whole, "connections"),
        .required("sources", \.sources, .whole, "ids whose state is kept"),
        .required("playbacks", \.playbacks, .whole, "what plays or waits"),
        .required("decisions", \.decisions, .items(of: .object), "how many decisions ended in each way, of those that occurred"),
        .required("subscribers", \.subscribers, .whole, "clients that have subscribed to something"),
        .required(
            "invalidNotifications", \.invalidNotifications, .whole,
            "notifications that could not be used: these have no answer to say so"),
        .required("refused", \.refused, .items(of: .object), "what bounds and access rules have refused since the start"),
        .required("missed", \.missed, .whole, "notifications that slow subscribers missed, in sum"),
        .required(
            "missedActuations", \.missedActuations, .whole,
            "actuations since the start that were left out because they would have come too late"),
        .required(
            "missedByActuator", \.missedByActuator, .items(of: .object),
            "the same of each actuator, since the configuration of the actuators changed"),
        .required("missedDeadlines", \.missedDeadlines, .items(of: .object), "inputs of each class that were not felt in time"),
        .required("unavailable", \.unavailable, .items(of: .object), "actuators that cannot be used now"),
        .required("realtime", \.realtime, .object, "what the executor asked the kernel for"),
        .required(
            "lateness", \.lateness, .items(of: .object),
            "real minus planned time of actuations, of each actuator, since the configuration of the actuators changed"),
        .required(
            "latency", \.latency, .items(of: .object),
            "from reading an input to its first actuation, less what the pattern itself waits, of each class"),
        .required("heat", \.heat, .items(of: .object), "how hot the motors are, as far as that is known"),
        .required(
            "inputs", \.inputs, .items(of: .object),
            "the keys, buttons and switches that the daemon reads for holds and conditions"),
    ]
}

extension StatusResult {
    /// Which configuration is in force. Its path is no secret, as whoever may see processes sees `--config`; what is in it may be.
    public struct Configuration: WireResult {
        public var file: String?

        public init(file: String?) { self.file = file }

        public static let blank = Self(file: nil)

        public static let members: [WireMember<Self>] = [
            .nullable("file", \.file, .anyText, "the absolute path of its file; null: the built-in configuration")
        ]
    }

    /// How many decisions ended this way.
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
            .required("outcome", \.outcome, .choice(), "what became of the input"),
            .nullable("reason", \.reason, .choice(), "why"),
            .required("count", \.count, .whole, "how many"),
        ]
    }

    /// How hot the motor of an actuator is, by its model.
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
            .required("share", \.share, .amount, "its heat, as a share of what it may have"),
            .required("strength", \.strength, .amount, "what is left of its strength; 1: all of it"),
            .required("lowered", \.lowered, .whole, "playbacks that were felt less, because it was hot"),
            .required("cut", \.cut, .whole, "playbacks that were cut, because it was hot"),
        ]
    }

    /// How often something was refused.
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
            .required("count", \.count, .whole, "how often"),
        ]
    }

    /// How long something took. The percentiles are at most 1/64 off, and all are 0 where `count` is.
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
            .required("count", \.count, .whole, "how many there were"),
            .required("sumNs", \.sumNs, .time, "all of them together"),
            .required("p50Ns", \.p50Ns, .time, "half of them took no longer"),
            .required("p90Ns", \.p90Ns, .time, "90 % took no longer"),
            .required("p99Ns", \.p99Ns, .time, "99 % took no longer"),
            .required("p999Ns", \.p999Ns, .time, "99.9 % took no longer"),
            .required("maxNs", \.maxNs, .time, "the worst, exactly"),
        ]
    }

    /// Actuations of one actuator that were left out.
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
            .required("count", \.count, .whole, "how many actuations"),
        ]
    }

    /// Inputs of one class that were not felt in time. Each counts in one of the three at most.
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
            .required("stale", \.stale, .whole, "older than their deadline when they were decided: not felt"),
            .required("late", \.late, .whole, "their first actuation came after their deadline"),
            .required(
                "leftOut", \.leftOut, .whole,
                "their first actuation on an actuator was left out, because it came too late for that actuator"),
        ]
    }

    /// An actuator that cannot be used.
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
            .required("error", \.error, .anyText, "why, and what to do"),
        ]
    }

    /// A key, button or switch that is read for a hold or a condition.
    public struct Input: WireResult {
        public enum Kind: String, CaseIterable, Hashable, Sendable {
            /// A key, switch or axis of an input device.
            case key
            case line
            /// Nothing is read: `hapticd --simulate`.
            case simulated
        }

        public var hold: String?
        public var condition: String?
        public var input: String
        public var kind: Kind
        public var error: String?
        public var fault: ActuatorFault.Kind?

        public init(
            hold: String? = nil, condition: String? = nil, input: String, kind: Kind, _ fault: ActuatorFault? = nil
        ) {
            self.hold = hold
            self.condition = condition
            self.input = input
            self.kind = kind
            error = fault?.words
            self.fault = fault?.kind
        }

        public static let blank = Self(input: "", kind: .simulated)

        public static let members: [WireMember<Self>] = [
            .nullable("hold", \.hold, .anyText, "the hold that it presses; null: it asserts a condition"),
            .nullable("condition", \.condition, .anyText, "the condition that it asserts; null: it presses a hold"),
            .required("input", \.input, .anyText, "which key, button or switch"),
            .required(
                "kind", \.kind, .choice(),
                "a `key`, which may be a switch or an axis, of an input device, a `line`, or `simulated`: nothing is read"),
            .nullable(
                "error", \.error, .anyText, "why it cannot be read now, and what to do; null: it can, or is being opened"),
            .nullable("fault", \.fault, .choice(), "the same in a word"),
        ]
    }
}
