// SPDX-License-Identifier: MIT
import Foundation
import HapticConfig
import HapticFormats
import HapticJSON
import TestSupport
import Testing

/// Files are checked by services that run as root, and by people who wait: none may take long, whatever stands where in it.
@Suite("The worst text in a file")
struct WorstTextTests {
    /// Everything that a configuration may have. JSON, which YAML is a superset of.
    private static let configuration = """
        {"version": 1, "profile": "full", "patterns": ["/p"],
        "socket": {"path": "/run/x", "mode": "0660", "group": "haptics"}, "realtime": {"priority": 1, "lockMemory": true, "cpu": 0},
        "actuators": [{"name": "a", "backend": "gpio", "chip": "c", "line": "l", "activeLow": true, "pwm": "200Hz", "fallback": "e",
        "motor": {"kind": "erm", "rise": "1ms", "fall": "1ms", "minGap": "1ms", "maxOn": "1s", "duty": "40%"}},
        {"name": "b", "backend": "simulated", "variesIntensity": true, "variesSharpness": true,
        "faults": {"failAfter": 1, "recoverAfter": "1s"}},
        {"name": "c", "backend": "pwm", "chip": "c", "channel": 0, "frequency": "20kHz"},
        {"name": "d", "backend": "evdev", "match": {"name": "n", "path": "/dev/input/event1", "phys": "p", "vendor": 1, "product": 1}},
        {"name": "e", "backend": "led", "led": "l", "colour": "#ff8000"}],
        "classes": {"alarm": {"priority": 1, "deadline": "1s", "limit": "10/s", "quiet": "full", "reduced": "half", "silent": "soft"}},
        "progress": [{"match": "*", "pattern": "soft", "step": "1%", "mode": "grid", "direction": "up", "hysteresis": 0.1,
        "minInterval": "1ms", "class": "texture", "intensity": "50%", "priority": 1, "deadline": "1s", "actuators": ["a"],
        "complete": "success", "completeClass": "notification"}],
        "events": [{"match": "x", "when": {"from": "a", "to": "b"}, "pattern": "soft"}],
        "bounds": {"clients": 9, "clientsPerUser": 9, "requestsPerClient": "9/s", "requestsPerUser": "9/s", "sources": 9,
        "sourcesPerUser": 9, "sourcesPerClient": 9, "playbacks": 9, "playbacksPerUser": 9, "playbacksPerClient": 9,
        "sourceTimeout": "60s"},
        "access": {"reload": {"users": ["root"], "groups": ["haptics"]}, "cancelAll": {"users": ["ada"]}, "profile": {"users": ["ada"]}}}
        """

    /// Everything that a pattern file may have.
    private static let pattern = """
        {"version": 1, "name": "x", "description": "y", "tracks": [
        {"keyframes": [{"at": "0ms", "intensity": 0.5, "sharpness": 0.5, "curve": "easeIn"},
        {"at": "20ms", "intensity": "50%", "curve": {"spring": {"response": "200ms", "dampingFraction": 0.8}}},
        {"at": "40ms", "intensity": 1, "curve": {"spring": {"duration": "0.2s", "bounce": 0.1}}}]},
        {"events": [{"at": "0ms", "type": "transient", "intensity": 1}, {"at": "30ms", "type": "continuous", "intensity": 1,
        "sharpness": 0.2, "duration": "100ms", "sustained": true, "attack": "1ms", "decay": "1ms", "release": "1ms"}]}],
        "parameterCurves": [{"parameter": "intensity", "points": [{"at": "0ms", "value": 0.5}]},
        {"parameter": "attackTime", "points": [{"at": "0ms", "value": "10ms"}]}]}
        """

    private static let files = memory(["/p/mine.yaml": pattern.replacingOccurrences(of: "\"x\"", with: "\"mine\"")])

    private static func check(_ text: String) throws(InvalidDocument) {
        _ = try Configuration.read(yaml: Array(text.utf8), file: "/etc/h.yaml", files: files, accounts: .few)
    }

    @Test("The examples are valid, and have every key that is read")
    func examples() throws {
        try Self.check(Self.configuration)
        _ = try PatternReader.pattern(yaml: Array(Self.pattern.utf8))
        let sources = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Sources").standardized
        var missing: Set<String> = []
        let backends = try FileManager.default.subpathsOfDirectory(atPath: sources.appendingPathComponent("HapticBackends").path)
            .filter { !$0.contains(".") }.map { "HapticBackends/\($0)" }
        #expect(backends.count >= 5)
        for folder in ["HapticConfig", "HapticFormats", "HapticFormats/Patterns"] + backends {
            let directory = sources.appendingPathComponent(folder)
            for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) where name.hasSuffix(".swift") {
                let text = try String(contentsOf: directory.appendingPathComponent(name), encoding: .utf8)
                for match in text.matches(of: /(?:optional|required)(?:Duration)?\(\s*"(\w+)"/) {
                    let key = "\"\(match.1)\":"
                    if !Self.configuration.contains(key), !Self.pattern.contains(key) { missing.insert(String(match.1)) }
                }
            }
        }
        #expect(missing.isEmpty)
    }

    /// Seconds for one of these places alone where it compares characters.
    @Test(
        "A configuration is read or refused at once, wherever such text stands in it", .timeLimit(.minutes(3)),
        arguments: WorstText.all.indices)
    func configurations(worst: Int) {
        for hostile in WorstText.everywhere(in: Self.configuration, WorstText.all[worst]) {
            #expect(throws: InvalidDocument.self) { try Self.check(hostile) }
        }
    }

    @Test(
        "A pattern file is read or refused at once, wherever such text stands in it", .timeLimit(.minutes(3)),
        arguments: WorstText.all.indices)
    func patterns(worst: Int) {
        for hostile in WorstText.everywhere(in: Self.pattern, WorstText.all[worst]) {
            _ = try? PatternReader.pattern(yaml: Array(hostile.utf8), expectedName: "x")
        }
    }

    @Test("Thousands of keys that differ in one byte behind a run of marks are refused at once", .timeLimit(.minutes(3)))
    func manyKeys() {
        let run = String(repeating: "\u{344}\u{334}", count: 60)
        let keys = (0..<3000).map { "\"a\(run)\($0)\": 1" }.joined(separator: ", ")
        #expect(throws: InvalidDocument.self) { try Self.check("{\(keys)}") }
    }
}
