// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticPatterns
import HapticText
import TestSupport
import Testing

/// A pattern file with these tracks.
private func file(_ tracks: String) -> [UInt8] { Array("version: 1\nname: test\n\(tracks)\n".utf8) }

private func diagnostics(_ bytes: [UInt8]) -> [String] {
    do throws(InvalidDocument) {
        _ = try PatternReader.pattern(yaml: bytes, file: "test.yaml", expectedName: "test")
        return []
    } catch {
        return error.diagnostics.map(\.description)
    }
}

@Suite struct PatternReaderTests {
    @Test("The example of the contract is read, and its spring is over before it ends")
    func example() throws {
        let text = """
            version: 1
            name: success
            description: a task has completed
            tracks:
              - keyframes:                                      # a comment
                  - { at: 0ms,  intensity: 0.0, sharpness: 0.4 }
                  - { at: 20ms, intensity: 0.9, sharpness: 0.6, curve: easeOut }
                  - { at: 150ms, intensity: 0.0, curve: { spring: { response: 0.2, dampingFraction: 0.8 } } }
            """
        let spring = try #require(Spring(response: .milliseconds(200), dampingFraction: 0.8))
        let expected = try Pattern(
            name: "success", summary: "a task has completed",
            tracks: [
                .keyframes([
                    Keyframe(at: .zero, intensity: .zero, sharpness: Sharpness(clamping: 0.4)),
                    Keyframe(
                        at: .milliseconds(20), intensity: Intensity(clamping: 0.9), sharpness: Sharpness(clamping: 0.6),
                        curve: .easeOut),
                    Keyframe(
                        at: .milliseconds(150), intensity: .zero, sharpness: Sharpness(clamping: 0.6), curve: .spring(spring)),
                ])
            ])
        #expect(try PatternReader.pattern(yaml: Array(text.utf8)) == expected)
        #expect(PatternLint.findings(expected).isEmpty)
    }

    @Test(
        "Every curve is read",
        arguments: [
            ("linear", Easing.linear), ("easeIn", .easeIn), ("easeOut", .easeOut), ("easeInOut", .easeInOut), ("step", .step),
            ("smooth", .spring(.smooth)), ("snappy", .spring(.snappy)), ("bouncy", .spring(.bouncy)),
            ("{ spring: { duration: 500ms, bounce: 0.3 } }", .spring(.bouncy)),
            ("{ spring: { duration: 0.5 } }", .spring(.smooth)),
            ("{ spring: { response: 500ms, dampingFraction: 1 } }", .spring(.smooth)),
        ])
    func curves(text: String, curve: Easing) throws {
        let bytes = file("tracks: [{ keyframes: [{ at: 0s, intensity: 1 }, { at: 1s, intensity: 0, curve: \(text) }] }]")
        guard case .keyframes(let keyframes)? = try PatternReader.pattern(yaml: bytes).tracks.first?.content else {
            Issue.record("no keyframes")
            return
        }
        #expect(keyframes.last?.curve == curve)
    }

    @Test("Events and parameter curves are read and written back")
    func eventsAndParameterCurves() throws {
        let bytes = file(
            """
            description: "with \\"quotes\\", a tab \\t and: a colon"
            tracks:
              - events:
                  - { at: 0ms, type: transient, intensity: 100%, sharpness: 0.9 }
                  - { at: 10.5ms, type: continuous, duration: 0.2s, intensity: 0.7, attack: 30ms, decay: 40ms, release: 1234567ns,
                      sustained: false }
              - keyframes: [{ at: 250us, intensity: 0.1 }, { at: 1.6s, intensity: 0.333, sharpness: 0, curve: bouncy }]
            parameterCurves:
              - parameter: intensity
                points: [{ at: 0ms, value: 0 }, { at: 1s, value: 1 }]
              - { parameter: sharpness, points: [{ at: 5ms, value: -1 }] }
              - { parameter: attackTime, points: [{ at: 5ms, value: 0.05 }] }
              - { parameter: decayTime, points: [{ at: 5ms, value: -10ms }] }
              - { parameter: releaseTime, points: [{ at: 5ms, value: 1 }] }
            """)
        let pattern = try PatternReader.pattern(yaml: bytes)
        #expect((pattern.tracks.count, pattern.parameterCurves.count) == (2, 5))
        #expect(pattern.parameterCurves.map { $0.points.last?.value } == [1, -1, 0.05, -0.01, 1])
        #expect(try PatternReader.pattern(yaml: Array(PatternWriter.yaml(pattern).utf8)) == pattern)
    }

    @Test(
        "Any description is read back as it was written",
        arguments: [
            "true", "1.5", "", " x", "x ", "é", "a: b", "# a", "null", "a\u{7}b", "- a", "\u{2028}", "🎵", "it's", "a\\b",
        ])
    func descriptions(summary: String) throws {
        let soft = try #require(BuiltInPatterns.all.first { $0.name == "soft" })
        let pattern = try Pattern(name: "x", summary: summary, tracks: soft.tracks)
        #expect(try PatternReader.pattern(yaml: Array(PatternWriter.yaml(pattern).utf8)) == pattern)
    }

    @Test("Every mistake is reported with its line and column")
    func mistakes() {
        #expect(TextCases.differences(in: "mistakes/patterns") { diagnostics(Array($0.utf8)) } == [])
    }

    @Test("A pattern longer than a minute is refused")
    func tooLong() {
        let tracks = "tracks: [{ events: [{ at: 50s, type: continuous, duration: 11s, intensity: 1 }] }]"
        #expect(diagnostics(file(tracks)) == ["test.yaml:1:1: the pattern takes 61s; at most 60s are allowed"])
    }
}

@Suite struct WirePatternTests {
    private func node(_ json: String) throws -> Node { try JSONReader.node(Array(json.utf8)) }

    @Test("An inline pattern has its units in its names")
    func inline() throws {
        let pattern = try PatternReader.pattern(
            wire: node(
                """
                {"tracks":[{"keyframes":[{"atMs":0,"intensity":0.5,"sharpness":0.2},{"atMs":7.5,"intensity":0,"curve":"step"}]},
                {"events":[{"atMs":20,"type":"continuous","durationMs":30,"intensity":1,"releaseMs":4}]}]}
                """), path: "pattern")
        #expect(pattern.name == "inline")
        #expect(pattern.duration == .milliseconds(54))
        #expect(pattern.level(at: .milliseconds(7)).intensity == Intensity(0.5))
    }

    @Test("The mistakes of an inline pattern name the member")
    func mistakes() throws {
        for (keyframe, message) in [
            (
                #"{"atMs":0,"intensity":"40%"}"#,
                "intensity: expected a share from 0 to 1, found the text `40%`; did you mean `0.4`?"
            ),
            (#"{"at":"20ms","intensity":0}"#, "at: unknown key `at`, did you mean `atMs`?"),
            (#"{"atMs":true,"intensity":0}"#, "atMs: expected a number of milliseconds, found true"),
        ] {
            let node = try node(#"{"tracks":[{"keyframes":[\#(keyframe),\#(keyframe)]}]}"#)
            do throws(InvalidDocument) {
                _ = try PatternReader.pattern(wire: node, path: "pattern")
                Issue.record("it was taken")
            } catch {
                #expect(error.diagnostics.first?.description == "pattern.tracks[0].keyframes[0].\(message)")
            }
        }
    }

    @Test("A line full of unknown keys costs one complaint, for the first")
    func unknownKeys() throws {
        let keys = (0..<5000).map { "\"intensitx\($0)\":0" }.joined(separator: ",")
        #expect {
            try PatternReader.pattern(wire: node("{\(keys)}"), path: "pattern")
        } throws: { error in
            guard let invalid = error as? InvalidDocument else { return false }
            return invalid.diagnostics.map(\.message).last == "5000 more errors are not shown" && invalid.diagnostics.count == 2
        }
    }
}
