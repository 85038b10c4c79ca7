// SPDX-License-Identifier: MIT
public import HapticBackends
public import HapticCore
public import HapticEngine
import HapticPlanning
import HapticRuntime

/// The daemon's engine and executor with simulated motors, on virtual time from 0: a day of use in a second.
///
/// The code that decides and plays is the one that runs in the daemon; only clock and motors differ. No actuation is ever late.
public struct VirtualBoard: ~Copyable {
    /// Something that happened, in the order in which it did.
    public enum Record: Hashable, Sendable {
        case decision(Decision, PlaySummary?)
        case playback(PlaybackEnd)
        case interruption(PlaybackInterruption)
        case hold(HoldChange)
        case actuation(AppliedActuation)
        /// It was on with nothing more planned, and has been switched off: a fault of ours.
        case abandoned(AppliedActuation)
        /// There was no room for it: a fault of ours.
        case refused(Actuation)
        /// Its device has gone, or (nil) is there again.
        case actuator(ActuatorIndex, DriverFault?)
    }

    /// Room for what the engine plans ahead, and for the off of each.
    private static let queuePerActuator = 256

    public private(set) var now = MonotonicInstant.zero
    public let drivers: [SimulatedDriver]
    private var loop: FeedbackLoop
    private var executor: ExecutorCore
    private var records: [Record] = []
    /// The devices that are gone, and when each is tried again, as the daemon tries them.
    private var lost: [ActuatorIndex: (retryAt: MonotonicInstant, backOff: BackOff)] = [:]

    /// `faults`: what goes wrong, by the name of the actuator.
    public init(_ configuration: EngineConfiguration, faults: [String: FaultPlan] = [:]) {
        drivers = configuration.actuators.map {
            SimulatedDriver(
                name: $0.name, capabilities: $0.capabilities, limits: $0.limits, faults: faults[$0.name] ?? .none)
        }
        loop = FeedbackLoop(configuration)
        executor = ExecutorCore(
            drivers: drivers, queueCapacity: Self.queuePerActuator * max(1, drivers.count),
            minGaps: configuration.actuators.map(\.limits.minGap))
    }

    /// Has `batch` decided at `now`, as one transaction.
    public mutating func send(_ batch: [BatchItem]) { pass(.batch(batch)) }

    /// Lets time pass until `end`, stopping wherever something is due. False: `most` records wait to be taken, so it has stopped before.
    @discardableResult
    public mutating func run(until end: MonotonicInstant, records most: Int = .max) -> Bool {
        while case let next = nextDeadline, next <= end {
            guard records.count < most else { return false }
            step(to: max(now, next))
        }
        now = max(now, end)
        return true
    }

    /// Lets time pass until nothing plays any more. False: `most` records wait to be taken, so it has stopped before.
    @discardableResult
    public mutating func runUntilIdle(records most: Int = .max) -> Bool {
        while loop.engine.playbackCount > 0 || executor.nextDeadline < .distantFuture {
            guard records.count < most else { return false }
            step(to: max(now, nextDeadline))
        }
        return true
    }

    /// What has happened since the last call.
    public mutating func takeRecords() -> [Record] {
        defer { records.removeAll() }
        return records
    }

    private var nextDeadline: MonotonicInstant {
        lost.values.reduce(min(loop.nextDeadline, executor.nextDeadline)) { min($0, $1.retryAt) }
    }

    private mutating func step(to time: MonotonicInstant) {
        now = time
        var reports: [ExecutorReport] = []
        while executor.step(at: now, report: { reports.append($0) }) {}
        reopenLost { reports.append($0) }
        take(reports)
        if loop.nextDeadline <= now { pass(.time) }
    }

    private mutating func reopenLost(report: (ExecutorReport) -> Void) {
        // In their own order, not a dictionary's: the same faults give the same record.
        for actuator in lost.keys.sorted() {
            guard var state = lost[actuator], state.retryAt <= now else { continue }
            do throws(DriverFault) {
                try drivers[actuator.value].open(at: now)
                lost[actuator] = nil
                executor.handle(.restore(actuator), at: now, report: report)
            } catch {
                state.retryAt = now + state.backOff.next()
                lost[actuator] = state
            }
        }
    }

    /// Hands what comes of `event` to the executor and the record.
    private mutating func pass(_ event: EngineEvent) {
        var reports: [ExecutorReport] = []
        loop.take(event, at: now)
        repeat {
            for case .decided(let decision, let summary) in loop.actions.results {
                records.append(.decision(decision, summary))
            }
            for action in loop.actions.actions {
                switch action {
                case .ended(let end): records.append(.playback(end))
                case .interruption(let interruption): records.append(.interruption(interruption))
                case .held(let change): records.append(.hold(change))
                case .order(let order): executor.handle(.planned(order), at: now) { reports.append($0) }
                }
            }
        } while loop.proceed(at: now)
        take(reports)
    }

    private mutating func take(_ reports: [ExecutorReport]) {
        for report in reports {
            switch report {
            case .actuated(let actuation, let at), .cutOff(let actuation, let at):
                records.append(.actuation(AppliedActuation(actuation, at: at)))
            case .faulted(let actuator, let fault, let at):
                records.append(.actuator(actuator, fault))
                var backOff = BackOff()
                lost[actuator] = (at + backOff.next(), backOff)
                pass(.actuator(actuator, isAvailable: false))
            case .restored(let actuator, _):
                records.append(.actuator(actuator, nil))
                pass(.actuator(actuator, isAvailable: true))
            // Steps without any time between them come to pulses without length, which nobody feels.
            case .missed: break
            case .abandoned(let actuation, let at): records.append(.abandoned(AppliedActuation(actuation, at: at)))
            case .refused(let actuation): records.append(.refused(actuation))
            }
        }
    }
}
