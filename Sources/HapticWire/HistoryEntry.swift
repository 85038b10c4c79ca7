// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticJSON

/// A decision, and the way to it.
public struct HistoryEntry: Codable, Hashable, Sendable {
    public var decision: DecisionResult
    /// The profile at that time; null: it was decided before the profile mattered.
    public var profile: String?
    /// By whose word it was, `settings` or `configuration`. Null, too, where the daemon is of an earlier version.
    public var profileBy: String?
    /// What people set, or what is configured of it, that had a say beside the profile; empty, mostly.
    public var settings: [AppliedSettingResult]
    /// The links that were asked, in order. All but the last let it pass; the last has a `reason` where nothing is felt.
    public var chain: [Link]
    /// How its playback ended; null while it plays, or where nothing is played.
    public var ending: EndingResult?
    /// What plays in its place, where its reason is `lowerPriority` or `notAllowed`; else null.
    public var blocker: Blocker?
    /// The task has not ended within this time, which counts as its failure; else null.
    public var timeoutMs: Double?
    /// All ids of the set are one more, or one less, than before, so they are probably positions; null where it is about no set.
    public var areIdsShifted: Bool?
    /// The motor does not stop enough between the pulses, or after the playback before; null if `felt` of the decision is.
    public var runsTogether: Bool?
    /// The `match` of the first rule that fits the event's name, but not its change, where no rule fits both; or of one that fits
    /// `didYouMean`; else null.
    public var nearRule: String?
    /// The name that an event was probably meant to have; `nil` if a rule matches the event, or no name is near.
    public var didYouMean: String?

    public struct Blocker: Codable, Hashable, Sendable {
        public var playback: UInt64
        /// Null: it is a client's own, or a value that is followed.
        public var pattern: String?
        public var feedbackClass: String

        public init(playback: UInt64, pattern: String?, feedbackClass: String) {
            self.playback = playback
            self.pattern = pattern
            self.feedbackClass = feedbackClass
        }

        private enum CodingKeys: String, CodingKey {
            case playback, pattern
            case feedbackClass = "class"
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(playback, forKey: .playback)
            try container.encode(pattern, forKey: .pattern)
            try container.encode(feedbackClass, forKey: .feedbackClass)
        }
    }

    public struct Link: Codable, Hashable, Sendable {
        /// `request` (it could not be used), `rule`, a link of the policy, `actuators`, or `batch` (a later item of it).
        public var link: String
        /// Why it let nothing pass; null: it did.
        public var reason: String?
        public var changes: [Change]

        public init(_ link: String, reason: String? = nil, changes: [Change] = []) {
            self.link = link
            self.reason = reason
            self.changes = changes
        }

        private enum CodingKeys: CodingKey { case link, reason, changes }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(link, forKey: .link)
            try container.encode(reason, forKey: .reason)
            try container.encode(changes, forKey: .changes)
        }
    }

    /// What a link made of it.
    public struct Change: Codable, Hashable, Sendable {
        /// `pattern`, `intensity`, `actuators`, `delayMs` (how much later it begins), or `strength` (what is left of that of a motor
        /// that is hot).
        public var of: String
        public var from: JSONValue
        public var to: JSONValue

        public init(of: String, from: JSONValue, to: JSONValue) {
            self.of = of
            self.from = from
            self.to = to
        }
    }

    public init(
        decision: DecisionResult, profile: String?, profileBy: String? = nil, settings: [AppliedSettingResult] = [],
        chain: [Link], ending: EndingResult?, blocker: Blocker? = nil,
        nearRule: String? = nil
    ) {
        self.decision = decision
        self.profile = profile
        self.profileBy = profileBy
        self.settings = settings
        self.chain = chain
        self.ending = ending
        self.blocker = blocker
        self.nearRule = nearRule
    }

    private enum CodingKeys: CodingKey {
        case decision, profile, profileBy, settings, chain, ending, blocker, nearRule, didYouMean, timeoutMs, areIdsShifted,
            runsTogether
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(decision, forKey: .decision)
        try container.encode(profile, forKey: .profile)
        try container.encode(profileBy, forKey: .profileBy)
        try container.encode(settings, forKey: .settings)
        try container.encode(chain, forKey: .chain)
        try container.encode(ending, forKey: .ending)
        try container.encode(blocker, forKey: .blocker)
        try container.encode(nearRule, forKey: .nearRule)
        try container.encode(didYouMean, forKey: .didYouMean)
        try container.encode(timeoutMs, forKey: .timeoutMs)
        try container.encode(areIdsShifted, forKey: .areIdsShifted)
        try container.encode(runsTogether, forKey: .runsTogether)
    }
}

extension HistoryEntry {
    /// A daemon of an earlier version knows nothing of settings.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        decision = try container.decode(DecisionResult.self, forKey: .decision)
        profile = try container.decodeIfPresent(String.self, forKey: .profile)
        profileBy = try container.decodeIfPresent(String.self, forKey: .profileBy)
        settings = try container.decodeIfPresent([AppliedSettingResult].self, forKey: .settings) ?? []
        chain = try container.decode([Link].self, forKey: .chain)
        ending = try container.decodeIfPresent(EndingResult.self, forKey: .ending)
        blocker = try container.decodeIfPresent(Blocker.self, forKey: .blocker)
        nearRule = try container.decodeIfPresent(String.self, forKey: .nearRule)
        didYouMean = try container.decodeIfPresent(String.self, forKey: .didYouMean)
        timeoutMs = try container.decodeIfPresent(Double.self, forKey: .timeoutMs)
        areIdsShifted = try container.decodeIfPresent(Bool.self, forKey: .areIdsShifted)
        runsTogether = try container.decodeIfPresent(Bool.self, forKey: .runsTogether)
    }

    /// `isMasked`: for another user than who sent it.
    public init(_ decision: Decision, ending: PlaybackEnd?, isMasked: Bool = false) {
        let result = DecisionResult(decision)
        self.init(
            decision: isMasked ? result.masked : result, profile: decision.policy?.profile.rawValue,
            profileBy: decision.policy?.profileLayer.rawValue,
            settings: decision.policy?.settings.map { AppliedSettingResult($0) } ?? [], chain: Self.chain(of: decision),
            ending: ending.map(EndingResult.init))
        runsTogether = isMasked ? nil : decision.feel?.runsTogether
        if decision.things != nil { areIdsShifted = decision.circumstance == .idsShifted }
        switch decision.circumstance {
        case .blocked(let other):
            blocker = Blocker(
                playback: other.playback.value, pattern: other.pattern, feedbackClass: other.feedbackClass.rawValue)
        case .otherChange(let rule):
            // Where the name of the event is hidden, so is what fits it.
            nearRule = self.decision.name == nil ? nil : rule
        case .timedOut(let time): timeoutMs = time.inMilliseconds
        // A change of the last link.
        case .standIn, .hot, .late, .mistake, .idsShifted, nil: break
        }
    }

    /// The rule, the links of the policy up to the one that objected, and the actuators: as far as it came.
    private static func chain(of decision: Decision) -> [Link] {
        let reason = decision.reason?.rawValue
        guard let policy = decision.policy else {
            if decision.outcome == .failed { return [Link("request", reason: reason)] }
            // What a hand or a task may do is up to what it has done before, a bound or a reserved name, and to no rule.
            let isOfHand = decision.input == .hold || decision.input == .task
            guard isOfHand, decision.reason != .noRule else { return [Link("rule", reason: reason)] }
            if decision.reason == .suspended { return [Link(PolicyLink.suspend.rawValue, reason: reason)] }
            return decision.rule == nil ? [] : [Link("rule")]
        }
        var chain = decision.input == .play ? [] : [Link("rule")]
        for link in PolicyLink.chain {
            let changes = policy.changes.filter { $0.link == link }.map { Change($0.change) }
            let isObjecting = link == policy.objection
            chain.append(Link(link.rawValue, reason: isObjecting ? reason : nil, changes: changes))
            if isObjecting { return chain }
        }
        var changes: [Change] = []
        if case .standIn(let wanted, let there) = decision.circumstance {
            changes = [Change(.actuators(from: wanted, to: there))]
        }
        if case .hot(let strength) = decision.circumstance {
            changes = [Change(of: "strength", from: .number(1), to: .number(strength))]
        }
        switch decision.outcome {
        case .preempted, .cancelled: return chain + [Link("actuators", changes: changes), Link("batch", reason: reason)]
        case .played, .merged, .suppressed, .failed: return chain + [Link("actuators", reason: reason, changes: changes)]
        }
    }
}

extension HistoryEntry.Change {
    fileprivate init(_ change: PolicyChange.Change) {
        switch change {
        case .pattern(let from, let to): self.init(of: "pattern", from: .string(from), to: .string(to))
        case .intensity(let from, let to): self.init(of: "intensity", from: .number(from.value), to: .number(to.value))
        case .actuators(let from, let to):
            self.init(of: "actuators", from: .array(from.map { .string($0) }), to: .array(to.map { .string($0) }))
        case .delay(let from, let to):
            self.init(of: "delayMs", from: .number(from.inMilliseconds), to: .number(to.inMilliseconds))
        }
    }
}

extension DecisionResult {
    /// What another user may know of it: neither who it is about, nor what the value is or how many things there are, nor what says so in
    /// other words. A rule for progress is named like the ids that it matches, as is the event of a hold, and a client names its own
    /// patterns. What a hand does on a device everyone may know.
    public var masked: DecisionResult {
        if origin == Decision.Origin.device.rawValue { return self }
        var masked = self
        // A mistake quotes values.
        (masked.source, masked.value, masked.mistake) = (nil, nil, nil)
        // They follow the value of what is followed.
        (masked.felt, masked.feltPeak) = (nil, nil)
        if isFollowed { masked.intensity = nil }
        (masked.inserted, masked.removed, masked.kept) = (nil, nil, nil)
        if isHoldEvent, !Canary.is("hold-event-names-its-id") { masked.name = nil }
        let isNamed = input == Decision.InputKind.event.rawValue || input == Decision.InputKind.present.rawValue
        if !isNamed || isHoldEvent { masked.rule = nil }
        if isPatternInline { masked.pattern = nil }
        return masked
    }

    /// It is the event that follows a hold, or is named like one.
    var isHoldEvent: Bool {
        guard input == Decision.InputKind.event.rawValue, let name, let source else { return false }
        return [HoldChange.State.confirmed, .released].contains { Text(name) == Text("\(source).\($0.rawValue)") }
    }
}
