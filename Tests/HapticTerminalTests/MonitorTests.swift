// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import HapticWire
import TerminalTestSupport
import TestSupport
import Testing

@testable import HapticTerminal

@Suite("Notices on the monitor")
struct MonitorTests {
    private func decision(_ outcome: Outcome, _ reason: Reason? = nil) -> Notice {
        .decision(
            DecisionResult(
                Decision(
                    sequence: 1, at: .init(nanoseconds: 1_000_000_000), input: .progress, source: "copy", value: .number(0.42),
                    outcome: outcome, reason: reason, pattern: "soft", intensity: Intensity(0.5), actuators: ["main"],
                    playback: outcome == .played ? .init(17) : nil)))
    }

    private func settings(_ changed: [String], _ settings: Settings = Settings(), at time: LocalTime? = nil) -> Notice {
        var notice = SettingsNotice(changed, SettingsNow(SettingsInForce(settings), at: .zero, time, isKept: true), at: .zero)
        notice.atNs = 3_000_000_000
        return .settings(notice)
    }

    private func conditions(_ names: [String]) -> Notice {
        guard case .settings(var notice) = settings(["conditions"]) else { return settings([]) }
        notice.now.conditions = names
        return .settings(notice)
    }

    private func end(_ ending: PlaybackEnd.Ending, _ reason: Reason?) -> Notice {
        .playback(
            EndingResult(PlaybackEnd(playback: .init(17), ending: ending, reason: reason, at: .init(nanoseconds: 2_234_567_890))))
    }

    private func interruption(_ state: PlaybackInterruption.State, _ at: Int64) -> Notice {
        .interruption(InterruptionNotice(.init(playback: .init(17), state: state, at: .init(nanoseconds: at))))
    }

    @Test("Each notice is shown in words, with the time since the first")
    func notices() throws {
        let actuation = Actuation(
            planned: .init(nanoseconds: 1_100_000_000), actuator: .init(0), playback: .init(17),
            level: Level(intensity: .one, sharpness: .zero))
        let off = Actuation(
            planned: .init(nanoseconds: 1_120_000_000), actuator: .init(0), playback: .init(17),
            level: Level(intensity: .zero, sharpness: .zero))
        let kick = Actuation(
            planned: .init(nanoseconds: 1_130_000_000), actuator: .init(0), playback: .init(17),
            level: Level(intensity: Intensity(clamping: 0.1), sharpness: .zero), drive: .rated)
        let night = QuietHours(from: TimeOfDay("22:00")!, to: TimeOfDay("07:00")!)
        let notices: [Notice] = [
            decision(.played), decision(.suppressed, .belowStep), decision(.suppressed, .lowerPriority),
            .actuation(ActuationNotice(actuation, at: .init(nanoseconds: 1_100_250_000), actuator: "main")),
            .actuation(ActuationNotice(off, at: off.planned, actuator: "main", felt: 0.3484)),
            .actuation(ActuationNotice(kick, at: kick.planned, actuator: "main", felt: 0.25)),
            interruption(.interrupted, 1_150_000_000), interruption(.resumed, 1_250_000_000), end(.preempted, .lowerPriority),
            .actuator(ActuatorNotice(actuator: "pad", isAvailable: false, error: "unplugged")),
            settings(["apps", "off"], Settings(off: .until(.zero + .seconds(60)))), settings(["off"]),
            settings(["apps", "quiet"], Settings(quietHours: [night]), at: LocalTime(.mon, second: 0)), settings(["quiet"]),
            settings(["trouble"]), settings(["strength", "profile"]), conditions(["camera"]), conditions([]),
            .missed(MissedNotice(count: 3)),
        ]
        var watch = Watch(shown: Set(Topic.allCases))
        var cases = SnapshotCases()
        cases.add(
            "one of each",
            notices.map { notice in
                let line = watch.take(notice, now: 3_000_000_000)
                return watch.clock(line.atNs) + " " + line.text
            })
        try expectSnapshot(of: cases.text, "monitor")
        #expect(watch.ended == 1)
        #expect(watch.isOn)
        #expect(watch.felt.closed.map(\.starts) == [[.microseconds(100_250), .milliseconds(130)]])
    }

    @Test("Motors are asked for at the beginning, after an actuator has come or gone, and after a lost connection")
    func motors() throws {
        var watch = Watch(shown: Set(Topic.allCases))
        var asked: [Bool] = []
        func ask() {
            asked.append(watch.mayHaveOtherMotors)
            watch.learn([Text("main"): MotorLibrary.coin.model])
            asked.append(watch.mayHaveOtherMotors)
        }
        ask()
        _ = watch.take(.actuator(ActuatorNotice(actuator: "pad", isAvailable: true, error: nil)), now: 0)
        ask()
        watch.connectionLost(at: 0)
        ask()
        #expect(asked == [true, false, true, false, true, false])
        let actuation = Actuation(
            planned: .zero, actuator: .init(0), playback: .init(17), level: Level(intensity: .one, sharpness: .zero))
        _ = watch.take(.actuation(ActuationNotice(actuation, at: .zero, actuator: "main")), now: 0)
        #expect(watch.felt.closed.map(\.motor) == [MotorLibrary.coin.model])
    }

    @Test("An actuation says what is felt if the motor is known, and has no such member otherwise")
    func felt() {
        let actuation = Actuation(
            planned: .zero, actuator: .init(0), playback: .init(17), level: Level(intensity: .one, sharpness: .zero))
        #expect(!jsonLine(ActuationNotice(actuation, at: .zero, actuator: "main")).contains("felt"))
        let known = jsonLine(ActuationNotice(actuation, at: .zero, actuator: "main", felt: 0.34849))
        #expect(known.contains(#""felt":0.348"#), "\(known)")
    }

    @Test("Only an end as it should be is routine")
    func routine() {
        var watch = Watch(shown: Set(Topic.allCases))
        let notices = [
            end(.completed, nil), end(.completed, .maxOn), end(.preempted, .lowerPriority), end(.cancelled, .requested),
            settings(["profile"]),
        ]
        #expect(notices.map { watch.take($0, now: 0).isRoutine } == [true, false, false, false, false])
    }
}

@Suite("Filters of the monitor")
struct WatchFilterTests {
    private func decision(_ outcome: Outcome, source: String?, app: String?, playback: UInt64? = nil) -> DecisionResult {
        DecisionResult(
            Decision(
                sequence: 1, at: .zero, input: .event, source: source, app: app, user: 1000, name: "a",
                feedbackClass: .notification, outcome: outcome, playback: playback.map { PlaybackID($0) }))
    }

    @Test("A notice is admitted if each kind of filter has a value that matches")
    func kinds() {
        let one = decision(.failed, source: "front", app: "till")
        let filters = [
            WatchFilter(), WatchFilter(sources: [Glob("back"), Glob("fr*")]), WatchFilter(sources: [Glob("back")]),
            WatchFilter(apps: [Glob("till")], outcomes: [.failed], classes: [.notification, .alarm]),
            WatchFilter(apps: [Glob("till")], outcomes: [.played]), WatchFilter(classes: [.alarm]),
        ]
        #expect(filters.map { $0.admits(one) } == [true, true, false, true, false, false])
        #expect(!WatchFilter(sources: [Glob("*")]).admits(decision(.failed, source: nil, app: nil)))
    }

    @Test("A hold is admitted by its id alone")
    func holds() {
        let notice = HoldNotice(HoldChange(id: "pay", origin: .client, user: 1, state: .began, value: .zero, at: .zero))
        let filters = [
            WatchFilter(sources: [Glob("p*")]), WatchFilter(sources: [Glob("q")]), WatchFilter(apps: [Glob("*")]),
            WatchFilter(classes: [.alarm]),
        ]
        #expect(filters.map { $0.admits(notice) } == [true, false, false, false])
        #expect(!WatchFilter(sources: [Glob("*")]).admits(notice.masked))
    }

    @Test("A playback is shown if its decision was, and notices that concern everything always are")
    func playbacks() {
        var watch = Watch(shown: Set(Topic.allCases), filter: WatchFilter(apps: [Glob("till")]))
        func admits(_ notice: Notice) -> Bool { watch.admits(notice) }
        func admitsEnd(of playback: UInt64) -> Bool {
            admits(.playback(EndingResult(PlaybackEnd(playback: .init(playback), ending: .completed, reason: nil, at: .zero))))
        }
        #expect(admits(.decision(decision(.played, source: nil, app: "till", playback: 3))))
        #expect(!admits(.decision(decision(.played, source: nil, app: "other", playback: 4))))
        #expect([3, 4].map(admitsEnd) == [true, false])
        #expect(admits(.missed(MissedNotice(count: 1))))
        // The oldest is forgotten if there are too many.
        for playback in 5..<5000 as Range<UInt64> {
            #expect(admits(.decision(decision(.played, source: nil, app: "till", playback: playback))))
        }
        #expect([3, 4999].map(admitsEnd) == [false, true])
    }
}
