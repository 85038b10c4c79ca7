// SPDX-License-Identifier: MIT
import HapticConfig
import HapticFormats
import HapticText
import TestSupport
import Testing

/// Files are checked by services that run as root, and by people who wait: none may take long, whatever stands where in it.
@Suite("The worst text in a file")
struct WorstTextTests {
    /// Everything that a pattern file may have.
    private static let pattern = """
        {"version": 1, "name": "mine", "description": "y", "call": true, "meaning": "error",
        "light": true, "transition": "smooth", "phases": [
        {"use": "ring", "until": "released", "upTo": "30s"}, {"sum": "glow", "tracks": [
        {"keyframes": [{"at": "0ms", "intensity": 0.5, "sharpness": 0.5, "curve": "easeIn"},
        {"at": "20ms", "intensity": "50%", "curve": {"spring": {"response": "200ms", "dampingFraction": 0.8}}},
        {"at": "40ms", "intensity": 1, "curve": {"spring": {"duration": "0.2s", "bounce": 0.1}}}], "gain": 0.5},
        {"events": [{"at": "0ms", "type": "transient", "intensity": 1}, {"at": "30ms", "type": "continuous", "intensity": 1,
        "sharpness": 0.2, "duration": "100ms", "sustained": true, "attack": "1ms", "decay": "1ms", "release": "1ms"}]}],
        "pulses": [{"for": "20ms", "at": "50%"}, {"pause": "30ms"}],
        "parameterCurves": [{"parameter": "intensity", "points": [{"at": "0ms", "value": 0.5}]},
        {"parameter": "attackTime", "points": [{"at": "0ms", "value": "10ms"}]}],
        "compose": [{"use": "tick", "repeat": 2, "every": "9ms"}, {"use": "soft", "gap": "1ms"}]}]}
        """

    private static let files = memory(["/p/mine.yaml": pattern])

    private static func check(_ text: String) throws(InvalidDocument) {
        _ = try Configuration.read(yaml: Array(text.utf8), file: "/etc/h.yaml", files: files, accounts: .few)
    }

    @Test("The examples are valid, and have every key that is described")
    func examples() throws {
        try Self.check(everyKey)
        _ = try PatternReader.pattern(yaml: Array(Self.pattern.utf8))
        for (example, members) in [(everyKey, Configuration.members), (Self.pattern, PatternReader.members)] {
            let names = Set(Member.Kind.object(members).members.map(\.name))
            #expect(names.count > 20)
            #expect(names.filter { !example.contains("\"\($0)\":") } == [])
        }
    }

    /// A reader that compares characters takes seconds for a single place.
    @Test("A configuration is read or refused without delay, wherever such text stands in it", .timeLimit(.minutes(20)))
    func configurations() {
        for hostile in WorstText.everywhere(in: everyKey) {
            #expect(throws: InvalidDocument.self) { try Self.check(hostile) }
        }
    }

    @Test("A pattern file is read or refused without delay, wherever such text stands in it", .timeLimit(.minutes(20)))
    func patterns() {
        for hostile in WorstText.everywhere(in: Self.pattern) {
            _ = try? PatternReader.pattern(yaml: Array(hostile.utf8), expectedName: "mine")
        }
    }

    @Test("Thousands of keys that differ in one byte behind a run of marks are refused without delay", .timeLimit(.minutes(20)))
    func manyKeys() {
        let run = String(repeating: "\u{344}\u{334}", count: 60)
        let keys = (0..<3000).map { "\"a\(run)\($0)\": 1" }.joined(separator: ", ")
        #expect(throws: InvalidDocument.self) { try Self.check("{\(keys)}") }
    }
}
