// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl --simulate, as a person uses it")
struct SimulateTests {
    @Test("`play --steps 75 --simulate` shows exactly 75 pulses, each followed by its off")
    func simulatedPlay() throws {
        let ended = try runCtl(["play", "--pattern", "soft", "--steps", "75", "--simulate", "--json"])
        #expect(ended.status == 0, "\(ended.errors)")
        var counter = PulseCounter()
        for actuation in ended.objects.map({ $0.object("actuation") }) where !actuation.isEmpty { counter.add(actuation) }
        #expect(counter.pulses == 75)
        #expect(counter.endsOff)
    }

    @Test("A change of level followed by a steady stretch is played to its end by `--simulate`")
    func steadyStretch() throws {
        let folder = try TemporaryFolder()
        let points = [(0, 0.5), (120, 1.0), (500, 0.0)].map { "{ at: \($0.0)ms, intensity: \($0.1), curve: step }" }
        let text = "version: 1\nname: hold\ntracks:\n  - keyframes: [\(points.joined(separator: ", "))]\n"
        let path = try folder.write(text, to: "hold.yaml")
        let ended = try runCtl(["play", "--pattern", path, "--simulate", "--json"])
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended)")
        let actuations = ended.objects.map { $0.object("actuation") }.filter { !$0.isEmpty }
        #expect(actuations.map { $0.number("plannedNs") } == [0, 120e6, 500e6], "\(ended.output)")
    }

    @Test("Of open phases all pulses are counted that were played, as in the picture")
    func openPhases() throws {
        let folder = try TemporaryFolder()
        let text = "version: 1\nname: wait\nphases: [{ use: tick }, { use: reject, until: released, upTo: 2s }]\n"
        let ended = try runCtl(["play", try folder.write(text, to: "wait.yaml"), "--simulate"])
        let pulses = try #require(ended.output.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        #expect(pulses > 10 && ended.output.hasSuffix("1 step, \(pulses) pulses\n"), "\(ended)")
    }

    @Test("`charge --simulate` shows 77 played decisions at their exact times")
    func simulatedCharge() throws {
        let ended = try runCtl(["charge", "--simulate", "--json"])
        #expect(ended.status == 0, "\(ended.errors)")
        let played = ended.objects.map { $0.object("decision") }.filter { $0.text("outcome") == "played" }
        // Every 10 ms `progress += increment; increment += acceleration`; fires when a step has been gained.
        var (progress, increment, last) = (0.0, 0.0007, 0.0)
        var expected: [Double] = []
        for tick in 1...160 {
            progress = min(1, progress + increment)
            increment += 0.00007
            if progress - last >= 0.01 - 1e-9 || progress == 1 {
                expected.append(Double(tick) * 10)
                last = progress
            }
        }
        #expect(expected.count == 77)
        #expect(played.count == 77)
        for (decision, milliseconds) in zip(played, expected) {
            #expect(abs(decision.number("atNs")! / 1e6 - milliseconds) < 1)
        }
    }

    @Test(
        "The charge in other steps and modes fires as often as the reference says",
        arguments: [
            ("0.005", "relative", 122), ("0.02", "relative", 43), ("0.01", "grid", 97), ("0.005", "grid", 133),
            ("0.02", "grid", 50),
        ])
    func chargeVectors(step: String, mode: String, count: Int) throws {
        let ended = try runCtl(["charge", "--step", step, "--mode", mode, "--simulate", "--json"])
        #expect(ended.objects.count { $0.object("decision").text("outcome") == "played" } == count, "\(ended.errors)")
    }

    @Test("Letting go at 0.6 falls back without a pulse on the way and without completion")
    func releaseAt() throws {
        let ended = try runCtl(["charge", "--release-at", "0.6", "--simulate", "--json"])
        let decisions = ended.objects.map { $0.object("decision") }.filter { !$0.isEmpty }
        #expect(decisions.last?.text("reason") == "released")
        #expect(!decisions.contains { $0.text("pattern") == "success" })
    }
}
