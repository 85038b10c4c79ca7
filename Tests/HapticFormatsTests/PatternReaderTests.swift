// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticJSON
import HapticPatterns
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

    @Test("A pattern is read from the tree that was written of it")
    func tree() throws {
        let spring = try #require(Spring(response: .milliseconds(200), dampingFraction: 0.8))
        let keyframes = [
            Keyframe(at: .zero, intensity: .zero, sharpness: .one),
            Keyframe(at: .milliseconds(20), intensity: .one, sharpness: .zero, curve: .easeOut),
            Keyframe(at: .milliseconds(90), intensity: .zero, sharpness: .zero, curve: .spring(spring)),
        ]
        let event = HapticEvent(
            at: .milliseconds(5), kind: .continuous(duration: .milliseconds(30), sustained: false), intensity: .one,
            sharpness: .one, attack: .milliseconds(2), decay: .milliseconds(20))
        let curve = ParameterCurve(parameter: .attackTime, points: [.init(at: .zero, value: 0.5)])
        let pattern = try Pattern(name: "mine", tracks: [.keyframes(keyframes), .events([event])], parameterCurves: [curve])
        let json = try JSONLine.bytes(PatternWriter.tree(pattern))
        #expect(try PatternReader.pattern(wire: JSONReader.node(json), path: "pattern") == pattern)
    }

    @Test(
        "Every curve is read",
        arguments: [
            ("linear", Curve.linear), ("easeIn", .easeIn), ("easeOut", .easeOut), ("easeInOut", .easeInOut), ("step", .step),
            ("smooth", .spring(.smooth)), ("snappy", .spring(.snappy)), ("bouncy", .spring(.bouncy)),
            ("{ spring: { duration: 500ms, bounce: 0.3 } }", .spring(.bouncy)),
            ("{ spring: { duration: 0.5 } }", .spring(.smooth)),
            ("{ spring: { response: 500ms, dampingFraction: 1 } }", .spring(.smooth)),
        ])
    func curves(text: String, curve: Curve) throws {
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

    @Test("All built-in patterns are read back as they were written")
    func builtIn() throws {
        for pattern in BuiltInPatterns.all {
            #expect(try PatternReader.pattern(yaml: Array(PatternWriter.yaml(pattern).utf8)) == pattern)
        }
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

    /// What is wrong, and exactly what is said of it.
    @Test(
        "Every mistake is reported with its line and column",
        arguments: [
            (
                "tracks: [{ events: [{ at: 0ms, type: transient, intensity: 40, sharpness: 100.5 }] }]",
                [
                    "test.yaml:3:60: tracks[0].events[0].intensity: 40 is out of range; write a share from 0 to 1, such as `0.4` or `40%`; did you mean `40%`?",
                    "test.yaml:3:75: tracks[0].events[0].sharpness: 100.5 is out of range; write a share from 0 to 1, such as `0.4` or `40%`",
                ]
            ),
            (
                "tracks: [{ keyframes: [{ at: 0ms, intensty: 1 }, { at: 20, intensity: 1.5, curve: eseOut }] }]",
                [
                    "test.yaml:3:35: tracks[0].keyframes[0].intensty: unknown key `intensty`, did you mean `intensity`?",
                    "test.yaml:3:56: tracks[0].keyframes[1].at: 20 has no unit; write a duration with its unit, such as `20ms` or `1.6s`",
                    "test.yaml:3:71: tracks[0].keyframes[1].intensity: 1.5 is out of range; write a share from 0 to 1, such as `0.4` or `40%`",
                    "test.yaml:3:83: tracks[0].keyframes[1].curve: unknown curve `eseOut`, did you mean `easeOut`?",
                ]
            ),
            (
                "tracks: [{ keyframes: [{ at: 5ms, intensity: 1 }, { at: 5ms, intensity: 0 }] }]",
                ["test.yaml:3:51: tracks[0].keyframes[1]: 5ms is not later than the keyframe before, which is at 5ms"]
            ),
            (
                "tracks: [{ keyframes: [{ at: -1ms, intensity: .nan }, { at: 2d, intensity: }] }]",
                [
                    "test.yaml:3:30: tracks[0].keyframes[0].at: `-1ms` is out of range; write a duration from 0s to 60s",
                    "test.yaml:3:47: tracks[0].keyframes[0].intensity: .nan is out of range; write a share from 0 to 1, such as `0.4` or `40%`",
                    "test.yaml:3:61: tracks[0].keyframes[1].at: expected a duration with its unit, such as `20ms` or `1.6s`, found the text `2d`",
                    "test.yaml:3:76: tracks[0].keyframes[1].intensity: expected a share from 0 to 1, such as `0.4` or `40%`, found nothing; give it a value or leave the key out",
                ]
            ),
            (
                "tracks: [{ keyframes: [{ at: 0ms, intensity: 1 }] }, { }, { events: [] }]",
                [
                    "test.yaml:3:23: tracks[0].keyframes: 1 entry; 2 to 1024 are allowed",
                    "test.yaml:3:54: tracks[1]: a track has either `keyframes` or `events`",
                    "test.yaml:3:69: tracks[2].events: 0 entries; 1 to 1024 are allowed",
                ]
            ),
            (
                "tracks: [{ events: [{ at: 0ms, type: transient, intensity: 1, duration: 1s }, { at: 0ms, type: tap, intensity: 1e400 }] }]",
                [
                    "test.yaml:3:63: tracks[0].events[0].duration: unknown key `duration`; there is `at`, `type`, `intensity`, `sharpness`",
                    "test.yaml:3:96: tracks[0].events[1].type: unknown type of event `tap`; there is `transient`, `continuous`",
                    "test.yaml:3:112: tracks[0].events[1].intensity: 1e400 is out of range; write a share from 0 to 1, such as `0.4` or `40%`",
                ]
            ),
            (
                "tracks: [{ keyframes: [{ at: 0s, intensity: 1 }, { at: 1s, intensity: 0, curve: { spring: { response: 1 } } }] }]",
                [
                    "test.yaml:3:91: tracks[0].keyframes[1].curve.spring: a spring has either `response` and `dampingFraction`, or `duration` and `bounce`"
                ]
            ),
            ("", ["test.yaml:1:1: a pattern needs `tracks`, `compose` or `phases`"]),
        ])
    func mistakes(tracks: String, expected: [String]) {
        #expect(diagnostics(file(tracks)) == expected)
    }

    @Test(
        "A wrong head is reported",
        arguments: [
            ("", ["test.yaml:1:1: there is nothing in it; write an object with keys, or name another file"]),
            ("[]", ["test.yaml:1:1: expected an object with keys, found a list"]),
            (
                "version: 2\nname: other\ntracks: 1",
                [
                    "test.yaml:1:10: version: expected `version: 1`, the only one there is, found the number 2",
                    "test.yaml:2:7: name: the name `other` and the file `test.yaml` differ; give both the same name",
                    "test.yaml:3:9: tracks: expected a list, found the number 1",
                ]
            ),
        ])
    func mistakesOfHead(text: String, expected: [String]) {
        #expect(diagnostics(Array(text.utf8)) == expected)
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
            (#"{"atMs":0,"intensity":"40%"}"#, "intensity: expected a share from 0 to 1, found the text `40%`"),
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

    @Test("Of a line full of unknown keys only the first costs a complaint")
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
