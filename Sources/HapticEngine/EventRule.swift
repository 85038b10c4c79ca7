// SPDX-License-Identifier: MIT
public import HapticCore

/// When the value of an event changes from something to something.
public struct ChangeCondition: Hashable, Sendable, Codable {
    /// What a value must be. A string is matched by a glob; `*` alone matches every scalar.
    public enum Matcher: Hashable, Sendable, Codable {
        case any
        case glob(Glob)
        case exactly(Scalar)

        public func matches(_ value: Scalar) -> Bool {
            switch (self, value) {
            case (.any, _): true
            case (.glob(let glob), .string(let text)): glob.matches(text.string)
            case (.glob, _): false
            case (.exactly(let wanted), _): wanted == value
            }
        }
    }

    public var from: Matcher
    public var to: Matcher

    public init(from: Matcher = .any, to: Matcher = .any) {
        self.from = from
        self.to = to
    }
}

/// Maps an event to feedback.
public struct EventRule: Hashable, Sendable, Codable {
    /// Matched against the event's name.
    public var match: Glob
    /// Nil: whatever the value does.
    public var when: ChangeCondition?
    /// The event is about one thing at a time, that of its id: this is felt where another one takes its place, in place of the feedback's
    /// pattern. Such a rule has no `when`.
    public var transition: ThingPatterns?
    public var feedback: RuleFeedback
    /// Where something takes an actuator from it, it goes on there once that is over, where it would be by then.
    public var resumes: Bool

    public init(
        match: Glob, when: ChangeCondition? = nil, transition: ThingPatterns? = nil, feedback: RuleFeedback, resumes: Bool = false
    ) {
        self.match = match
        self.when = when
        self.transition = transition
        self.feedback = feedback
        self.resumes = resumes
    }
}
