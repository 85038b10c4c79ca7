// SPDX-License-Identifier: MIT

/// The kind of feedback an input is for. Priority, deadline and rate limit go by it.
public enum FeedbackClass: String, CaseIterable, Hashable, Sendable, Codable {
    case alarm, notification, interaction, texture

    /// Its index in `allCases`, without the array that those are.
    public var index: Int {
        switch self {
        case .alarm: 0
        case .notification: 1
        case .interaction: 2
        case .texture: 3
        }
    }
}

/// How much the user wants to feel.
public enum Profile: String, CaseIterable, Hashable, Sendable, Codable {
    case full, quiet, reduced, silent
}

/// What a pattern tells whoever feels it, where it tells one of these. The profile `reduced` keeps it.
public enum Meaning: String, CaseIterable, Hashable, Sendable, Codable {
    case success, warning, error
}

/// A JSON scalar: what an event's `value` may be.
public enum Scalar: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(Text)
}

extension Scalar: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else {
            self = .string(Text(try container.decode(String.self)))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value.string)
        }
    }
}

/// What became of an input.
public enum Outcome: String, CaseIterable, Hashable, Sendable, Codable {
    /// It is felt.
    case played
    /// It falls into the gap, or the interval, that the actuator needs after what it has just played, and is felt as part of that.
    case merged
    /// It is not felt.
    case suppressed
    /// A later item of the same batch took its source or its actuators before it began.
    case preempted
    /// A later item of the same batch cancelled it before it began.
    case cancelled
    /// It could not be played.
    case failed
}

/// Why an input was not simply played, or why a playback ended before its time.
public enum Reason: String, CaseIterable, Hashable, Sendable, Codable {
    /// The progress has not come a step further.
    case belowStep
    /// The rule's `minInterval` or the limit of the class is used up.
    case rateLimited
    /// The event's value, or the set's things, are those that it had; or a hold that is not down was let go.
    case unchanged
    /// The same `play` with the same `id` is still playing; or the hold is down, or the task pending, already.
    case duplicate
    /// The set goes on in the next line.
    case incomplete
    /// It is pressed: what is felt of it comes if that lasts.
    case pressed
    /// The press was repeated in time, so its lease has begun again.
    case renewed
    /// The client has not repeated a press within its lease, so the press has ended.
    case leaseExpired
    /// No task of this id is pending.
    case notPending
    /// A hold of this name is a device's: only that can press it, and send its events.
    case reserved
    /// Older than its deadline.
    case stale
    /// The profile in force asks for nothing.
    case profile
    /// A condition that a client or a switch asserts suppresses it.
    case condition
    /// People have switched feedback off.
    case off
    /// It is a time in which people want to feel nothing of this.
    case quietHours
    /// The strength that people want of it is 0.
    case strength
    /// Something more important is playing; or the values of another source are followed there.
    case lowerPriority
    /// Another owner's playback of equal priority is playing, which this user may not end; or the client named the class `alarm`,
    /// which is kept to others; or the `hello` of its connection does not name the method.
    case notAllowed
    /// The motor's off time between two pulses has not passed.
    case minGap
    /// It came faster than the actuator's shortest interval.
    case minInterval
    /// The motor has been on for as long as it may without a break.
    case maxOn
    /// The motor has been on for as large a share of the time as it may.
    case dutyLimit
    /// The motor is as hot as it may be.
    case thermal
    /// No rule is for it.
    case noRule
    /// No actuator that could play it is there.
    case noActuator
    /// The actuator can only be on or off, and this is too subtle for it.
    case tooSubtle
    /// Nothing of it is above 0: the pattern, or the intensity that it was given.
    case silent
    /// No actuator of it is there, or it has gone or failed.
    case deviceLost
    /// A bound on sources or playbacks is reached; of a notification also one on requests a second.
    case quota
    /// The source went back to 0.
    case released
    /// A later item of the same batch, or a newer one of the same source, took its place.
    case superseded
    /// Someone asked for it: a `cancel`.
    case requested
    /// `feedback: off` was given.
    case feedbackOff
    /// A notification's parameters were not valid.
    case invalidParams
    /// It ends with its client, which has gone.
    case clientGone
    /// The configuration was changed and no longer has it.
    case reload
    /// The machine is about to sleep, or has slept.
    case suspended
    /// The daemon is stopping.
    case shutdown
}

/// The bounds that refuse something, by their keys in the configuration.
public enum Bound: String, CaseIterable, Hashable, Sendable, Encodable {
    case clients, clientsPerUser, requestsPerClient, requestsPerUser
    case sources, sourcesPerUser, sourcesPerClient, things, thingsPerUser, playbacks, playbacksPerUser, playbacksPerClient
}
