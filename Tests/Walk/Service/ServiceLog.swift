// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticPlanning
import HapticRuntime
import HapticService
import HapticWire

/// The surroundings of the service in a walk: its clock, its board and the reader of its configuration. It keeps the actions of
/// the service in order until the time of the walk reaches them, and replays its record with a second engine, which has to do
/// the same.
final class ServiceLog: ActuationSink, EngineRecorder {
    struct Reload {
        let inForce: ServiceConfiguration
        let answer: (Result<ReloadedConfiguration, WireError>) -> Void
    }

    enum Entry {
        /// The engine took an event, with these results and actions.
        case took(EngineEvent, at: MonotonicInstant, [ItemResult], [EngineAction])
        /// An order for the executor.
        case order(ActuationOrder)
        case commit
        case replaced
    }

    private struct DatedEntry {
        let at: MonotonicInstant
        let entry: Entry
    }

    /// The time that a device takes to prepare a pattern.
    private static let preparing = Nanoseconds.milliseconds(3)

    /// The time that the service takes between two readings of the clock.
    private let tick: Nanoseconds
    /// The time of the service, which is ahead of the walk by the work that the service has done.
    private(set) var clock = MonotonicInstant.zero
    private var entries: [DatedEntry] = []
    /// The time that the machine has slept in all.
    var suspended = Nanoseconds.zero
    /// The pending reload.
    var reload: Reload?
    /// The pending preparations of patterns.
    private var preparations: [(due: MonotonicInstant, answer: () -> Void)] = []

    /// The instant at which `off` ends, an event without any action.
    private var offEnd = MonotonicInstant.distantFuture
    /// The pending store of settings.
    private var storing: (due: MonotonicInstant, answer: () -> Void)?
    private var storeCount = 0
    /// Whether a store was requested while another was pending.
    private(set) var hasStoredTwice = false
    /// The settings of the last store.
    private(set) var handedOut = Settings()
    /// The engine that replays the record.
    private var replay: FeedbackLoop
    private(set) var difference: String?

    init(tick: Nanoseconds, _ configuration: EngineConfiguration) {
        self.tick = tick
        replay = FeedbackLoop(configuration)
    }

    func now() -> MonotonicInstant {
        clock = clock + tick
        return clock
    }

    func catchUp(to now: MonotonicInstant) { clock = max(clock, now) }

    var nextEntry: MonotonicInstant { entries.first?.at ?? .distantFuture }
    var nextPrepared: MonotonicInstant { preparations.first?.due ?? .distantFuture }

    func takeEntries(until now: MonotonicInstant) -> [Entry] {
        let count = entries.firstIndex { $0.at > now } ?? entries.count
        defer { entries.removeFirst(count) }
        return entries[..<count].map(\.entry)
    }

    func answerPreparations(at now: MonotonicInstant) {
        while let first = preparations.first, first.due <= now {
            preparations.removeFirst()
            first.answer()
        }
    }

    // MARK: Storing

    /// The durations of the stores, in turn; the last of them fails.
    private static let storing: [Nanoseconds] = [.milliseconds(1), .milliseconds(40), .milliseconds(7), .milliseconds(300)]

    func store(_ settings: Settings, _ answer: @escaping (SettingsFailure?) -> Void) {
        if storing != nil { hasStoredTwice = true }
        let turn = storeCount % Self.storing.count
        let failure = turn == Self.storing.count - 1 ? SettingsFailure("the walk wants it so") : nil
        (storeCount, handedOut, storing) = (
            storeCount + 1, settings, (clock + Self.storing[turn], { answer(failure) })
        )
    }

    var nextStored: MonotonicInstant { storing?.due ?? .distantFuture }

    func answerStore(at now: MonotonicInstant) {
        guard let storing, storing.due <= now else { return }
        self.storing = nil
        storing.answer()
    }

    private func note(_ entry: Entry) { entries.append(DatedEntry(at: clock, entry: entry)) }

    // MARK: EngineRecorder

    func record(_ event: EngineEvent, at now: MonotonicInstant, _ actions: ActionBuffer) {
        replay.take(event, at: now)
        let isSame = replay.actions.results == actions.results && replay.actions.actions == actions.actions
        if !isSame, difference == nil { difference = "replayed, this comes to something else: \(event)" }
        replay.forgetActions()
        if case .slept(let time) = event, offEnd != .distantFuture { offEnd = offEnd - time }
        if case .time = event, actions.isEmpty, now < offEnd { return }
        if now >= offEnd { offEnd = .distantFuture }
        for case .changed(let settings) in actions.results {
            offEnd = if case .until(let end) = settings.off { end } else { .distantFuture }
        }
        note(.took(event, at: now, actions.results, actions.actions))
    }

    // MARK: ActuationSink

    func apply(_ order: ActuationOrder) { note(.order(order)) }

    func commit() { note(.commit) }

    func replaceActuators(_ actuators: [EngineActuator]) { note(.replaced) }

    func prepare(_ timelines: [Timeline], on actuators: [ActuatorIndex], answer: @escaping ([[Bool]?]) -> Void) {
        let ready = actuators.map { _ in Optional(timelines.map { _ in true }) }
        preparations.append((clock + Self.preparing, { answer(ready) }))
    }

    func awaitOff(answer: @escaping (_ isOff: Bool) -> Void) { answer(true) }
}
