// SPDX-License-Identifier: MIT
import HapticConfig
import HapticCore
import HapticEngine
import HapticJSON
import TestSupport
import Testing

@Suite("The description of the configuration")
struct DescriptionTests {
    private static let described = Member.Kind.object(Configuration.members)

    private static let policy =
        #"{"priority": 1, "deadline": "1s", "limit": "10/s", "quiet": "full", "reduced": "half", "silent": "soft"}"#

    /// Every key that there is.
    private static let everything = """
        {"version": 1, "profile": "full", "patterns": [],
        "socket": {"path": "/run/x", "mode": "0660", "group": "haptics"}, "realtime": {"priority": 1, "lockMemory": true, "cpu": 0},
        "actuators": [{"name": "main", "backend": "simulated", "fallback": "light", "minInterval": "1ms",
        "motor": {"kind": "erm", "rise": "1ms", "fall": "1ms", "minGap": "1ms", "maxOn": "1s", "duty": "40%"}},
        {"name": "nothing", "backend": "simulated", "variesIntensity": true, "variesSharpness": true,
        "faults": {"failAfter": 1, "recoverAfter": "1s"}},
        {"name": "case", "backend": "gpio", "chip": "gpiochip0", "line": 17, "activeLow": true, "pwm": true},
        {"name": "grip", "backend": "pwm", "chip": "pwmchip0", "channel": 0, "frequency": "20kHz"},
        {"name": "pad", "backend": "evdev", "match": {"name": "*", "path": "/dev/input/event1", "phys": "*", "vendor": 1, "product": 1}},
        {"name": "light", "backend": "led", "led": "status", "colour": "#ff8000"}],
        "classes": {"alarm": \(policy), "notification": \(policy), "interaction": \(policy), "texture": \(policy)},
        "progress": [{"match": "*", "pattern": "soft", "step": "1%", "mode": "grid", "direction": "up", "hysteresis": 0.1,
        "minInterval": "1ms", "class": "texture", "intensity": "50%", "priority": 1, "deadline": "1s", "actuators": ["main"],
        "complete": "success", "completeClass": "notification"}],
        "events": [{"match": "x", "when": {"from": "a", "to": "b"}, "pattern": "soft", "class": "alarm", "intensity": 1, "priority": 1,
        "deadline": "1s", "actuators": ["light"]}],
        "bounds": {"clients": 9, "clientsPerUser": 9, "requestsPerClient": "9/s", "requestsPerUser": "9/s", "sources": 9,
        "sourcesPerUser": 9, "sourcesPerClient": 9, "playbacks": 9, "playbacksPerUser": 9, "playbacksPerClient": 9,
        "sourceTimeout": "60s"},
        "access": {"reload": {"users": ["root"], "groups": ["haptics"]}, "cancelAll": {"users": ["ada"], "groups": ["desk"]},
        "profile": {"users": ["ada"], "groups": ["desk"]}}}
        """

    private func tree() throws -> Node { try JSONReader.node(Array(Self.everything.utf8)) }

    @Test("What has every key of the description is read")
    func everyKeyIsRead() throws {
        #expect(try tree().keys() == Self.described.keys())
        let read = try configuration(Self.everything)
        #expect(read.actuators.count == 6 && read.eventRules.count == 1 && read.bounds.playbacksPerClient == 9)
    }

    @Test("Where a key is not known, the message names those of the description")
    func unknownKey() throws {
        var named: KeysByPath = [:]
        for (path, tree) in try tree().with("zzzzzz") {
            let text = String(decoding: try JSONLine.bytes(tree), as: UTF8.self)
            do throws(InvalidDocument) {
                _ = try configuration(text)
                Issue.record("`zzzzzz` was taken at \(path)")
            } catch {
                #expect(error.diagnostics.count == 1, "\(error)")
                named[path, default: []].formUnion(error.diagnostics[0].keysThereAre)
            }
        }
        #expect(named == Self.described.keys())
    }

    @Test("Every key says what it means")
    func summaries() {
        let members = Self.described.members
        #expect(members.count > 60)
        for member in members { #expect(!member.summary.isEmpty && !member.summary.contains("\n"), "\(member.name)") }
    }
}
