// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning
import TestSupport
import Testing

@testable import HapticEngine

@Suite("Strengths that people set")
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
        #expect(candidate.intensity == Intensity(clamping: candidate.gain.value))
        return (candidate.gain.value, reason, path)
    }

    private static func strength(_ value: Double) -> Strength { Strength(value)! }

    @Test(
        "A strength, or a product of strengths, that rounds to 0 % keeps an input from being felt; an intensity of 0 does not",
        arguments: [
            (Settings(strength: strength(0), apps: ["org.mail": .most]), 1, .strength),
            (Settings(strength: .most, classes: [.interaction: strength(0)]), 1, .strength),
            (Settings(strength: strength(5e-324)), 1, .strength),
            (Settings(strength: strength(0.02), classes: [.interaction: strength(0.02)]), 1, .strength),
            (Settings(strength: strength(0.001)), 1, nil), (Settings(strength: .most), 0, nil),
        ] as [(Settings, Double, Reason?)])
    func nothing(settings: Settings, intensity: Double, reason: Reason?) {
        #expect(outcome(settings, intensity: intensity).reason == reason)
    }

    @Test("Two strengths above 100 %, of everything and of a class, multiply")
    func most() {
        #expect(outcome(Settings(strength: .most, classes: [.interaction: .most])).gain == 2.25)
    }

    @Test("A playback keeps the strength that it began with; the next one has the new strength")
    func later() {
        var bench = Bench()
        bench.play("long")
        bench.run(for: .milliseconds(100))
        bench.send([.change(SettingsChange(strength: .set(Self.strength(0))))])
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
            #expect(claimed.gain <= nameless.gain)
            #expect(claimed.gain <= spoken.gain)
            #expect((0...3.375).contains(spoken.gain))
            if nameless.reason != nil { #expect(claimed.reason != nil) }
        }
    }
}
