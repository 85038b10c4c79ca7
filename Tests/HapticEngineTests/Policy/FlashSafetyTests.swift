// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning
import TestSupport
import Testing

@testable import HapticEngine

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Safety of light under `reduced`")
struct FlashSafetyTests {
    @Test("Whatever is played, no light flashes more than three times in a second, and motors lose nothing that is felt in full")
    func random() throws {
        var random = SplitMix64(seed: testSeed)
        for _ in 0..<40 {
            let motor = EngineActuator(
                name: "motor", capabilities: .onOff, fallback: Bool.random(using: &random) ? ActuatorIndex(1) : nil)
            var bench = try Reduced.bench([motor, Reduced.light, Reduced.lamp])
            try check(&bench, lights: [1, 2], &random)
            // Lights alone lose nothing that means something, either.
            bench = try Reduced.bench([Reduced.light, Reduced.lamp])
            try check(&bench, lights: [0, 1], &random)
            // The strengths of the classes and the chosen actuators make no difference.
            var classes = ClassTable.standard
            classes.texture.reduced = [.half, .full].randomElement(using: &random)!
            classes.interaction.reduced = [.half, .full, .nothing].randomElement(using: &random)!
            bench = try Reduced.bench([EngineActuator(name: "motor"), Reduced.light, Reduced.lamp], classes: classes)
            try check(&bench, lights: [1, 2], anywhere: true, &random)
        }
    }

    /// `anywhere`: lights that something else has, or that wait for each other, are chosen, too.
    private func check(_ bench: inout Bench, lights: Set<Int>, anywhere: Bool = false, _ random: inout SplitMix64) throws {
        for _ in 0..<60 {
            bench.run(for: .milliseconds([5, 60, 150, 300, 700, 2500].randomElement(using: &random)!))
            let name = ["success", "warning", "error", "soft", "long"].randomElement(using: &random)!
            let feedbackClass = [FeedbackClass.notification, .interaction, .texture].randomElement(using: &random)!
            let intensity = Double.random(in: 0.35...1, using: &random)
            let places = anywhere ? [[1], [2], [0, 1], [1, 2], nil].randomElement(using: &random)! : nil
            let decision = bench.send(
                Reduced.play(name, feedbackClass, intensity: intensity, actuators: places, at: bench.now))
            if anywhere { continue }
            // What is more important has the motor, or the class has played as often as it may.
            let isRefused = decision.reason == .lowerPriority || decision.policy?.objection == .rate
            guard !isRefused, Reduced.patterns[Text(name)]?.meaning != nil, decision.outcome != .played else { continue }
            Issue.record("\(decision) HAPTICD_SEED=\(testSeed)")
        }
        bench.run(for: .seconds(5))
        let rises = WCAG.flashes(bench.actuations.filter { lights.contains($0.actuator.value) })
        for (index, rise) in rises.enumerated().dropFirst(3) where rise - rises[index - 3] < .seconds(1) {
            Issue.record("four flashes from \(rises[index - 3]) to \(rise): HAPTICD_SEED=\(testSeed)")
        }
    }
}

/// What WCAG calls a flash, of all lights together: their relative luminance rises by a tenth or more from below 0.8, and has fallen
/// by as much before.
enum WCAG {
    /// When each of them begins; at one instant lights flash together.
    static func flashes(_ actuations: [Actuation]) -> [MonotonicInstant] {
        var rises: Set<MonotonicInstant> = []
        for light in Set(actuations.map(\.actuator)) {
            var (low, high, isUp) = (0.0, 0.0, false)
            for actuation in actuations where actuation.actuator == light {
                let luminance = luminance(actuation.drive.value)
                if isUp {
                    high = max(high, luminance)
                    if high - luminance >= 0.1 { (isUp, low) = (false, luminance) }
                } else {
                    low = min(low, luminance)
                    guard luminance - low >= 0.1, low < 0.8 else { continue }
                    (isUp, high) = (true, luminance)
                    rises.insert(actuation.planned)
                }
            }
        }
        return rises.sorted()
    }

    /// CIE 1976 lightness, which is how brightness follows intensity.
    private static func luminance(_ lightness: Double) -> Double {
        lightness > 0.08 ? pow((lightness * 100 + 16) / 116, 3) : lightness * 100 * 27 / 24_389
    }
}
