// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticBackends
private import HapticConfig
internal import HapticCore
internal import HapticRuntime
private import HapticServer
private import HapticThreads
private import Logging
internal import NIOCore
private import NIOPosix

/// The faults of one actuator, and how it is got back.
struct Trouble {
    /// How long after a fault the next one counts as the first again.
    static let quietTime = Nanoseconds.seconds(60)
    /// How soon after its loss a device is looked for, for its return may have come before the news of its loss.
    static let firstLook = Nanoseconds.milliseconds(100)

    var backOff = BackOff()
    var last: MonotonicInstant
    /// Not told of in the log yet.
    var isNew = false
    /// Its device has to come, or to change hands, before another try is worth it.
    var awaitsDevice = false
    /// Between a fault and the next success: only then is its driver left alone by the executor, and may be opened.
    var isFaulty = true
    /// It is being opened just now; `again`: something has changed since.
    var isOpening = false
    var again = false
    /// The one try that is planned.
    var nextTry: Scheduled<Void>?
}

extension ExecutorSink {
    func failed(_ actuator: ActuatorIndex, _ fault: DriverFault, at instant: MonotonicInstant) {
        logger.warning("\(name(actuator)): \(fault)")
        var trouble = troubles[actuator] ?? Trouble(last: instant)
        if instant - trouble.last > Trouble.quietTime { trouble.backOff = BackOff() }
        trouble.last = instant
        trouble.isFaulty = true
        troubles[actuator] = trouble
        note(fault, of: actuator)
        // A device that has gone may be back under another name already, and nothing would tell.
        if troubles[actuator]?.awaitsDevice == true, fault.cause == .deviceLost {
            tryLater(actuator, after: Trouble.firstLook)
        }
    }

    /// Opens what was not opened before the start.
    func openFirst(_ actuator: ActuatorIndex) {
        service?.setActuator(actuator, error: "it is being opened; wait a moment")
        troubles[actuator] = Trouble(last: SystemClock.now, isNew: true)
        tryToOpen(actuator)
    }

    /// Devices have come, gone or changed hands. On the event loop.
    func devicesChanged() {
        for actuator in troubles.keys where troubles[actuator]?.awaitsDevice == true { tryToOpen(actuator) }
        guard let running else { return }
        let generation = generation
        let paths = running.devicePaths
        helper.runIfActive(eventLoop: eventLoop) {
            paths.indices.filter { place in paths[place].map { access($0, F_OK) != 0 } ?? false }
        }.assumeIsolated().whenSuccess { [weak self] gone in
            guard let self, self.generation == generation else { return }
            for place in gone {
                guard let path = self.running?.devicePaths[place] else { continue }
                self.running?.devicePaths[place] = nil
                submit(.lose(ActuatorIndex(place), DriverFault(.deviceLost, device: path)))
            }
        }
    }

    private func note(_ fault: DriverFault, of actuator: ActuatorIndex) {
        service?.setActuator(actuator, error: "\(fault)")
        running?.devicePaths[actuator.value] = nil
        // inotify tells nothing of sysfs, and nobody tells when a line is free again or a device hangs no longer.
        let isTold = fault.awaitsDevice && configuration.actuators[actuator.value].backend.appearsInDev
        troubles[actuator]?.awaitsDevice = isTold
        if !isTold, let wait = troubles[actuator]?.backOff.next() { tryLater(actuator, after: wait) }
    }

    private func tryLater(_ actuator: ActuatorIndex, after wait: Nanoseconds) {
        let generation = generation
        // One at a time: each try that fails plans the next, so two would go on side by side for good.
        troubles[actuator]?.nextTry?.cancel()
        troubles[actuator]?.nextTry = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(wait.count)) { [weak self] in
            guard let self, self.generation == generation else { return }
            tryToOpen(actuator)
        }
    }

    private func tryToOpen(_ actuator: ActuatorIndex) {
        guard let driver = running?.drivers[actuator.value], var trouble = troubles[actuator], trouble.isFaulty else { return }
        trouble.again = trouble.isOpening
        guard !trouble.isOpening else {
            troubles[actuator] = trouble
            return
        }
        trouble.isOpening = true
        troubles[actuator] = trouble
        let (generation, preparations) = (generation, configuration.preparations)
        helper.runIfActive(eventLoop: eventLoop) {
            try Self.open(driver, preparing: preparations)
            return driver.devicePath
        }.assumeIsolated().whenComplete { [weak self] result in
            guard let self, self.generation == generation else { return }
            troubles[actuator]?.isOpening = false
            // It may have started the first guard, or one after a time without.
            watchGuard()
            switch result {
            case .success(let path):
                troubles[actuator]?.awaitsDevice = false
                troubles[actuator]?.isFaulty = false
                troubles[actuator]?.nextTry?.cancel()
                running?.devicePaths[actuator.value] = path
                submit(.restore(actuator))
                // It may have gone while it was being opened.
                if troubles[actuator]?.again == true { devicesChanged() }
            case .failure(let error):
                guard let fault = error as? DriverFault else { return }
                noteTried(actuator)
                logger.log(level: troubles[actuator]?.isNew == true ? .warning : .debug, "\(name(actuator)): \(fault)")
                troubles[actuator]?.isNew = false
                note(fault, of: actuator)
                if troubles[actuator]?.again == true { tryToOpen(actuator) }
            }
        }
    }

    // MARK: Preparing

    func prepare(_ timelines: [Timeline], on actuators: [ActuatorIndex], answer: @escaping ([[Bool]?]) -> Void) {
        guard let running else { return answer(actuators.map { _ in nil }) }
        let drivers = actuators.map { running.drivers[$0.value] }
        let generation = generation
        helper.runIfActive(eventLoop: eventLoop) {
            drivers.map { driver in
                Result { () throws(DriverFault) in try driver.prepare(timelines, at: SystemClock.now).map { $0 != .noRoom } }
            }
        }.assumeIsolated().whenComplete { [weak self] result in
            let results = (try? result.get()) ?? []
            for (actuator, result) in zip(actuators, results) {
                // It may be long until it is played and would be found out.
                if case .failure(let fault) = result, fault.cause == .hanging, self?.generation == generation {
                    self?.submit(.lose(actuator, fault))
                }
            }
            answer(results.isEmpty ? actuators.map { _ in nil } : results.map { try? $0.get() })
        }
    }
}

extension ActuatorConfiguration.Backend {
    /// Whether opening it may take seconds, for what the device does about it.
    var mayHang: Bool { if case .evdev = self { true } else { false } }

    /// By which they are opened: those of which one may have to wait for another of its kind come last.
    var delay: Int {
        switch self {
        case .simulated, .gpio: 0
        case .pwm, .led: 1
        case .evdev: 2
        }
    }

    /// Whether its devices have nodes in the folders that are watched.
    fileprivate var appearsInDev: Bool {
        switch self {
        case .gpio, .evdev: true
        case .pwm, .led, .simulated: false
        }
    }
}
