// SPDX-License-Identifier: MIT
internal import HapticBoard
private import HapticConfig
internal import HapticCore
internal import HapticServer
internal import HapticThreads
internal import Logging

/// What the daemon does for what people set: it has it stored, and has the service know it and the time of day. On the event loop.
final class PersonalSettingsLink {
    private let place: SettingsPlace
    private let read: @Sendable () -> WallClock
    private let clock: ClockWatch
    private let settingsKeeper: SettingsKeeper?
    private let server = WeakServer()

    /// `read`: reads the clock on the wall. May block.
    init(
        _ place: SettingsPlace, on loop: any BoardLoop, logger: Logger,
        reading read: @escaping @Sendable () -> WallClock = { .read() }
    ) {
        (self.place, self.read) = (place, read)
        let server = server
        let keeper = SettingsKeeper(place, on: loop, logger: logger)
        settingsKeeper = keeper
        clock = ClockWatch(
            on: loop, reading: read,
            // Where nothing is kept it is not noticed when people set some.
            isNeeded: { keeper == nil || server.value?.settingsInForce.quietHours.isEmpty == false },
            shows: { server.value?.setClock(to: $0) }, wasSet: { server.value?.clockWasSet() },
            failed: { logger.warning("it is not noticed when somebody sets the clock (\($0)); reload hapticd after that") })
    }

    /// For the service; nil where nothing is kept.
    var keeper: FeedbackServer.Keeper? {
        guard let settingsKeeper else { return nil }
        return { [clock] settings, answer in
            settingsKeeper.keep(settings, answer)
            clock.needChanged()
        }
    }

    /// Before anyone is served. Blocks: reads the zone.
    func serve(_ service: FeedbackServer) {
        server.value = service
        service.startSettings(damage: place.damage, obstacle: place.loaded.obstacle?.description)
        if let stored = place.loaded.settings { service.restore(stored.settings(at: SystemClock.now, wall: .now)) }
        let time = read()
        service.setClock(to: time)
        clock.start(time)
    }

    /// The zone may be another one, and so may what hours are quiet.
    func reloaded() { clock.readNow() }

    /// Calls `done` once all is stored, or cannot be. Nothing may be set after this.
    func finish(_ done: @escaping () -> Void) {
        guard let settingsKeeper else { return done() }
        settingsKeeper.finish(done)
    }
}

extension FeedbackServer {
    /// Where it is clearly wrong nobody knows what time it is, so it says nothing.
    fileprivate func setClock(to clock: WallClock) { if clock.now >= .first { setClock(clock.local) } }
}

/// The service needs the keeper before it is there.
private final class WeakServer {
    weak var value: FeedbackServer?
}
