// SPDX-License-Identifier: MIT
package import HapticCore
package import HapticEngine
import HapticText
package import HapticWire

/// Decisions and endings as a newcomer understands them.
package enum Words {
    /// Why something was not felt, or ended early; without a full stop.
    package static func reason(_ reason: Reason?, profile: Profile? = nil) -> String {
        switch reason {
        case nil: "no reason was given"
        case .belowStep: "less than a step further than the last time"
        case .rateLimited: "too many came within a second"
        case .unchanged: "nothing has changed"
        case .duplicate: "the same is still playing, held or pending under this id"
        case .incomplete: "the set goes on in the next line"
        case .pressed: "it is pressed; what is felt of it comes if that lasts"
        case .renewed: "it is still pressed: the repeat has renewed its lease"
        case .leaseExpired: "its program did not repeat the press in time, so it ended"
        case .notPending: "no task of this id is pending"
        case .reserved: "a hold of this name is a device's: only that can press it, and send its events"
        case .stale: "it came too late: older than its deadline"
        case .profile: "the \(profile.map { "profile `\($0.rawValue)`" } ?? "current profile") silences this"
        case .condition: "a condition that a program or switch asserts silences this"
        case .off: "feedback is off"
        case .quietHours: "these are quiet hours"
        case .strength: "its strength is set to 0"
        case .lowerPriority: "something more important is playing"
        case .notAllowed:
            "another user plays something as important, which this one may not end, or another connection holds it, or its sender may not name the class `alarm`"
        case .minGap: "the motor needs a pause first, and this is part of what it just played"
        case .minInterval: "it came within the actuator's minInterval, and is part of what it just played"
        case .maxOn: "the motor was on for as long as it may without a break"
        case .dutyLimit: "the motor was on for as large a share of the last 10 s as it may"
        case .thermal: "the motor is as hot as it may be"
        case .noRule: "no rule matches it"
        case .noActuator: "no actuator is left to play it on"
        case .tooSubtle: "it is too weak for the actuator"
        case .silent: "it is silent: nothing of it is above 0"
        case .deviceLost: "its actuator is not there, or has gone or failed"
        case .quota: "a bound of the daemon is reached"
        case .released: "the source went back to 0, or the hold was let go"
        case .superseded: "something newer took its place"
        case .requested: "someone cancelled it"
        case .feedbackOff: "feedback is switched off for it"
        case .invalidParams: "its parameters are not valid"
        case .clientGone: "the program that played it has gone"
        case .reload: "the configuration has changed"
        case .suspended: "the machine goes to sleep, or has just slept"
        case .shutdown: "hapticd is stopping"
        }
    }

    /// The same of a decision: what it means for such an input.
    static func reason(of decision: DecisionResult, profile: Profile? = nil) -> String {
        switch (decision.input, decision.reason) {
        case (.event, .unchanged) where decision.kept != nil: "it is about the same thing as before"
        case (.event, .unchanged): "its value is the one it had"
        case (.present, .unchanged): "the same things are there as before"
        case (.hold, .unchanged): "it was not held"
        case (.play, .duplicate): "the same is still playing under this id"
        case (.hold, .duplicate): "it is held already"
        case (.task, .duplicate): "the task is pending already"
        case (.hold, .released): "it was let go"
        // Something more important, or a value that was followed before.
        case (.progress, .lowerPriority): "what plays there goes first"
        case (_, .stale):
            "it came too late: \(decision.ageMs.map { "it was \(time(milliseconds: $0)) old" } ?? "older than its deadline")"
        case (.progress, .noRule) where decision.source != nil: "no rule matches \(quoted(decision.source ?? ""))"
        case (_, .notAllowed) where decision.outcome == .failed: "the `hello` of its connection does not name this method"
        case (.hold, .notAllowed): "another connection holds it, and that alone can let go"
        case (_, .notAllowed):
            "another user plays something as important, which this one may not end, or may not name the class `alarm`"
        case (.present, .noRule) where decision.rule != nil, (.event, .noRule) where decision.kept != nil,
            (.task, .noRule) where decision.rule != nil:
            "its rule has nothing to feel for this"
        case (.present, .quota) where decision.kept == nil:
            "there is more in it, in a line of it or in all sets of this user than there may be, so it stays as it was"
        case (.present, .invalidParams):
            "a line of the set was not valid, so it stays as it was\(decision.mistake.map { ": \($0)" } ?? "")"
        case (_, .invalidParams): "its parameters are not valid\(decision.mistake.map { ": \($0)" } ?? "")"
        default: reason(decision.reason, profile: profile)
        }
    }

    /// What to do about it, where there is something that this input can do.
    private static func advice(_ decision: DecisionResult) -> String? {
        if let own = ownAdvice(decision) ?? staleAdvice(decision) { return own }
        let kind = decision.input
        let isProgress = kind == .progress
        // The others have only their rule, and so has an event that nobody has sent.
        let isOfDevice = decision.origin == .device
        let hasOptions = kind == .play || kind == .event && !isOfDevice
        return switch decision.reason {
        case .profile: "`hapticctl profile full` brings everything back"
        case .condition: "it is felt again when the condition ends; `hapticctl settings` names those in force"
        case .off: "`hapticctl on` switches it on"
        case .quietHours, .strength: "`hapticctl settings` shows what is set"
        case .lowerPriority:
            isProgress
                ? "it is felt again when that has ended, or raise `class` in a rule of its own"
                : hasOptions
                    ? "try again when it has ended, or give a more important --class"
                    : "raise `class` in its rule, if it is to be felt all the same"
        case .belowStep: "to start over, run `hapticctl release ID`"
        case .rateLimited, .minGap, .minInterval: "try again in a second"
        case .dutyLimit: "try again in a few seconds"
        case .thermal: "try again in a minute"
        case .duplicate: "wait for it, or `hapticctl cancel` it"
        case .noActuator, .deviceLost: "`hapticctl actuators` shows what is there"
        case .silent:
            kind == .play
                ? "raise the `intensity` of its pattern, or --intensity" : "raise `intensity` in its rule, or in the pattern"
        case .tooSubtle: "raise \(hasOptions ? "--intensity" : "`intensity` in its rule"), or use a stronger pattern"
        case .noRule where isProgress: ruleToAdd("progress", for: decision.source, pattern: "soft")
        case .noRule: "\(ruleToAdd("events", for: decision.name, pattern: "tick")); rules of your own replace the built-in ones"
        case .quota:
            "use the same ids again, play less at once or send less in one line; where `hapticctl status` names a bound, that can be raised"
        case .suspended: "try again in ten seconds, or when it has slept"
        case .shutdown: "try again when it is back"
        case .reserved: "use another id, or press the button"
        case .leaseExpired: "repeat `down` within its `leaseMs`, for as long as it is pressed"
        default: nil
        }
    }

    /// In ms. A greater age is a wrong clock or unit, not a late program.
    private static let oddAge = 60_000.0

    private static func staleAdvice(_ decision: DecisionResult) -> String? {
        // What a hand does has the instants of the kernel, or of hapticd itself.
        guard let age = decision.ageMs, decision.input != .hold else { return nil }
        return age < oddAge
            ? "send it sooner, or raise its deadline"
            : "its `atNs` is probably in another unit, or of another clock: send nanoseconds of CLOCK_MONOTONIC, or leave it out"
    }

    /// The rule to write for an input that no rule matches.
    ///
    /// - Parameters:
    ///   - part: The key of the configuration, such as `progress`.
    ///   - name: The id or the event's name; nil if the connection is the source.
    static func ruleToAdd(_ part: String, for name: String?, pattern: String) -> String {
        let isPlain: (UInt8) -> Bool = { (0x20..<0x7f).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        let match = name.flatMap { $0.utf8.count <= 60 && $0.utf8.allSatisfy(isPlain) ? $0 : nil } ?? "*"
        return "add one under `\(part)` of the configuration, such as `- { match: \"\(match)\", pattern: \(pattern) }`"
    }

    /// The rule that an event nearly matches, to go on after `no rule matches it`; `nil` if there is none.
    package static func nearRule(_ match: String?, didYouMean name: String?) -> String? {
        guard let match else { return nil }
        guard let name else { return ": `\(match)` matches its name, but has a `when` for another change" }
        return ", but `\(match)` nearly does; did you mean \(quoted(name))?"
    }

    /// Of a set, a hold or a task.
    private static func ownAdvice(_ decision: DecisionResult) -> String? {
        switch (decision.input, decision.reason) {
        case (.present, .noRule) where decision.rule != nil, (.event, .noRule) where decision.kept != nil,
            (.task, .noRule) where decision.rule != nil:
            "add it to the rule, if it is to be felt"
        case (.present, .noRule): "add one under `collections` of the configuration"
        case (.hold, .noRule): "add one under `holds` of the configuration"
        case (.task, .noRule): "add one under `tasks` of the configuration"
        case (.present, .quota) where decision.kept == nil:
            "name fewer things or shorter ids, here or in other sets, or raise `thingsPerUser` or `things` in `bounds` of the configuration"
        // It is of class interaction, whatever the rule says of its end.
        case (.task, .lowerPriority) where decision.value == .string(Text(TaskState.began.rawValue)):
            "begin it when that has ended"
        case (.hold, .quota) where isState(decision): "let go of others first"
        case (.task, .quota): "end others first, or use the same ids again"
        case (.hold, .duplicate): "let go first, or use another id"
        case (.task, .duplicate): "wait for its end, or use another id"
        case (.task, .notPending): "`hapticctl task ID began` begins it"
        default: nil
        }
    }

    /// One line on why an input was not felt, with what to do about it.
    package static func notFelt(_ decision: DecisionResult, profile: Profile? = nil) -> String {
        let why = whyNotFelt(decision, profile: profile)
        return advice(decision).map { "\(why); \($0)" } ?? why
    }

    /// The same without what to do about it.
    package static func whyNotFelt(_ decision: DecisionResult, profile: Profile? = nil) -> String {
        switch decision.reason {
        case .released: return decision.input == .hold ? "let go" : "back to 0"
        case .pressed: return "pressed"
        case .renewed: return "still pressed (\(Reason.renewed.rawValue))"
        case .leaseExpired: return "let go: \(reason(of: decision)) (\(Reason.leaseExpired.rawValue))"
        case .incomplete: return "to be continued"
        default: return "not felt: \(becauseOf(decision, profile: profile))"
        }
    }

    /// `nothing has changed (unchanged)`.
    static func becauseOf(_ decision: DecisionResult, profile: Profile? = nil) -> String {
        tooWeak(decision) ?? "\(reason(of: decision, profile: profile)) (\(decision.whyNotFelt))"
    }

    /// `felt, soft at 50% on main`, or why not and what to do.
    package static func outcome(_ decision: DecisionResult) -> String {
        decision.outcome == .played ? tooWeak(decision) ?? "felt, \(felt(decision))" : notFelt(decision)
    }

    /// `sent, but too weak to be felt on main (peak 3%)`; `nil` if the motor's model does not rule out that it is felt.
    package static func tooWeak(_ decision: DecisionResult) -> String? {
        guard decision.felt == false else { return nil }
        let place = decision.actuators.isEmpty ? "" : " on \(decision.actuators.joined(separator: ", "))"
        return "sent, but too weak to be felt\(place)\(decision.feltPeak.map { " (peak \(peak($0)))" } ?? "")"
    }

    /// A peak in percent. One that is not felt never reads as the least that is.
    static func peak(_ peak: Double) -> String { percent(peak < Decision.Feel.least ? min(peak, 0.099) : peak) }

    /// A rule's pattern that its motors cannot convey, as `check-config` and the doctor report it.
    package static func weak(_ feedback: WeakFeedback) -> String {
        let place = feedback.actuators.joined(separator: ", ")
        return
            "\(feedback.rule): \(quoted(feedback.pattern)) is too weak to be felt on \(place) (peak \(peak(feedback.peak))); raise its `intensity`, use a longer or stronger pattern, or look at `maxOn` and `fit` of the motor"
    }

    /// `soft at 50% on main`; of several decisions with `intensities`, `soft at 50% to 60% on main`.
    package static func felt(_ decision: DecisionResult, intensities: ClosedRange<Double>? = nil) -> String {
        let what = pattern(decision)
        let least = (intensities?.lowerBound ?? decision.intensity).map(percent)
        let most = (intensities?.upperBound).map(percent).flatMap { $0 == least ? nil : " to \($0)" } ?? ""
        let strength = least.map { " at \($0)\(most)" } ?? ""
        let place = decision.actuators.isEmpty ? "" : " on \(decision.actuators.joined(separator: ", "))"
        return what + strength + place
    }

    /// What is felt. A value that is followed has a pattern where it passes a detent; elsewhere it is felt itself.
    static func pattern(_ decision: DecisionResult) -> String {
        // Of another user's input neither the pattern nor the value is known.
        let isFollowed = decision.input == .progress && decision.value != nil
        return decision.pattern ?? (isFollowed ? "followed" : "a pattern")
    }

    /// `progress copy 42%`, `event payment.succeeded`, `present cart.items (1 inserted, 0 removed, 3 kept)`.
    package static func input(_ decision: DecisionResult) -> String {
        var words = [decision.input.rawValue]
        if let name = decision.name { words.append(given(name)) }
        if let source = decision.source { words.append(given(source)) }
        switch decision.value {
        case .number(let value): words.append(share(decision) ?? "= \(plain(value))")
        case .string(let value) where isState(value, of: decision): words.append(value.string)
        case .string(let value): words.append("= \(given(value.string))")
        case .bool(let value): words.append("= \(value)")
        case .null, nil: break
        }
        if let inserted = decision.inserted, let removed = decision.removed, let kept = decision.kept {
            words.append("(\(inserted) inserted, \(removed) removed, \(kept) kept)")
        }
        return words.joined(separator: " ")
    }

    /// `42%`: the value of a progress or of a hold; `nil` of any other.
    static func share(_ decision: DecisionResult) -> String? {
        guard case .number(let value) = decision.value, [.progress, .hold].contains(decision.input) else { return nil }
        return percent(value)
    }

    /// Whether it is about what a hand does, and not about a step of the charge.
    private static func isState(_ decision: DecisionResult) -> Bool {
        if case .string(let value) = decision.value { isState(value, of: decision) } else { false }
    }

    /// Whether its value is one of our own words.
    private static func isState(_ value: Text, of decision: DecisionResult) -> Bool {
        switch decision.input {
        case .hold: HoldState(text: value) != nil
        case .task: TaskState(text: value) != nil || value == "working"
        default: false
        }
    }

    /// What others made up, so that it cannot be taken for words of ours: with quotes around it unless it is a plain word.
    package static func given(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || "._-/@+*".unicodeScalars.contains($0)
        }
        return isPlain && !text.isEmpty ? text : quoted(String(text.map { $0 == "`" ? "'" : $0 }))
    }

    /// `75 steps, 49 pulses, 26 merged by minGap`.
    /// `isLeast`: there were more pulses than were counted.
    package static func summary(_ summary: PlaySummary, isLeast: Bool = false) -> String {
        var counts = "\(count(summary.steps, "step")), \(isLeast ? "more than " : "")\(count(summary.pulses, "pulse"))"
        if summary.mergedByMinGap > 0 { counts += ", \(summary.mergedByMinGap) merged by minGap" }
        if summary.mergedByMinInterval > 0 { counts += ", \(summary.mergedByMinInterval) merged by minInterval" }
        return counts
    }

    package static func ending(_ ending: EndingResult) -> String {
        guard let reason = ending.reason else { return ending.ended.rawValue }
        return ending.ended == .completed
            ? "completed, cut short: \(self.reason(reason))" : "\(ending.ended.rawValue): \(self.reason(reason))"
    }

    /// `nil` if its configuration describes its motor, or nothing is assumed.
    package static func assumption(_ actuator: ActuatorResult) -> String? {
        guard let motor = actuator.motor, motor.assumed else { return nil }
        return
            "\(actuator.name): nobody has described its motor, so it counts as `\(motor.name ?? motor.kind)`; `hapticctl tune \(actuator.name)` measures it"
    }

    package static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension DecisionResult {
    /// Played, and not too weak for its motors.
    var isFelt: Bool { outcome == .played && felt != false }

    /// The reason in one word: `belowStep`, `tooWeak`.
    var whyNotFelt: String { outcome == .played ? "tooWeak" : reason?.rawValue ?? outcome.rawValue }
}
