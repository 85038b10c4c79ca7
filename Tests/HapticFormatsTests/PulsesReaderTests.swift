// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticPatterns
import HapticText
import Testing

@Suite("The short form of patterns") struct PulsesReaderTests {
    private func file(_ pulses: String) throws -> Pattern {
        try PatternReader.pattern(yaml: Array("version: 1\nname: inline\npulses: \(pulses)\n".utf8))
    }

    private func wire(_ pulses: String) throws -> Pattern {
        try PatternReader.pattern(wire: JSONReader.node(Array("{\"pulses\": \(pulses)}".utf8)), path: "pattern")
    }

    /// Time in milliseconds and intensity of each keyframe.
    private func levels(_ pattern: Pattern) -> [[Double]] {
        rounded(keyframes(of: pattern.tracks.last)).map { Array($0.prefix(2)) }
    }

    @Test("Numbers are pulses and pauses in turn, in milliseconds; each pulse is on and off at once")
    func numbers() throws {
        let pattern = try file("[20, 60, 20]")
        #expect(levels(pattern) == [[0, 1], [20, 0], [80, 1], [100, 0]])
        #expect(keyframes(of: pattern.tracks.first).map(\.curve) == [.step, .step, .step, .step])
        #expect(PatternLint.findings(pattern) == [])
        for same in [
            "[20ms, 60, 0.02s]", "[[1, 20], [0, 60], [100%, 20ms]]", "[{ for: 20ms }, { pause: 60ms }, { for: 20ms, at: 1 }]",
        ] {
            #expect(try file(same) == pattern, "\(same)")
        }
        for same in ["[20, 60, 20]", "[[1, 20], [0, 60], [1, 20]]", #"[{"forMs": 20}, {"pauseMs": 60}, {"forMs": 20, "at": 1}]"#]
        {
            #expect(try wire(same) == pattern, "\(same)")
        }
    }

    @Test("Pairs and objects have levels")
    func levels() throws {
        let wanted = [[0, 0.5], [30, 0], [90, 1], [130, 0]]
        #expect(levels(try file("[{ for: 30ms, at: 50% }, { pause: 60ms }, { for: 40ms }]")) == wanted)
        #expect(levels(try wire("[[0.5, 30], [0, 60], [1, 40]]")) == wanted)
    }

    @Test("A length of 0 takes no time: a pattern may begin with a pause; a pause at the end stays")
    func pauses() throws {
        #expect(levels(try wire("[0, 60, 20]")) == [[0, 0], [60, 1], [80, 0]])
        #expect(levels(try wire("[20, 0, 20, 60]")) == [[0, 1], [20, 1], [40, 0], [100, 0]])
        #expect(try wire("[20, 60]").duration == .milliseconds(80))
    }

    @Test("Pulses are one more layer beside tracks, and may be what a phase plays")
    func layers() throws {
        let both = try file("[20, 60, 20]\ntracks: [{ events: [{ at: 0ms, type: transient, intensity: 0.5 }] }]")
        #expect(both.tracks.count == 2)
        #expect(levels(both) == [[0, 1], [20, 0], [80, 1], [100, 0]])
        let text = "version: 1\nname: x\nphases: [{ pulses: [20, 60] }, { pulses: [[0.3, 10]], until: released }]\n"
        let phases = try PatternReader.pattern(yaml: Array(text.utf8)).phases
        #expect(phases.map { levels($0.pattern) } == [[[0, 1], [20, 0], [80, 0]], [[0, 0.3], [10, 0]]])
    }

    @Test("As many pulses are read as a track has room for")
    func bounds() throws {
        func list(_ count: Int) -> String { "[\(Array(repeating: "1", count: count).joined(separator: ","))]" }
        #expect(try wire(list(1023)).duration == .milliseconds(1023))
        let error = #expect(throws: InvalidDocument.self) { try wire(list(1024)) }
        #expect(error?.description == "pattern.pulses: 1024 entries; 1 to 1023 are allowed")
    }

    @Test(
        "The mistakes of an inline pattern name the pulse",
        arguments: [
            (#"["20ms"]"#, "[0]: expected a number of milliseconds, found the text `20ms`"),
            ("[[2, 30]]", "[0][0]: 2 is out of range; write a share from 0 to 1; did you mean `0.02`?"),
            ("[[1, 30, 1]]", "[0]: 3 values; write a level and its length in milliseconds, such as `[0.5, 30]`"),
            (
                "[20, [0.5, 30]]",
                "[1]: a pair among lengths; write all entries alike: as lengths `[20, 60, 20]`, as pairs `[[0.5, 30], [0, 60]]`, or as objects `[{\"forMs\": 20}, {\"pauseMs\": 60}]`"
            ),
            (
                "[[0.5, 30], 20]",
                "[1]: a length among pairs; write all entries alike: as lengths `[20, 60, 20]`, as pairs `[[0.5, 30], [0, 60]]`, or as objects `[{\"forMs\": 20}, {\"pauseMs\": 60}]`"
            ),
            ("[1e20]", "[0]: 1e+20 is out of range; write a number of milliseconds from 0 to 60000"),
            ("[20, 9007199254740993]", "[1]: 9007199254740993 is out of range; write a number of milliseconds from 0 to 60000"),
            (#"[{"forMs": 1e20}]"#, "[0].forMs: 1e+20 is out of range; write a number of milliseconds from 0 to 60000"),
            (#"[["50%", 30]]"#, "[0][0]: expected a share from 0 to 1, found the text `50%`; did you mean `0.5`?"),
            (#"[{"for": 20}]"#, "[0].for: unknown key `for`, did you mean `forMs`?"),
            ("60001", ": expected a list of pulses and pauses in milliseconds, such as `[20, 60, 20]`, found the number 60001"),
            ("[60001]", "[0]: 60001 is out of range; write a number of milliseconds from 0 to 60000"),
        ])
    func mistakes(pulses: String, message: String) {
        let error = #expect(throws: InvalidDocument.self) { try wire(pulses) }
        #expect(error?.description == "pattern.pulses\(message)")
    }
}
