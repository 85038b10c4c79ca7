// SPDX-License-Identifier: MIT
import HapticConfig
import HapticCore
import HapticEngine
import HapticPatterns
import HapticPlanning
import Testing

@Suite("Patterns with a meaning")
struct MeaningsTests {
    private static func blinking(_ name: String, every interval: Int, _ more: String = "") -> String {
        let frames = (0..<4).map { number in
            "{ at: \(number * interval)ms, intensity: 1, curve: step }, { at: \(number * interval + 50)ms, intensity: 0, curve: step }"
        }
        return "version: 1\nname: \(name)\n\(more)\ntracks: [{ keyframes: [\(frames.joined(separator: ", "))] }]"
    }

    @Test("Missing meanings are the built-in ones, and a light is known by its backend, simulated or not")
    func standard() throws {
        let text = """
            version: 1
            actuators: [{ name: motor, backend: simulated }, { name: light, backend: led, led: x }, { name: line, backend: gpio, chip: a, line: 1 }]
            meanings: { error: light }
            """
        let read = try configuration(text)
        var meanings = KeptMeanings.standard
        meanings.error = "light"
        #expect(read.meanings == meanings)
        let engine = try read.engineConfiguration()
        #expect(engine.meanings == meanings)
        #expect(engine.actuators.map(\.capabilities.isLight) == [false, true, false])
        #expect(engine.patterns["warning"]?.meaning == .warning)
        #expect(engine.patterns["soft"]?.meaning == nil)
        #expect(try Configuration.builtIn.engineConfiguration().meanings == .standard)
    }

    @Test("An owner's pattern may have a meaning, and lights may show another one")
    func own() throws {
        let files = [
            "/p/mine.yaml": Self.blinking("mine", every: 400, "meaning: error"),
            "/p/shown.yaml": Self.blinking("shown", every: 334, "light: true"),
        ]
        let text = "version: 1\n\(twoActuators)\npatterns: [/p]\nmeanings: { error: shown, touch: soft }"
        let read = try configuration(text, files: files)
        #expect((read.meanings[.error], read.meanings.touch) == ("shown", "soft"))
        #expect((read.patterns["mine"]?.meaning, read.patterns["shown"]?.isForLights) == (.error, true))
    }

    @Test("A light pattern that would harm is refused at its name, or at the directory that replaces a built-in one")
    func harmful() {
        let files = [
            "/p/fast.yaml": Self.blinking("fast", every: 333), "/q/glowError.yaml": Self.blinking("glowError", every: 100),
            "/p/door.yaml": "version: 1\nname: door\nphases: [{ use: ring, until: released }]",
        ]
        let tooFast = "flashes more than 3 times in a second, which can harm; leave 400ms from one flash to the next"
        #expect(
            mistakes("patterns: [/p]\nmeanings: { success: fast, warning: door, error: sofft }", files: files) == [
                "4:22: meanings.success: `fast`, which lights show of `meaning: success`, \(tooFast)",
                "4:37: meanings.warning: `door`, which lights show of `meaning: warning`, has an open phase; name a pattern that has none",
                "4:50: meanings.error: unknown pattern `sofft`, did you mean `soft`?",
            ])
        #expect(
            mistakes("patterns: [/q]", files: files) == [
                "3:12: patterns[0]: `glowError`, which lights show of `meaning: error`, \(tooFast)"
            ])
    }
}
