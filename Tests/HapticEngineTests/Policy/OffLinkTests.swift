// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning
import Testing

@testable import HapticEngine

@Suite("Feedback that people have switched off")
struct OffLinkTests {
    private static func off(_ off: Off) -> BatchItem { .change(SettingsChange(off: .set(off))) }

    @Test("Off for a time ends at its instant: the engine asks to be called then, and its settings change")
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
        #expect(bench.engine.settings.off == nil)
        #expect(bench.engine.settingsGeneration > generation)
        #expect(bench.engine.nextDeadline == .distantFuture)
        #expect(bench.play("soft").outcome == .played)
    }

    @Test("Feedback is on again if the engine is called after the end of off")
    func late() {
        var bench = Bench()
        bench.send([Self.off(.until(.ms(1000)))])
        bench.now = .ms(5000)
        #expect(bench.play("soft").outcome == .played)
    }

    @Test("Off until a past instant changes nothing", arguments: [0, 999, 1000] as [Int64])
    func over(end: Int64) {
        var bench = Bench()
        bench.now = .ms(1000)
        bench.play("long", .alarm)
        bench.send([Self.off(.until(.ms(end)))])
        bench.take(.settings(Settings(off: .until(.ms(end)))))
        #expect(bench.engine.settings.off == nil)
        #expect(bench.ends.isEmpty)
    }

    @Test("Feedback that was off before the daemon began stays off, is not stored again, and outlasts a sleep and a reload")
    func stored() {
        var bench = Bench()
        bench.take(.settings(Settings(off: .forGood)))
        #expect(bench.engine.settingsGeneration == 0)
        bench.take(.slept(.seconds(3600)))
        bench.take(.configuration(.bench(actuators: [EngineActuator(name: "other")])))
        let refused = bench.play("soft", .alarm)
        #expect((refused.outcome, refused.reason, refused.policy?.objection) == (.suppressed, .off, .off))
    }
}
