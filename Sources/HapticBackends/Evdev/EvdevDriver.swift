// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticMotors

/// A motor behind the kernel's force feedback: a game pad, or a vibrator with a driver of its own.
///
/// The executor's calls only compute and post; everything that touches the device is done by a thread of its own, because every
/// upload, play and stop of a device shares one lock in the kernel. The kernel stops all effects when the daemon dies, and each
/// ends by itself within 2 s.
///
/// Unchecked, because what varies is touched by the executor, or by the helper while the executor leaves the driver alone
/// (`open`, `close`); `prepare` only reads what those set.
public final class EvdevDriver: ActuatorDriver, @unchecked Sendable {
    /// How long `open` and `prepare` wait for the device.
    static let patience = Nanoseconds.seconds(2)

    /// Sharpness is the share of the two motors, or the period of the vibration.
    public var capabilities: ActuatorCapabilities { .full }

    public var devicePath: String? { opened?.path }
    public var foundMotor: FoundMotor? { opened?.motor }
    private let device: String
    /// With the runs in force and the actuator's `maxOn`.
    private let makePlayer: @Sendable (FFMapping) -> EvdevPlayer
    private let find: @Sendable () throws(DriverFault) -> any FFPort

    private var thread: DeviceThread<FFOrder>?
    private var session = FFSession()
    private let orders = FFOrders()
    private var opened: FFSession.Opened?
    private var player: EvdevPlayer?
    /// The mapping of the open device, for `prepare`.
    private var mapping: FFMapping?
    /// A fault was thrown, so the executor does not call before the next `open`.
    private var isFaulty = false
    /// It did not answer the helper in time, so it is not waited for again before the next `open`.
    private var hasHung = false
    /// One that hung when it was given up. No other is started before it has ended, so there is never more than one.
    private var stuck: DeviceThread<FFOrder>?

    /// `runs`: all of the configuration in force, a `RunIndex` is an index in them. Does nothing yet.
    public convenience init(_ match: DeviceMatch, runs: [Run], maxOn: Nanoseconds?) {
        self.init(device: match.description, runs: runs, maxOn: maxOn) { () throws(DriverFault) in try EvdevDevices.open(match) }
    }

    /// `find` opens the device; called on the device's thread.
    init(
        device: String, runs: [Run], maxOn: Nanoseconds?, find: @escaping @Sendable () throws(DriverFault) -> any FFPort
    ) {
        self.device = device
        makePlayer = { EvdevPlayer($0, runs: runs, maxOn: maxOn) }
        self.find = find
    }

    deinit { session.giveUp() }

    // MARK: On the executor's thread

    public func apply(
        _ driven: DrivenLevel, run: RunIndex?, planned: MonotonicInstant, at now: MonotonicInstant
    ) throws(DriverFault) {
        // A device plays effects, all of one sign.
        let sent = Level(intensity: Intensity(clamping: driven.drive.value), sharpness: driven.level.sharpness)
        try send(player?.apply(sent, run: run, planned: planned, at: now), at: now)
    }

    public var nextDeadline: MonotonicInstant {
        guard !isFaulty, let thread, let player else { return .distantFuture }
        return min(player.nextDeadline, thread.deadline)
    }

    public func advance(to now: MonotonicInstant) throws(DriverFault) -> AdvanceResult {
        let (operation, result) = player?.advance(to: now) ?? (nil, .kept)
        try send(operation, at: now)
        return result
    }

    /// After a fault the device has been closed, which stops it; a device that hangs ends its effect by itself.
    public func switchOff(at now: MonotonicInstant) throws(DriverFault) {
        guard thread != nil, let operation = player?.switchOff(at: now) else { return }
        if isFaulty { session.giveUp() }
        try send(operation, at: now)
    }

    /// Posts `operation`, if there is one, and in any case throws what has gone wrong on the device's thread.
    private func send(_ operation: FFOperation?, at now: MonotonicInstant) throws(DriverFault) {
        let thread = try openThread()
        do throws(DriverFault) {
            if let operation { try thread.post(orders.order(operation), at: now) } else { try thread.check(at: now) }
        } catch {
            isFaulty = true
            throw error
        }
    }

    private func openThread() throws(DriverFault) -> DeviceThread<FFOrder> {
        guard let thread else { throw DriverFault(.closed, device: device) }
        return thread
    }

    // MARK: On the helper thread

    public func open(at now: MonotonicInstant) throws(DriverFault) {
        close(at: now)
        if let stuck {
            guard stuck.hasEnded else { throw DriverFault(.hanging, device: device) }
            self.stuck = nil
        }
        let (session, orders) = (FFSession(), orders)
        let thread = try DeviceThread<FFOrder>(
            device: device,
            perform: { order throws(DriverFault) in
                if !orders.isOutdated(order) { try session.perform(order.operation) }
            }, finish: { session.close() })
        (self.thread, self.session) = (thread, session)
        hasHung = false
        do throws(DriverFault) {
            let find = self.find
            let opened = try ask { () throws(DriverFault) in try session.open(find) }
            self.opened = opened
            let mapping = FFMapping(opened.abilities)
            self.mapping = mapping
            player = mapping.map(makePlayer)
            isFaulty = false
        } catch {
            close(at: now)
            throw error
        }
    }

    public func close(at now: MonotonicInstant) {
        (player, mapping, opened) = (nil, nil, nil)
        guard let thread else { return }
        session.giveUp()
        if !thread.stop() { stuck = thread }
        self.thread = nil
    }

    /// A pattern is ready where all its effects are in slots, to stay. It is ready for its full intensity.
    public func prepare(_ timelines: [Timeline], at now: MonotonicInstant) throws(DriverFault) -> [Readiness] {
        guard let mapping else { throw DriverFault(.closed, device: device) }
        let session = session
        var answers: [Readiness] = []
        for timeline in timelines {
            var effects: [FFEffect] = []
            for effect in timeline.runs.flatMap({ RunPlan($0, mapping).effects(mapping) }) where !effects.contains(effect) {
                effects.append(effect)
            }
            let wanted = effects
            var isReady = try ask { () throws(DriverFault) in session.hasRoom(for: wanted) }
            // Each by itself, so that what the executor wants now goes between two uploads.
            for effect in wanted {
                let isToStay = isReady
                let stays = try ask { () throws(DriverFault) in try session.prepare(effect, isToStay: isToStay) }
                isReady = isReady && stays
            }
            answers.append(isReady ? .ready(until: .distantFuture) : .noRoom)
        }
        return answers
    }

    /// Has something done on the device's thread and waits for the answer.
    private func ask<Answer: Sendable>(
        _ body: @escaping @Sendable () throws(DriverFault) -> Answer
    ) throws(DriverFault) -> Answer {
        let thread = try openThread()
        guard !hasHung else { throw DriverFault(.hanging, device: device) }
        let reply = Reply<Result<Answer, DriverFault>>()
        let isSubmitted = thread.submit {
            do throws(DriverFault) {
                reply.give(.success(try body()))
            } catch {
                reply.give(.failure(error))
            }
        }
        guard isSubmitted, let answer = reply.wait(Self.patience) else {
            hasHung = true
            throw DriverFault(.hanging, device: device)
        }
        return try answer.get()
    }

    // MARK: Any thread

    /// Whether the device has done all that it was sent.
    var hasFollowed: Bool { thread?.isIdle ?? true }
}
