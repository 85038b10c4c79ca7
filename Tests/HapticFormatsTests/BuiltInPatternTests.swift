// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticPatterns
import TestSupport
import Testing

@Suite struct BuiltInPatternTests {
    static let contractNames = [
        "alarm", "alignment", "confirm", "decrease", "dragStart", "error", "frequentTick", "gestureEnd", "gestureStart",
        "glowError", "glowSuccess", "glowWarning", "heavy", "increase", "levelChange", "light", "longPress", "medium",
        "pathComplete", "press", "reject", "release", "rigid", "ring",
        "selection", "soft", "start", "stop", "success", "thresholdActivate", "thresholdDeactivate", "tick", "toggleOff",
        "toggleOn", "warning",
    ]

    private func named(_ name: String) throws -> Pattern { try #require(BuiltInPatterns.all.first { $0.name == name }) }

    @Test("Every pattern of the contract is built in, sorted by name")
    func all() {
        #expect(BuiltInPatterns.all.map(\.name) == Self.contractNames)
    }

    @Test("Each pattern can be sent inline many times in a line")
    func cost() {
        for pattern in BuiltInPatterns.all { #expect(pattern.renderingCost < WorkBudget.line / 100, "\(pattern.name)") }
    }

    @Test("Each pattern has a summary of one sentence")
    func summaries() {
        for pattern in BuiltInPatterns.all {
            #expect(pattern.summary.hasSuffix("."), "\(pattern.name)")
            #expect((20...120).contains(pattern.summary.utf8.count), "\(pattern.name)")
        }
    }

    @Test("No two patterns are felt alike")
    func distinct() {
        var names: [Timeline: String] = [:]
        for pattern in BuiltInPatterns.all {
            let other = names.updateValue(pattern.name, forKey: Timeline(pattern))
            #expect(other == nil, "\(pattern.name) is felt like \(other ?? "")")
        }
    }

    @Test(
        "A single impact is one short rectangle",
        arguments: [
            ("soft", 8), ("tick", 8), ("frequentTick", 8), ("light", 20), ("medium", 20), ("heavy", 20), ("rigid", 20),
            ("selection", 20), ("levelChange", 20), ("alignment", 20), ("press", 20), ("release", 20),
        ])
    func impacts(name: String, longestMilliseconds: Int64) throws {
        let timeline = Timeline(try named(name))
        #expect(timeline.frames.count == 2)
        #expect(timeline.frames.first?.offset == .zero)
        #expect(timeline.felt <= .milliseconds(longestMilliseconds))
        #expect(timeline.duration == timeline.felt)
    }

    @Test("A motor that is only on or off leaves out nothing but the frequent tick")
    func onOff() {
        let faint = BuiltInPatterns.all.filter { Timeline($0).peak.value < ActuatorCapabilities.onOffThreshold }
        #expect(faint.map(\.name) == ["frequentTick"])
    }

    @Test("Only a call and an alarm are felt for more than half a second")
    func long() {
        let long = BuiltInPatterns.all.filter { $0.duration > .milliseconds(500) && !$0.isForLights }
        #expect(long.map(\.name) == ["alarm", "ring"])
        #expect(BuiltInPatterns.all.filter(\.isCall).map(\.name) == ["alarm", "ring"])
    }

    @Test("Lint has no findings, neither in a pattern nor between two")
    func lintFinds() {
        for pattern in BuiltInPatterns.all { #expect(PatternLint.findings(pattern).isEmpty, "\(pattern.name)") }
        #expect(PatternLint.sharpnessAlone(among: BuiltInPatterns.all).isEmpty)
    }

    @Test("Only success, warning and error have a meaning")
    func meanings() {
        for pattern in BuiltInPatterns.all { #expect(pattern.meaning == Meaning(rawValue: pattern.name), "\(pattern.name)") }
    }

    @Test(
        "A light shows success, warning and error by one, two and three flashes, none within a third of a second of the one before",
        arguments: [("glowSuccess", 1), ("glowWarning", 2), ("glowError", 3)])
    func lights(name: String, count: Int) throws {
        let flashes = Timeline(try named(name)).flashes
        #expect(flashes.count == count)
        #expect(zip(flashes, flashes.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(334) })
        #expect(BuiltInPatterns.all.filter(\.isForLights).map(\.name) == ["glowError", "glowSuccess", "glowWarning"])
    }
}
