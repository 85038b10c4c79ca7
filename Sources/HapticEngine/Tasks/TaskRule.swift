// SPDX-License-Identifier: MIT
public import HapticCore

/// How a task is felt: an action that takes time.
public struct TaskRule: Hashable, Sendable, Codable {
    /// The beginning is felt so soon after it, or not at all, whatever its class or the client says.
    public static let answer = Nanoseconds.milliseconds(100)

    /// Matched against the task's id.
    public var match: Glob
    /// Nil: nothing is felt of it.
    public var began: RuleFeedback?
    public var succeeded: RuleFeedback?
    public var failed: RuleFeedback?
    public var cancelled: RuleFeedback?
    public var working: Working?
    /// After this it has failed; above 0.
    public var timeout: Nanoseconds

    /// Says now and then that it is still pending.
    public struct Working: Hashable, Sendable, Codable {
        public static let shortestInterval = Nanoseconds.milliseconds(100)

        public var feedback: RuleFeedback
        /// From one to the next; at least `shortestInterval`.
        public var interval: Nanoseconds
        /// After this it says no more.
        public var upTo: Nanoseconds

        public init(feedback: RuleFeedback, interval: Nanoseconds = .seconds(2), upTo: Nanoseconds = .seconds(30)) {
            self.feedback = feedback
            self.interval = interval
            self.upTo = upTo
        }
    }

    public init(
        match: Glob, began: RuleFeedback? = nil, succeeded: RuleFeedback? = nil, failed: RuleFeedback? = nil,
        cancelled: RuleFeedback? = nil, working: Working? = nil, timeout: Nanoseconds = .seconds(600)
    ) {
        self.match = match
        self.began = began
        self.succeeded = succeeded
        self.failed = failed
        self.cancelled = cancelled
        self.working = working
        self.timeout = timeout
    }

    func feedback(for state: TaskState) -> RuleFeedback? {
        switch state {
        case .began: began
        case .succeeded: succeeded
        case .failed: failed
        case .cancelled: cancelled
        }
    }
}
