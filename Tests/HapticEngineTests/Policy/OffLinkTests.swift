// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

@Suite("Feedback that people have switched off")
struct OffLinkTests {
    private static func off(_ off: Off) -> BatchItem { .change(SettingsChange(off: .set(off))) }
    private static let on = BatchItem.change(SettingsChange(off: .restore))

    @Test("Off ends everything at once, also an alarm and what is fading out, and nothing begins while it lasts")
    func everything() {
        var bench = Bench(.bench(actuators: [EngineActuator(name: "a"), EngineActuator(name: "b")]))
        bench.play("endless", .alarm, actuators: [0])
        bench.play("endless", .interaction, id: "faded", actuators: [1])
        bench.run(for: .milliseconds(100))
        bench.send([.cancel(.source(id: "faded"), .graceful)])
        bench.run(for: .milliseconds(10))
        bench.send([Self.off(.forGood)])
        #expect(bench.ends.map(\.reason) == [.off, .requested] && bench.engine.playbackCount == 0)
        #expect(bench.pulses(on: 0).last?.end == bench.now && bench.pulses(on: 1).last?.end == bench.now)
        let refused = bench.play("soft", .alarm)
        #expect((refused.outcome, refused.reason) == (.suppressed, .off))
        #expect(
            refused.policy
                == PolicyPath(profile: .full, objection: .off, settings: [AppliedSetting(.off(.forGood), by: .settings)]))
        bench.send([Self.on])
        #expect(bench.play("soft").outcome == .played)
    }

    @Test("Off for a time ends at its instant: the engine is to be called then, and its settings are others")
    func ends() {
        var bench = Bench()
        let end = MonotonicInstant.ms(3_600_000)
        bench.send([Self.off(.until(end))])
        let generation = bench.engine.settingsGeneration
        #expect(bench.engine.nextDeadline == end)
        bench.now = end - Nanoseconds(1)
        #expect(bench.play("soft").policy?.settings == [AppliedSetting(.off(.until(end)), by: .settings)])
        #expect(bench.engine.settingsGeneration == generation)
        bench.run(until: end)
        #expect(bench.engine.settings.off == nil && bench.engine.settingsGeneration > generation)
        #expect(bench.engine.nextDeadline == .distantFuture)
        #expect(bench.play("soft").outcome == .played)
    }

    @Test("An engine that is called late is on when it is called")
    func late() {
        var bench = Bench()
        bench.send([Self.off(.until(.ms(1000)))])
        bench.now = .ms(5000)
        #expect(bench.play("soft").outcome == .played)
    }

    @Test("Off until an instant that is over changes nothing", arguments: [0, 999, 1000] as [Int64])
    func over(end: Int64) {
        var bench = Bench()
        bench.now = .ms(1000)
        bench.play("long", .alarm)
        bench.send([Self.off(.until(.ms(end)))])
        #expect(bench.engine.settings.off == nil && bench.ends.isEmpty)
        bench.take(.settings(Settings(off: .until(.ms(end)))))
        #expect(bench.engine.settings.off == nil && bench.ends.isEmpty)
    }

    @Test("The time asleep counts for the time that it is off")
    func slept() {
        var bench = Bench()
        bench.send([Self.off(.until(.ms(10_000)))])
        bench.take(.slept(.seconds(9)))
        #expect(bench.play("soft").reason == .off)
        bench.run(until: .ms(1000))
        #expect(bench.play("soft").outcome == .played)
        bench.send([Self.off(.until(.ms(10_000)))])
        bench.take(.slept(.seconds(3600)))
        #expect(bench.engine.settings.off == nil)
        bench.send([Self.off(.forGood)])
        bench.take(.slept(.seconds(3600)))
        #expect(bench.engine.settings.off == .forGood)
    }

    @Test("In a batch it counts where it stands, and takes back what began before it")
    func batch() {
        var bench = Bench()
        let now = bench.now
        let decisions = bench.send([
            .play("soft", at: now), Self.off(.forGood), .play("soft", at: now), Self.on, .play("soft", at: now),
        ])
        #expect(decisions.map(\.outcome) == [.cancelled, .suppressed, .played])
        #expect(decisions.map(\.reason) == [.off, .off, nil])
        #expect(bench.ends.isEmpty)
    }

    @Test("What was off when the daemon ended is off when it begins, and no reload switches it on")
    func stored() {
        var bench = Bench()
        bench.take(.settings(Settings(off: .forGood)))
        #expect(bench.engine.settingsGeneration == 0, "what comes from the store is not to be stored again")
        #expect(bench.play("soft", .alarm).reason == .off)
        bench.take(.configuration(.bench(actuators: [EngineActuator(name: "other")])))
        #expect(bench.play("soft", .alarm).reason == .off)
    }
}
