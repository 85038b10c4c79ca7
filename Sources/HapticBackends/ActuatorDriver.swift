// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticMotors

/// What drives one actuator: the whole of what the executor knows about hardware.
///
/// **Threads.** `apply`, `advance`, `nextDeadline` and `switchOff` are called on the executor's thread only, one at a time. They must
/// return within microseconds: no wait, no allocation, no log. A driver whose device can block has a thread of its own
/// and only posts to it; a fault found there is thrown by the next call here. `prepare`, `open` and `close` are called on a helper
/// thread, one at a time, and may block. `prepare` may run while the executor's calls do: what they share the driver guards
/// without making those wait. `open` and `close` never do: the executor has stopped, or leaves a faulty actuator alone.
///
/// **Time** comes in; a driver reads no clock. Instants never go back. The same driver runs under a virtual clock.
///
/// **Never left on.** A driver is closed when it was just made, and off when it was opened. It cuts off what is on longer than its
/// `maxOn` (see `OnTimeGuard`), and stays off until `.off` comes. `DriverConformance` checks all this; every driver has to pass it.
public protocol ActuatorDriver: AnyObject, Sendable {
    /// What the device can do; constant. Any thread.
    var capabilities: ActuatorCapabilities { get }

    /// The node of the open device in /dev, which goes with the device; nil where there is none or it is closed.
    /// Helper thread.
    var devicePath: String? { get }

    /// The motor of the open device, as far as that tells; `nil` if it does not, or is closed. Helper thread.
    var foundMotor: FoundMotor? { get }

    /// Brings the output to `driven.drive`, as far as `capabilities.fitted` can show it, at once.
    ///
    /// A drive of 0 is off, whatever the level. `run` is what begins with this level, where the driver may know it: a hint, for
    /// every level of it follows all the same; the drive is the level then. `planned` is when it should have been, `now` is now. After a fault
    /// the executor calls `switchOff` once and then nothing until the driver has been opened again.
    func apply(_ driven: DrivenLevel, run: RunIndex?, planned: MonotonicInstant, at now: MonotonicInstant) throws(DriverFault)

    /// When `advance` has to be called next, `.distantFuture` where it has not; so while off, so that the executor sleeps, but for a
    /// last look whether a device with a thread of its own has followed.
    ///
    /// The executor looks at it after each `apply`, `advance`, `switchOff` and `open`, and calls `advance` at what it was then. A
    /// device's own thread may change it in between: to `.zero` where it has failed, to `.distantFuture` once it has followed.
    /// Nobody is woken for that: a failure shows in the next call, or at the deadline that was read last. There is such a
    /// deadline while the device has something to do.
    var nextDeadline: MonotonicInstant { get }

    /// Does what is due by itself: the next edge of a software PWM, the renewal of an effect, the end of the longest on-time.
    ///
    /// Called at `nextDeadline` or soon after, and leaves `nextDeadline` later than `now`.
    func advance(to now: MonotonicInstant) throws(DriverFault) -> AdvanceResult

    /// Switches the output off by the surest way it has, also after a fault. No effect where it is off.
    func switchOff(at now: MonotonicInstant) throws(DriverFault)

    /// Gets patterns ready, so that the first use of each costs no more than the next. Changes nothing that is felt.
    ///
    /// Returns one answer for each timeline, in order. Not being ready is no fault: such a pattern is still played, level by level.
    func prepare(_ timelines: [Timeline], at now: MonotonicInstant) throws(DriverFault) -> [Readiness]

    /// Opens the device, again where it was open; the output is off. Throws what stands in the way.
    func open(at now: MonotonicInstant) throws(DriverFault)

    /// Switches off and gives the device back. No effect where it is closed.
    func close(at now: MonotonicInstant)
}

extension ActuatorDriver {
    /// Most devices do not tell.
    public var foundMotor: FoundMotor? { nil }

    /// A level that is driven as it is meant.
    @inlinable public func apply(
        _ level: Level, run: RunIndex? = nil, planned: MonotonicInstant, at now: MonotonicInstant
    ) throws(DriverFault) {
        try apply(DrivenLevel(level), run: run, planned: planned, at: now)
    }
}

/// What `advance` has done to the output.
public enum AdvanceResult: Hashable, Sendable {
    /// The level is the one that was applied.
    case kept
    /// The longest on-time was over: the output is off, and stays off until `.off` comes.
    case cutOff
}

/// What became of a pattern that was to be prepared.
public enum Readiness: Hashable, Sendable {
    /// `.distantFuture`: for as long as the driver is open.
    case ready(until: MonotonicInstant)
    /// The device cannot hold more.
    case noRoom
}
