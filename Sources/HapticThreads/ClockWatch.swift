// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc
private import HapticCore

/// Reads the wall clock whenever it may show something unexpected: after somebody has set it, after a sleep, when its zone changes its offset,
/// and whenever `readNow` is called. While nobody needs the time of day it only notices a clock that is set, and a sleep. On the loop.
public final class ClockWatch {
    /// How soon it is watched again. A clock that is set all the time is read no more often.
    private static let pause = Nanoseconds.milliseconds(100)

    private let loop: any BoardLoop
    /// Reads it: on a thread of its own, for the zone is a file.
    private let errands = ErrandQueue()
    private let isNeeded: () -> Bool
    private let read: @Sendable () -> WallClock
    private let shows: (WallClock) -> Void
    private let wasSet: () -> Void
    private let failed: (_ reason: String) -> Void
    private var descriptor: CInt = -1
    private var unwatch: Cancellation?
    private var next: Cancellation?
    private var isReading = false
    private var readsAgain = false

    /// - Parameters:
    ///   - loop: the loop on which everything here is called.
    ///   - read: reads the clock; it may block.
    ///   - isNeeded: whether anybody needs the time of day.
    ///   - shows: gets each reading.
    ///   - wasSet: called before `shows` if somebody may have set the clock.
    ///   - failed: called if it is not noticed when somebody sets the clock, with the reason.
    public init(
        on loop: any BoardLoop, reading read: @escaping @Sendable () -> WallClock = { .read() }, isNeeded: @escaping () -> Bool,
        shows: @escaping (WallClock) -> Void, wasSet: @escaping () -> Void, failed: @escaping (_ reason: String) -> Void
    ) {
        self.loop = loop
        self.failed = failed
        self.read = read
        self.isNeeded = isNeeded
        self.shows = shows
        self.wasSet = wasSet
    }

    deinit { stopWatching() }

    /// Begins after a reading, `clock`.
    public func start(_ clock: WallClock) {
        watch()
        wait(after: clock)
    }

    /// `isNeeded` may have another answer.
    public func needChanged() {
        if isNeeded() { if next == nil { readNow() } } else { cancel() }
    }

    /// Reads the clock now.
    public func readNow() {
        guard !isReading else {
            readsAgain = true
            return
        }
        isReading = true
        loop.perform(read, in: errands) { [weak self] clock in
            guard let self else { return }
            isReading = false
            if readsAgain {
                readsAgain = false
                return readNow()
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
            self?.readNow()
        }
    }

    private func cancel() {
        next?()
        next = nil
    }

    // MARK: Whether somebody sets it

    private func watch() {
        descriptor = clinux_clock_watch()
        guard descriptor >= 0 else { return failed(String(cString: strerror(-descriptor))) }
        // Reading it fails when the clock is set, and nothing is read once that has failed.
        let again = { [weak self] in self?.watchAgain() ?? () }
        unwatch = loop.watch(
            descriptor, DescriptorEvents(readable: again, ended: again, failed: { [weak self] in self?.failed("\($0)") }))
    }

    private func watchAgain() {
        guard unwatch != nil else { return }
        stopWatching()
        _ = loop.schedule(at: loop.now + Self.pause) { [weak self] in
            guard let self else { return }
            watch()
            wasSet()
            readNow()
        }
    }

    private func stopWatching() {
        unwatch?()
        unwatch = nil
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }
}
