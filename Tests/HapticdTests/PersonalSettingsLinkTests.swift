// SPDX-License-Identifier: MIT
import Foundation
import HapticConfig
import HapticCore
import HapticEngine
import Logging
import NIOEmbedded
import Testing

@testable import HapticServer
@testable import HapticService
@testable import HapticThreads
@testable import hapticd

/// The store in a folder, the service and the watch of the clock, in virtual time except the clock on the wall.
@Suite("Settings in the daemon")
struct PersonalSettingsLinkTests {
    private final class Bench {
        let folder = newPath()
        let loop = TestLoop()
        let server: FeedbackServer
        private let link: PersonalSettingsLink
        /// How long the machine has slept in all.
        private let asleep = Asleep()

        private final class Asleep { var time = Nanoseconds.zero }

        /// `wall`: what the clock on the wall shows; nil: what the machine's does.
        init(_ wall: Wall? = nil) throws {
            let place = SettingsPlace.open(explicit: folder, isSimulated: false)
            let (loop, asleep) = (loop, asleep)
            link = PersonalSettingsLink(place, on: loop, logger: silentLogger) {
                wall.map { wall in WallClock(at: wall.now) { _ in 0 } } ?? .read()
            }
            server = FeedbackServer(
                ServiceConfiguration(engine: try Self.engine(), backends: []),
                version: "test", eventLoop: EmbeddedEventLoop(), sink: NoSink(), ownUser: 900, now: { loop.now },
                suspended: { asleep.time }, reloader: { _, _ in }, keeper: link.keeper)
            link.serve(server)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// What the engine takes the clocks on the wall to show; nil: nobody has said.
        var localTime: LocalTime? { server.service.loop.engine.localTime(at: loop.now) }

        func sleep(_ time: Nanoseconds) { asleep.time = asleep.time + time }

        /// When `off` ends by what is stored.
        func storedEnd() throws -> WallTime? {
            let bytes = try #require(FileManager.default.contents(atPath: folder + "/settings.json"))
            guard case .settings(let stored) = try StoredSettings.read(Array(bytes)), case .until(let end) = stored.off else {
                return nil
            }
            return end
        }

        /// Nothing is played.
        private static func engine() throws -> EngineConfiguration {
            var classes = ClassTable.standard
            (classes.notification.reduced, classes.interaction.reduced) = (.nothing, .nothing)
            return try EngineConfiguration(classes: classes, actuators: [], patterns: [:])
        }
    }

    /// Only of the one thread of a test.
    private final class Wall: @unchecked Sendable {
        var now: WallTime
        init(_ now: WallTime) { self.now = now }
    }

    @Test("A folder that could not be opened at the start is not tried again, and the remedy ends with a restart")
    func noFolder() throws {
        let place = SettingsPlace.open(explicit: "/proc/nowhere", isSimulated: false)
        let obstacle = try #require(place.loaded.obstacle)
        #expect("\(obstacle)".hasPrefix("mkdir of /proc/nowhere failed: "))
        #expect("\(obstacle)".hasSuffix(", or name another folder with --state DIR, then restart hapticd"))
        let keeper = try #require(SettingsKeeper(place, on: TestLoop(), logger: silentLogger))
        var said: [String?] = []
        keeper.keep(Settings(off: .forGood)) { said.append($0?.sentence) }
        #expect(said == ["\(obstacle)"])
    }

    @Test("If the clock was set in a sleep, the end of off is stored again, less the time asleep")
    func clockSetAsleep() throws {
        let bench = try Bench()
        bench.server.restore(Settings(off: .until(bench.loop.now + .seconds(8 * 3600))))
        bench.sleep(.seconds(7 * 3600))
        bench.loop.setClock()
        bench.loop.advance(.milliseconds(100))
        let end = try #require(try bench.storedEnd())
        let left = end.seconds - WallTime.now.seconds
        #expect((3000...3600).contains(left), "\(left) s are left of the hour")
    }

    @Test("A clock that is clearly wrong is not believed until it is set")
    func wrongClock() throws {
        let wall = Wall(WallTime(seconds: 40))
        let bench = try Bench(wall)
        #expect(bench.localTime == nil)
        wall.now = WallTime(seconds: WallTime.first.seconds + 7)
        bench.loop.setClock()
        bench.loop.advance(.milliseconds(100))
        #expect(bench.localTime == LocalTime(.thu, second: 7))
        // Back to the wrong one: what is known goes on.
        wall.now = WallTime(seconds: 40)
        bench.loop.setClock()
        bench.loop.advance(.seconds(2))
        #expect(bench.localTime == LocalTime(.thu, second: 9))
    }
}
