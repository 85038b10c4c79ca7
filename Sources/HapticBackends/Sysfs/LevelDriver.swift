// SPDX-License-Identifier: MIT
public import HapticCore
private import Synchronization

/// An actuator whose device can block and only knows a level: the executor hands levels over, a thread of the device writes them.
///
/// Levels that pile up behind a slow device are left out where a newer one waits, as what is late is
/// (docs/adr/0005); an off is never left out. The pattern behind a level is of no use here, so `run` is not looked at.
public final class LevelDriver: ActuatorDriver, @unchecked Sendable {
    // Unchecked, because the state belongs to one thread at a time by the rules of `ActuatorDriver`: to the executor's, or to the helper
    // where the executor has stopped or leaves it alone. `prepare`, which may run beside the executor's calls, only reads `worker`,
    // which those never change.

    /// Any intensity, one sharpness: what a PWM channel or a light can show, known before it is opened.
    public static let capabilities = ActuatorCapabilities(variesIntensity: true, variesSharpness: false)

    public let capabilities: ActuatorCapabilities
    private let device: any LevelDevice
    private let outputGuard: (any OutputGuard)?
    private var onTime: OnTimeGuard
    /// Nil where it is closed.
    private var worker: Worker?
    /// Closed, but its device hangs and has not been given back yet.
    private var stuck: Worker?
    /// What was handed over last.
    private var handedOver = Drive.zero

    /// `outputGuard`: switches the output off where the daemon cannot; nil in tests only. `mostDrive`: the most that `device` can
    /// show, 1…1.5.
    public init(
        _ device: any LevelDevice, maxOn: Nanoseconds?, outputGuard: (any OutputGuard)?, mostDrive: Drive = .rated
    ) {
        self.device = device
        self.outputGuard = outputGuard
        capabilities = Self.capabilities.with(mostDrive: mostDrive)
        onTime = OnTimeGuard(maxOn: maxOn)
    }

    // MARK: On the executor's thread

    public func apply(
        _ driven: DrivenLevel, run: RunIndex?, planned: MonotonicInstant, at now: MonotonicInstant
    ) throws(DriverFault) {
        guard let worker else { throw DriverFault(.closed, device: device.name) }
        try handOver(onTime.admit(capabilities.fitted(driven), at: now).drive, to: worker, at: now)
    }

    /// Also while the device has not followed yet, for a last look whether it hangs or has failed.
    public var nextDeadline: MonotonicInstant { min(onTime.deadline, worker?.thread.deadline ?? .distantFuture) }

    /// Whether the device has done all that it was sent.
    var hasFollowed: Bool { worker?.thread.isIdle ?? true }

    public func advance(to now: MonotonicInstant) throws(DriverFault) -> AdvanceResult {
        guard let worker else { return .kept }
        if onTime.cutsOff(at: now) {
            try handOver(.zero, to: worker, at: now)
            return .cutOff
        }
        try worker.thread.check(at: now)
        return .kept
    }

    /// After a fault the device's thread has switched it off by itself, as far as it could, before the fault was thrown. Where it hangs, it
    /// is switched off and given back as soon as it gets on: the level that it hangs at may be on, and nobody else would come in time.
    public func switchOff(at now: MonotonicInstant) throws(DriverFault) {
        let admitted = onTime.admit(.off, at: now)
        guard let worker else { return }
        do throws(DriverFault) {
            try handOver(admitted.drive, to: worker, at: now)
        } catch {
            worker.thread.askToStop()
            throw error
        }
    }

    private func handOver(_ drive: Drive, to worker: Worker, at now: MonotonicInstant) throws(DriverFault) {
        guard drive != handedOver else { return try worker.thread.check(at: now) }
        try worker.thread.post(worker.queue.next(drive), at: now)
        handedOver = drive
    }

    // MARK: On the helper thread

    /// The device's files are in /sys, where nothing shows that they have gone.
    public var devicePath: String? { nil }

    /// A level takes no preparation.
    public func prepare(_ timelines: [Timeline], at now: MonotonicInstant) throws(DriverFault) -> [Readiness] {
        guard worker != nil else { throw DriverFault(.closed, device: device.name) }
        return timelines.map { _ in .ready(until: .distantFuture) }
    }

    public func open(at now: MonotonicInstant) throws(DriverFault) {
        close(at: now)
        if let stuck {
            // Two threads must not use one device.
            guard stuck.thread.hasEnded else { throw DriverFault(.hanging, device: device.name) }
            release(stuck)
            self.stuck = nil
        }
        try outputGuard?.takeOver(device: device.name)
        let outputs = try device.open()
        do throws(DriverFault) {
            let guarded = try outputGuard?.hold(outputs, device: device.name)
            do throws(DriverFault) {
                worker = try Worker(device, guarded: guarded)
            } catch {
                if let guarded { outputGuard?.release(guarded) }
                throw error
            }
        } catch {
            device.close()
            throw error
        }
        handedOver = .zero
    }

    public func close(at now: MonotonicInstant) {
        _ = onTime.admit(.off, at: now)
        handedOver = .zero
        guard let worker else { return }
        self.worker = nil
        // What still waits is left out; the thread's end switches off.
        _ = worker.queue.next(.zero)
        if worker.thread.stop() { release(worker) } else { stuck = worker }
    }

    /// Only where the device is off: until then the guard has to be able to switch it off.
    private func release(_ worker: Worker) {
        if let guarded = worker.guarded { outputGuard?.release(guarded) }
    }
}

/// The thread of an open device, and what belongs to it. A class, so that the executor's thread, which takes hold of it with each
/// level, counts a reference that no other thread counts: that to `queue` is one.
private final class Worker {
    let thread: DeviceThread<QueuedLevel>
    let queue: LevelQueue
    let guarded: GuardedSet?

    init(_ device: any LevelDevice, guarded: GuardedSet?) throws(DriverFault) {
        let queue = LevelQueue()
        self.queue = queue
        self.guarded = guarded
        thread = try DeviceThread(
            device: device.name,
            perform: { (item: QueuedLevel) throws(DriverFault) in
                guard queue.isWorthwhile(item) else { return }
                do throws(DriverFault) {
                    try device.show(item.drive)
                } catch {
                    // Here and at once: the executor can only post, and nothing is performed after a fault.
                    device.switchOff()
                    throw error
                }
            }, finish: { device.close() })
    }
}

/// A level on its way to a device.
private struct QueuedLevel: Sendable {
    let drive: Drive
    let number: Int
}

/// Numbers the levels for one device, so that its thread knows whether there is a newer one.
private final class LevelQueue: Sendable {
    private let newest = Atomic<Int>(0)

    /// One thread at a time.
    func next(_ drive: Drive) -> QueuedLevel {
        let number = newest.load(ordering: .relaxed) + 1
        newest.store(number, ordering: .releasing)
        return QueuedLevel(drive: drive, number: number)
    }

    /// An off always is; an on until something newer waits.
    func isWorthwhile(_ item: QueuedLevel) -> Bool {
        !item.drive.isOn && !Canary.is("off-left-out-for-newer") || item.number == newest.load(ordering: .acquiring)
    }
}
