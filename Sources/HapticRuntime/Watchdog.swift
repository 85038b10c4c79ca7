// SPDX-License-Identifier: MIT
public import HapticCore

/// When the service manager gets a sign of life of the daemon: only where its event loop and its executor both do. A value, no clock.
///
/// The event loop looks here from time to time, which shows that it runs. At every other look it asks the executor for a beat,
/// which that one shows at the next look. While all is well looks are ¾ of the manager's period apart, so that there are two
/// wake-ups a period in all: 4/3 of the event loop, 2/3 of the executor. The quarter that is left is how late the event loop may
/// be.
public struct Watchdog: Hashable, Sendable {
    /// What comes of a look.
    public struct Verdict: Hashable, Sendable {
        /// The manager is to be given a sign of life.
        public var isAlive: Bool
        /// The executor is to be asked for a beat, where it does not owe one already.
        public var asks: Bool
        /// Until the next look.
        public var pause: Nanoseconds
    }

    private let period: Nanoseconds
    /// The executor has been asked since it last answered.
    private var isAsked = false

    /// `period`: how long the manager waits from one sign of life to the next, above 0.
    public init(period: Nanoseconds) { self.period = period }

    /// `isAlive`: whether the event loop's own work is in time. `hasAnswered`: whether the executor owes no beat; a new one does
    /// until its first.
    public mutating func check(isAlive: Bool, hasAnswered: Bool) -> Verdict {
        guard isAlive, hasAnswered || !isAsked || Canary.is("watchdog-without-executor") else {
            // What only takes long, such as the first beat of a new executor, is seen soon after; what hangs the manager ends
            // before that matters.
            return Verdict(isAlive: false, asks: isAsked, pause: period / 16)
        }
        isAsked.toggle()
        return Verdict(isAlive: true, asks: isAsked, pause: period / 4 * 3)
    }
}
