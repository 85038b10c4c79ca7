// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// The policy: all that speaks for or against feedback, apart from the actuators.
///
/// Each link of it has a file and is a pure function: of the candidate, which it may change for the links after it, and of what else it
/// must know.
struct Policy {
    /// The links that are asked, in order.
    private let links: [PolicyLink]
    var personal: PersonalSettings
    var conditions = ConditionTable()
    /// By `FeedbackClass.index`.
    private var limiters: [RateLimiter]
    private(set) var flashes = FlashLedger()

    init(_ configuration: EngineConfiguration, links: [PolicyLink]) {
        self.links = links
        personal = PersonalSettings(configured: configuration.settings)
        limiters = Self.makeLimiters(configuration.classes)
    }

    private static func makeLimiters(_ classes: ClassTable) -> [RateLimiter] {
        FeedbackClass.allCases.map { RateLimiter(limit: classes[$0].limitPerSecond) }
    }

    var profile: Profile { personal.settings.profile }

    /// Applies the limits of other classes.
    mutating func configure(_ classes: ClassTable) { limiters = Self.makeLimiters(classes) }

    /// Counts a playback of `candidate` that begins. `lights`: the lights among its actuators.
    mutating func record(_ candidate: Candidate, on lights: [ActuatorIndex], at now: MonotonicInstant) {
        if candidate.traits.isLimited { limiters[candidate.feedbackClass.index].record(at: now) }
        if candidate.traits.countsFlashes, let shape = candidate.pattern.flashes, !lights.isEmpty {
            flashes.record(shape, after: candidate.wait, on: lights, at: now)
        }
    }

    /// Takes back what `record` counted for the limit of a class.
    mutating func refund(_ feedbackClass: FeedbackClass) { limiters[feedbackClass.index].refund() }

    // MARK: The links

    /// The reason why nothing may be felt of `candidate`: that of the first link that objects. `nil`: none does. `path` gets what each
    /// link has changed, and which one has objected.
    mutating func objection(
        to candidate: inout Candidate, noting path: inout PolicyPath, _ configuration: EngineConfiguration,
        _ scheduler: Scheduler, work: inout WorkBudget, at now: MonotonicInstant
    ) -> Reason? {
        func names(of actuators: [ActuatorIndex]?) -> [String] { scheduler.names(of: actuators ?? scheduler.ordinary) }
        // By index: in a debug build an array's iterator is an allocation a turn.
        for index in links.indices {
            let link = links[index]
            let (pattern, intensity, actuators, wait) = (
                candidate.pattern, candidate.intensity, candidate.actuators, candidate.wait
            )
            let reason = objection(
                of: link, to: &candidate, noting: &path, configuration, scheduler, work: &work, at: now)
            if let reason {
                path.objection = link
                return reason
            }
            if candidate.pattern !== pattern {
                // Others may see it, and the name of an inline pattern is the client's own.
                let former = pattern.isInline ? "inline" : pattern.name
                path.changes.append(.init(link, .pattern(from: former, to: candidate.pattern.name)))
            }
            if candidate.intensity != intensity {
                path.changes.append(.init(link, .intensity(from: intensity, to: candidate.intensity)))
            }
            if candidate.actuators != actuators {
                path.changes.append(.init(link, .actuators(from: names(of: actuators), to: names(of: candidate.actuators))))
            }
            if candidate.wait != wait { path.changes.append(.init(link, .delay(from: wait, to: candidate.wait))) }
        }
        return nil
    }

    private mutating func objection(
        of link: PolicyLink, to candidate: inout Candidate, noting path: inout PolicyPath,
        _ configuration: EngineConfiguration, _ scheduler: Scheduler, work: inout WorkBudget, at now: MonotonicInstant
    ) -> Reason? {
        switch link {
        case .feedback: FeedbackLink.objection(to: candidate)
        case .condition: conditionObjection(to: &candidate, noting: &path, configuration, scheduler, at: now)
        case .access: AccessLink.objection(to: candidate)
        case .off: OffLink.objection(personal, noting: &path)
        case .quietHours: quietHoursObjection(to: candidate, noting: &path, work: &work, at: now)
        case .deadline: DeadlineLink.objection(to: &candidate, at: now)
        case .work: WorkLink.objection(leaving: &work)
        case .duplicate: DuplicateLink.objection(to: candidate, among: scheduler.playbacks)
        case .profile: profileObjection(to: &candidate, configuration, scheduler, at: now)
        case .strength: StrengthLink.objection(to: &candidate, personal.settings, noting: &path)
        case .rate: RateLink.objection(to: candidate, limiters[candidate.feedbackClass.index], at: now)
        }
    }

    private mutating func quietHoursObjection(
        to candidate: Candidate, noting path: inout PolicyPath, work: inout WorkBudget, at now: MonotonicInstant
    ) -> Reason? {
        guard let time = personal.quietTime(at: now) else { return nil }
        guard work.take(personal.repetitionCost) else { return .quota }
        let isRepeated = personal.isRepeated(candidate, at: now)
        return QuietHoursLink.objection(to: candidate, personal, isRepeated: isRepeated, at: time, noting: &path)
    }
}
