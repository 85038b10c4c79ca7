// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@testable import HapticEngine

@Suite("How much people want to feel")
struct StrengthLinkTests {
    private static let door = ClientIdentity(connection: 7, user: 7, maySpeakFor: true)

    private func outcome(
        _ settings: Settings, over configured: Settings = Settings(), intensity: Double = 1, app: String? = "org.mail",
        client: ClientIdentity = Bench.ada
    ) -> (gain: Double, reason: Reason?, path: PolicyPath) {
        var candidate = Candidate.play("soft", .interaction, app: app, client: client)
        candidate.intensity = Intensity(clamping: intensity)
        var path = PolicyPath(profile: .full)
        let reason = StrengthLink.objection(to: &candidate, SettingsInForce(settings, over: configured), noting: &path)
        #expect(candidate.intensity == Intensity(clamping: Gain(of: candidate).value))
        return (Gain(of: candidate).value, reason, path)
    }

    private func strength(_ value: Double) -> Strength { Strength(value)! }

    @Test("Everything, class and app are multiplied, and each is noted with who said it")
    func product() {
        let (gain, reason, path) = outcome(
            Settings(strength: strength(0.5), apps: ["org.mail": strength(0.5)]),
            over: Settings(strength: .most, classes: [.interaction: strength(0.8)], apps: ["org.mail": .most]))
        #expect(abs(gain - 0.2) < 1e-12 && reason == nil)
        #expect(
            path.settings == [
                AppliedSetting(.strength(strength(0.5)), by: .settings),
                AppliedSetting(.classStrength(strength(0.8)), by: .configuration),
                AppliedSetting(.appStrength(strength(0.5)), by: .settings),
            ])
    }

    @Test("Nothing is noted where nothing is set, and none of another class, another app or no app counts")
    func others() {
        #expect(outcome(Settings()).path.settings.isEmpty)
        let others = Settings(classes: [.texture: .most], apps: ["org.Mail": strength(0), "": strength(0)])
        #expect(outcome(others).gain == 1 && outcome(others).path.settings.isEmpty)
        #expect(outcome(others, app: nil).gain == 1)
    }

    @Test("0 of anything is nothing, and says so", arguments: [0, 1, 2])
    func nothing(which: Int) {
        let zero = strength(0)
        let settings = [
            Settings(strength: zero, apps: ["org.mail": .most]), Settings(strength: .most, classes: [.interaction: zero]),
            Settings(apps: ["org.mail": zero]),
        ][which]
        #expect(outcome(settings).reason == .strength)
        #expect(outcome(settings, client: Self.door).reason == .strength)
    }

    @Test("What would be said as 0 % is nothing, too, also where only the product is so low")
    func nearlyNothing() {
        #expect(outcome(Settings(strength: strength(5e-324))).reason == .strength)
        let little = strength(0.02)
        #expect(outcome(Settings(strength: little, classes: [.interaction: little])).reason == .strength)
        #expect(outcome(Settings(strength: strength(0.001))).reason == nil)
    }

    @Test("An intensity of 0 is the client's, and no reason of people's")
    func silentClient() { #expect(outcome(Settings(strength: .most), intensity: 0).reason == nil) }

    @Test("More than 100 % of an app counts only where its client may speak for it")
    func claimed() {
        let settings = Settings(apps: ["org.mail": .most])
        let (claimed, _, path) = outcome(settings)
        #expect(claimed == 1 && path.settings == [AppliedSetting(.appStrength(.full), by: .settings)])
        #expect(outcome(settings, client: Self.door).gain == 1.5)
        // Of everything, and of a class, it is people's own word.
        #expect(outcome(Settings(strength: .most, classes: [.interaction: .most])).gain == 2.25)
    }

    @Test("More than 100 % lifts what is below 1, and stops at 1")
    func lifted() {
        var bench = Bench()
        bench.send([.change(SettingsChange(strength: .set(.most)))])
        #expect(bench.play("soft").intensity == Intensity(clamping: 0.75))
        bench.run(for: .seconds(1))
        #expect(bench.play("long").intensity == .one)
        bench.run(for: .milliseconds(100))
        #expect(bench.actuations.filter(\.isOn).map(\.level.intensity.value) == [0.75, 1])
    }

    @Test("What plays goes on as strong as it began; the next is as strong as people want it by then")
    func later() {
        var bench = Bench()
        bench.play("long")
        bench.run(for: .milliseconds(100))
        bench.send([.change(SettingsChange(strength: .set(strength(0))))])
        bench.run(for: .seconds(2))
        #expect(bench.ends.map(\.ending) == [.completed])
        #expect(bench.play("long").reason == .strength)
    }

    /// For any settings and any claim: a client that may not speak for others feels no more with a name than without one.
    @Test("A claimed app never makes anything stronger", arguments: [1, 2, 3] as [UInt64])
    func property(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func some() -> Strength? {
            Bool.random(using: &random) ? nil : Strength(Double.random(in: 0...1.5, using: &random))
        }
        func settings() -> Settings {
            var settings = Settings(strength: some())
            settings.classes[.interaction] = some()
            settings.apps["org.mail"] = some()
            return settings
        }
        for _ in 0..<500 {
            let (set, configured) = (settings(), settings())
            let intensity = Double.random(in: 0...1, using: &random)
            let nameless = outcome(set, over: configured, intensity: intensity, app: nil)
            let claimed = outcome(set, over: configured, intensity: intensity)
            let spoken = outcome(set, over: configured, intensity: intensity, client: Self.door)
            #expect(claimed.gain <= nameless.gain && claimed.gain <= spoken.gain)
            #expect((0...3.375).contains(spoken.gain) && spoken.gain.isFinite)
            if nameless.reason != nil { #expect(claimed.reason != nil) }
        }
    }
}
