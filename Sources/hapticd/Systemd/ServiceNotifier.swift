// SPDX-License-Identifier: MIT
internal import HapticBoard
internal import HapticCore
internal import HapticRuntime
internal import HapticServer
internal import HapticService
private import HapticThreads
internal import Logging
internal import NIOCore

/// Announces to the service manager how the daemon gets on. On the event loop; asleep while nothing changes but for the watchdog.
final class ServiceNotifier {
    /// What changes within this time is announced once.
    private static let gatheringTime = TimeAmount.seconds(1)
    /// By how much the engine's timer may be late before the daemon counts as hanging.
    private static let tolerance = Nanoseconds.seconds(1)
    /// However short a period is asked for.
    private static let shortestPause = Nanoseconds.milliseconds(1)

    private let manager: ServiceManager
    private let service: FeedbackServer
    private let board: Board
    private let logger: Logger
    private var watchdog: Watchdog?
    private var isReady = false
    /// Reloads that have begun and not ended: the next may begin before the end of one is announced.
    private var reloads = 0
    /// The state that was announced last; nil where the last one did not get through.
    private var announced: ServiceState?
    private var isGathering = false
    /// The last look found that something does not get on.
    private var isStuck = false

    init(_ manager: ServiceManager, service: FeedbackServer, board: Board, logger: Logger) {
        self.manager = manager
        self.service = service
        self.board = board
        self.logger = logger
        watchdog = manager.watchdogPeriod.map(Watchdog.init(period:))
        service.stateChanged = { [weak self] in self?.gather() }
    }

    private var eventLoop: NIOIsolatedEventLoop { service.eventLoop.assumeIsolated() }

    /// The socket is served, and each actuator has been tried, or has had its time.
    func ready() {
        guard manager.listens else { return }
        isReady = true
        announceReady()
        feedWatchdog()
    }

    /// The configuration is being read again. Followed by `reloaded`.
    func reloading() {
        reloads += 1
        guard isReady else { return }
        _ = manager.notify("RELOADING=1\nMONOTONIC_USEC=\(SystemClock.now.nanoseconds / 1000)")
    }

    /// It is in force, or has been refused.
    func reloaded() {
        reloads -= 1
        guard isReady, reloads == 0 else { return }
        announceReady()
    }

    /// The daemon ends, which the manager knows: how it is matters no longer.
    func end() { isReady = false }

    // MARK: The state

    private func announceReady() {
        let state = service.state(opening: board.untried)
        announced = manager.notify("READY=1\nSTATUS=\(state)") ? state : nil
        if announced == nil { gather() }
    }

    /// Announces the state in a while, where it then is another than the one that was announced last.
    private func gather() {
        guard isReady, !isGathering else { return }
        isGathering = true
        _ = eventLoop.scheduleTask(in: Self.gatheringTime) { [weak self] in self?.announceState() }
    }

    private func announceState() {
        isGathering = false
        // `reloaded` announces all; an announcement before it would mean that the reload is done.
        guard isReady, reloads == 0 else { return }
        // What did not get through may have been that it is ready, so that is said again.
        guard let announced else { return announceReady() }
        let state = service.state(opening: board.untried)
        guard state != announced else { return }
        self.announced = manager.notify("STATUS=\(state)") ? state : nil
        if self.announced == nil { gather() }
    }

    // MARK: The watchdog

    private func feedWatchdog() {
        guard
            let verdict = watchdog?.check(
                isAlive: service.isInTime(at: SystemClock.now, tolerance: Self.tolerance), hasAnswered: board.hasBeaten)
        else { return }
        let isHeard = !verdict.isAlive || manager.notify("WATCHDOG=1")
        if !verdict.isAlive, !isStuck {
            logger.warning("the executor or the engine is stalled; systemd will restart it unless it recovers")
        }
        isStuck = !verdict.isAlive
        if verdict.asks { board.askForBeat() }
        // A manager that did not take it may get on in a moment, and would go by the last sign that it took.
        let pause = max(isHeard ? verdict.pause : verdict.pause / 12, Self.shortestPause)
        _ = eventLoop.scheduleTask(in: .nanoseconds(pause.count)) { [weak self] in self?.feedWatchdog() }
    }
}
