// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticMotors
import HapticPatterns
import HapticPlanning
import HapticReplay
import Testing

/// A recording with every kind of event, item and pattern.
struct Story {
    private static let ada = ClientIdentity(connection: 1, user: 1000, process: 4711)
    /// A client of a door, which is ada's.
    private static let page = ClientIdentity(connection: 2, user: 1000, scope: .max, process: 4712, mayEndOthers: false)
    private static let bob = ClientIdentity(connection: 1 << 63 - 1, user: .max, mayEndOthers: false)

    private let configuration: EngineConfiguration
    private let recorded: Recorded
    private let inline: PlayablePattern

    static func recorded(limit: Int = JournalWriter.standardLimit) throws -> Recorded {
        let story = try Story(limit: limit)
        story.progressAndEvents()
        try story.playsAndDevices()
        try story.changesAndCancels()
        try story.overridesAndSleep()
        try story.settings()
        try story.end()
        return story.recorded
    }

    private init(limit: Int) throws {
        configuration = try .recorded()
        recorded = Recorded(configuration, limit: limit)
        let event = HapticEvent(
            at: .zero, kind: .continuous(duration: .milliseconds(50), sustained: false), intensity: .one, sharpness: .zero,
            decay: .milliseconds(40))
        inline = try PlayablePattern(Pattern(name: "inline \"é\"", tracks: [.events([event])]))
    }

    private func named(_ name: Text) throws -> PlayablePattern { try #require(configuration.patterns[name]) }

    private func input(
        _ kind: Input.Kind, id: String? = nil, at: MonotonicInstant? = nil, of client: ClientIdentity = ada
    ) -> BatchItem {
        .input(Input(client: client, id: id, app: "till", at: at ?? recorded.now, kind: kind))
    }

    private func event(
        _ name: String, _ value: Scalar? = nil, id: String? = nil, of client: ClientIdentity = ada
    ) -> BatchItem {
        input(.event(EventInput(name: name, value: value)), id: id, of: client)
    }

    private func take(_ items: BatchItem...) { recorded.take(.batch(items)) }

    private func progressAndEvents() {
        for step in 1...100 {
            let progress = ProgressInput(value: Progress(clamping: Double(step) / 100))
            take(input(.progress(progress), id: "upload"), input(.progress(progress), id: "upload", of: Self.page))
        }
        recorded.run(for: .milliseconds(40))
        let marks = "e" + String(repeating: "\u{301}", count: 120)
        let alarm = EventInput(name: "any", value: .null, intensity: Intensity(clamping: 0.1), feedbackClass: .alarm)
        take(
            event("door.front", .string(Text("closed")), id: marks), event("door.front", .number(1e300), id: marks),
            event("any", .number(-0.0)), event("any", .bool(true)), input(.event(alarm), of: Self.bob))
        recorded.run(for: .milliseconds(500))
    }

    private func playsAndDevices() throws {
        let train = PlayInput(
            pattern: inline, train: StepTrain(steps: 75), actuators: [ActuatorIndex(0)], endsWithClient: true)
        recorded.take(.batch([input(.play(train))], work: WorkBudget(123_456)))
        recorded.run(for: .milliseconds(300))
        recorded.take(.refusal(.event, source: "a", name: "b", app: "till", .quota))
        recorded.take(.actuator(ActuatorIndex(0), isAvailable: false))
        let glide = PlayInput(pattern: try named("glide"), sharpness: .one, feedbackClass: .alarm, repetitions: 3)
        take(input(.play(glide), id: "p", at: .distantFuture))
        recorded.run(for: .milliseconds(100))
        recorded.take(.actuator(ActuatorIndex(0), isAvailable: true, found: FoundMotor(MotorLibrary.pad)))
    }

    private func changesAndCancels() throws {
        func cancel(_ target: CancelTarget, _ mode: CancelMode, of client: ClientIdentity = Self.ada) -> BatchItem {
            .cancel(CancelRequest(client: client, target: target, mode: mode))
        }
        func set(_ profile: Profile) -> BatchItem { .change(SettingsChange(profile: .set(profile))) }
        recorded.take(.configuration(try .recorded(profile: .reduced), replacesDevices: false))
        take(input(.release, id: "upload"), set(.quiet), cancel(.source(id: "p"), .graceful))
        take(cancel(.playback(PlaybackID(3)), .immediate, of: Self.bob), cancel(.all, .graceful, of: Self.page))
        take(cancel(.all, .graceful), set(.full))
    }

    private func overridesAndSleep() throws {
        var overridden = Input(
            client: Self.ada, id: "upload", at: recorded.now, deadline: .milliseconds(80), feedback: .pattern(try named("tap")),
            kind: .progress(ProgressInput(value: .one, pattern: inline, step: 0.25, mode: .grid, intensity: .one)))
        take(.input(overridden))
        overridden.feedback = .off
        take(.input(overridden))
        recorded.run(for: .seconds(2))
        take(.cancel(CancelRequest(client: Self.ada, target: .all, mode: .immediate, untilResumed: true)))
        recorded.take(.slept(.seconds(28_800)))
    }

    private func settings() throws {
        let night = QuietHours(
            days: [.sun, .mon], from: try #require(TimeOfDay("22:00")), to: try #require(TimeOfDay("07:00")),
            except: .init(classes: [.alarm], apps: ["till", "é"], repeated: true))
        var settings = Settings(profile: .full, strength: .most, classes: [.alarm: .full], quietHours: [night])
        for number in 0..<20 { settings.apps["app \(number)"] = Strength(Double(number) / 20) }
        recorded.take(.settings(settings))
        recorded.take(.localTime(LocalTime(.mon, second: 86_399, nanosecond: 999_999_999)))
        let off = SettingsChange(off: .set(.until(recorded.now + .seconds(2))))
        let restored = SettingsChange(
            profile: .set(.full), strength: .restore, classes: .set([.texture: .set(.full), .alarm: .restore]),
            apps: .set(["till": .set(.most), "app 3": .restore]), quietHours: .set([night, night]))
        let others = SettingsChange(classes: .restore, apps: .restore, quietHours: .restore, off: .set(.forGood))
        for change in [restored, off, others] { take(event("any"), .change(change), event("any", id: "p", of: Self.bob)) }
        recorded.run(for: .seconds(3))
    }

    private func end() throws {
        take(.change(SettingsChange(off: .restore)))
        recorded.take(.connectionClosed(1))
        recorded.take(.configuration(try .recorded(), replacesDevices: true))
        recorded.take(.shutdown)
    }
}
