// SPDX-License-Identifier: MIT
internal import HapticBoard
internal import HapticConfig
internal import HapticCore
internal import HapticService
internal import HapticThreads
internal import Logging

/// Has what people set stored, on a thread of its own, so that a slow disk keeps nobody waiting but who has set it. On the event loop.
final class SettingsKeeper {
    private let store: Result<SettingsStore, StateFailure>
    private let loop: any BoardLoop
    private let errands = ErrandQueue()
    private let logger: Logger
    /// The same failure is logged once in a row: any client may try again, and as often as its rate allows.
    private var failure: StateFailure?
    private var running = 0
    private var finished: (() -> Void)?

    /// Nil where nothing is to be kept.
    init?(_ place: SettingsPlace, on loop: any BoardLoop, logger: Logger) {
        guard let store = place.store else { return nil }
        self.store = store
        self.loop = loop
        self.logger = logger
        // That has been said.
        failure = place.loaded.obstacle
    }

    /// Stores them as they are now. `answer` is called on the event loop.
    func keep(_ settings: Settings, _ answer: @escaping (SettingsFailure?) -> Void) {
        let stored = StoredSettings(settings, at: loop.now, wall: .now)
        running += 1
        let work = { @Sendable [store] in Self.keep(stored, in: store) }
        loop.perform(work, in: errands) { [self] failure in
            note(failure)
            answer(failure.map { SettingsFailure("\($0)") })
            running -= 1
            if running == 0 { finished?() }
        }
    }

    /// Calls `done` once nothing is being stored. To be called once.
    func finish(_ done: @escaping () -> Void) {
        if running == 0 { done() } else { finished = done }
    }

    private static func keep(_ settings: StoredSettings, in store: Result<SettingsStore, StateFailure>) -> StateFailure? {
        do throws(StateFailure) {
            try store.get().keep(settings)
            return nil
        } catch {
            return error
        }
    }

    private func note(_ failure: StateFailure?) {
        guard failure != self.failure else { return }
        self.failure = failure
        if let failure {
            logger.error("what people set counts until hapticd ends only: \(failure)")
        } else {
            logger.notice("what people set is stored again")
        }
    }
}
