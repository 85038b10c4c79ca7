// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc
internal import HapticBoard
internal import HapticCore
internal import HapticThreads
internal import Logging

/// Looks at the clock on the wall where that may show something unexpected: where somebody has set it, after a sleep, when its zone changes
/// its offset, and whenever `look` is called. Where no hours are quiet it only notices a clock that is set
/// and a sleep. On the event loop.
final class ClockWatch {
    /// How soon it is watched again. A clock that is set all the time is looked at no more often.
    private static let pause = Nanoseconds.milliseconds(100)

    private let loop: any BoardLoop
    /// Reads it: on a thread of its own, for the zone is a file.
    private let errands = ErrandQueue()
    private let isNeeded: () -> Bool
    private let read: @Sendable () -> WallClock
    private let shows: (WallClock) -> Void
    private let wasSet: () -> Void
    private let logger: Logger
    private var descriptor: CInt = -1
    private var unwatch: Cancellation?
    private var next: Cancellation?
    private var isLooking = false
    private var looksAgain = false

    /// `isNeeded`: some hours are quiet. `shows` gets what the clock shows; `wasSet` is called before that where somebody may have set it.
    init(
        on loop: any BoardLoop, logger: Logger, reading read: @escaping @Sendable () -> WallClock,
        isNeeded: @escaping () -> Bool, shows: @escaping (WallClock) -> Void, wasSet: @escaping () -> Void
    ) {
        self.loop = loop
        self.logger = logger
        self.read = read
        self.isNeeded = isNeeded
        self.shows = shows
        self.wasSet = wasSet
    }

    deinit { stopWatching() }

    /// `clock` is what it shows now, which is known.
    func start(_ clock: WallClock) {
        watch()
        wait(after: clock)
    }

    /// What hours are quiet may have changed.
    func settingsChanged() {
        if isNeeded() { if next == nil { look() } } else { cancel() }
    }

    /// Looks now.
    func look() {
        guard !isLooking else {
            looksAgain = true
            return
        }
        isLooking = true
        loop.perform(read, in: errands) { [weak self] clock in
            guard let self else { return }
            isLooking = false
            if looksAgain {
                looksAgain = false
                return look()
            }
            shows(clock)
            wait(after: clock)
        }
    }

    private func wait(after clock: WallClock) {
        cancel()
        guard isNeeded() else { return }
        next = loop.schedule(at: loop.now + clock.pause) { [weak self] in
            self?.next = nil
            self?.look()
        }
    }

    private func cancel() {
        next?()
        next = nil
    }

    // MARK: Whether somebody sets it

    private func watch() {
        descriptor = clinux_clock_watch()
        guard descriptor >= 0 else { return say(String(cString: strerror(-descriptor))) }
        // Reading it fails when the clock is set, and nothing is read once that has failed.
        let again = { [weak self] in self?.watchAgain() ?? () }
        unwatch = loop.watch(
            descriptor, DescriptorEvents(readable: again, ended: again, failed: { [weak self] in self?.say("\($0)") }))
    }

    private func say(_ reason: String) {
        logger.warning("it is not noticed when somebody sets the clock (\(reason)); reload hapticd after that")
    }

    private func watchAgain() {
        guard unwatch != nil else { return }
        stopWatching()
        _ = loop.schedule(at: loop.now + Self.pause) { [weak self] in
            guard let self else { return }
            watch()
            wasSet()
            look()
        }
    }

    private func stopWatching() {
        unwatch?()
        unwatch = nil
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }
}
