// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticPatterns
import HapticText
import TestSupport
import Testing

private func file(_ entries: String) -> [UInt8] { Array(#"{"Version": 1.0, "Pattern": [\#(entries)]}"#.utf8) }

private func diagnostics(_ bytes: [UInt8]) -> [String] {
    do throws(InvalidDocument) {
        _ = try PatternFiles.read(bytes, file: "x.ahap")
        return []
    } catch {
        return error.diagnostics.map(\.description)
    }
}

@Suite struct AhapReaderTests {
    private static let tap = #"{"Event": {"EventType": "HapticTransient"}}"#

    @Test("Members that are left out have their defaults: time 0, full intensity, middling sharpness, sustained, no envelope")
    func defaults() throws {
        let lasting = #"{"Event": {"EventType": "HapticContinuous", "EventDuration": 0.5}}"#
        let read = try PatternFiles.read(file("\(Self.tap), \(lasting)"), file: nil)
        #expect(read.pattern.name == "inline")
        let half = Sharpness(clamping: 0.5)
        #expect(
            read.pattern.onlyEvents == [
                HapticEvent(at: .zero, kind: .transient, intensity: .one, sharpness: half),
                HapticEvent(
                    at: .zero, kind: .continuous(duration: .milliseconds(500), sustained: true), intensity: .one, sharpness: half),
            ])
    }

    @Test("An envelope's times are shares of a second")
    func envelope() throws {
        let read = try PatternFiles.read(
            file(
                """
                {"Event": {"EventType": "HapticContinuous", "Time": 0.1, "EventDuration": 1.5, "EventParameters": [
                  {"ParameterID": "AttackTime", "ParameterValue": 0.25}, {"ParameterID": "DecayTime", "ParameterValue": 1},
                  {"ParameterID": "ReleaseTime", "ParameterValue": 0.5}, {"ParameterID": "Sustained", "ParameterValue": 0}]}}
                """), file: "x.ahap")
        let event = try #require(read.pattern.onlyEvents?.first)
        #expect((event.attack, event.decay, event.release) == (.milliseconds(250), .seconds(1), .milliseconds(500)))
        #expect(event.kind == .continuous(duration: .milliseconds(1500), sustained: false))
    }

    @Test("A transient has no envelope, whatever its file says of one")
    func envelopeOfATransient() throws {
        let parameters = ["AttackTime", "DecayTime", "ReleaseTime"].map { #"{"ParameterID": "\#($0)", "ParameterValue": 0.2}"# }
        let event = #"{"Event": {"EventType": "HapticTransient", "EventParameters": [\#(parameters.joined(separator: ","))]}}"#
        let plain = try PatternFiles.read(file(Self.tap), file: "x.ahap")
        #expect(try PatternFiles.read(file(event), file: "x.ahap").pattern == plain.pattern)
    }

    @Test("A parameter is a step: neutral before its time, its value from then on")
    func parameter() throws {
        let read = try PatternFiles.read(
            file(
                """
                {"Event": {"EventType": "HapticContinuous", "EventDuration": 1}},
                {"Parameter": {"ParameterID": "HapticIntensityControl", "Time": 0.4, "ParameterValue": 0.3}},
                {"Parameter": {"ParameterID": "HapticIntensityControl", "Time": 0.6, "ParameterValue": 0.9}}
                """), file: "x.ahap")
        func level(_ at: Int64) -> Double { read.pattern.level(at: Nanoseconds(at)).intensity.value }
        #expect((level(399_999_999), level(400_000_000)) == (1, 0.3))
        #expect((level(599_999_999), level(600_000_000)) == (0.3, 0.9))
        #expect(level(999_999_999) == 0.9)
    }

    @Test("Two points of one time are a jump")
    func jump() throws {
        let read = try PatternFiles.read(
            file(
                """
                {"Event": {"EventType": "HapticContinuous", "EventDuration": 1}},
                {"ParameterCurve": {"ParameterID": "HapticIntensityControl", "ParameterCurveControlPoints": [
                  {"Time": 0, "ParameterValue": 1}, {"Time": 0.5, "ParameterValue": 0.5},
                  {"Time": 0.5, "ParameterValue": 0.1}, {"Time": 1, "ParameterValue": 0.2}]}}
                """), file: "x.ahap")
        func level(_ at: Int64) -> Double { read.pattern.level(at: Nanoseconds(at)).intensity.value }
        #expect(abs(level(499_999_999) - 0.5) < 1e-6)
        #expect(level(500_000_000) == 0.1)
        #expect(abs(level(750_000_000) - 0.15) < 1e-9)
    }

    @Test("A curve with a point before its own time shows that points count from there, whatever another one looks like")
    func contraryTimes() throws {
        func curve(_ at: Double, _ first: Double) -> String {
            """
            {"ParameterCurve": {"ParameterID": "HapticIntensityControl", "Time": \(at), "ParameterCurveControlPoints": [
            {"Time": \(first), "ParameterValue": 1}]}}
            """
        }
        // By hand: 0.1 + 0.2 s and 0.5 + 0 s; from the start the second one would begin before its own time.
        let both = try PatternFiles.read(file([Self.tap, curve(0.1, 0.2), curve(0.5, 0)].joined(separator: ",")), file: nil)
        #expect(both.pattern.parameterCurves.map(\.points[0].at) == [.milliseconds(300), .milliseconds(500)])
        #expect(
            both.notes.map(\.message) == [
                "the times of the points of this curve are taken from its own time, as those of Pattern[2].ParameterCurve can only be; so it begins 200ms after that"
            ])
        let one = try PatternFiles.read(file([Self.tap, curve(0.1, 0.2), curve(0.5, 0.4995)].joined(separator: ",")), file: nil)
        #expect(one.pattern.parameterCurves.map(\.points[0].at) == [.milliseconds(200), Nanoseconds(499_500_000)])
    }

    @Test("Sounds, unknown keys and parameters are left out, values out of range are cut, and each is noted")
    func notes() throws {
        let read = try PatternFiles.read(
            file(
                """
                \(Self.tap),
                {"Event": {"EventType": "AudioCustom", "EventWaveformPath": "boom.wav"}},
                {"Event": {"EventType": "HapticContinuous", "EventDuration": 31, "Colour": 1, "EventParameters": [
                  {"ParameterID": "HapticIntensity", "ParameterValue": 1.5}, {"ParameterID": "AudioVolume", "ParameterValue": 1},
                  {"ParameterID": "HapticSharpnes", "ParameterValue": 1}]}},
                {"Parameter": {"ParameterID": "HapticSharpnessControl", "ParameterValue": -2}}
                """), file: "x.ahap")
        #expect(
            read.notes.map(\.description) == [
                "x.ahap:2:11: Pattern[1].Event: left out: the sound of `boom.wav`, an event of the type `AudioCustom`; no sounds are played",
                "x.ahap:3:62: Pattern[2].Event.EventDuration: 31 is out of range and taken as 30; 0 to 30 is allowed",
                "x.ahap:3:66: Pattern[2].Event: left out: unknown key `Colour`",
                "x.ahap:4:56: Pattern[2].Event.EventParameters[0].ParameterValue: 1.5 is out of range and taken as 1; 0 to 1 is allowed",
                "x.ahap:4:78: Pattern[2].Event.EventParameters[1].ParameterID: left out: `AudioVolume` shapes a sound; no sounds are played",
                "x.ahap:5:19: Pattern[2].Event.EventParameters[2].ParameterID: left out: unknown parameter `HapticSharpnes`, did you mean `HapticSharpness`?",
                "x.ahap:6:75: Pattern[3].Parameter.ParameterValue: -2 is out of range and taken as -1; -1 to 1 is allowed",
            ])
        #expect(read.pattern.onlyEvents?.map(\.intensity) == [.one, .one])
        #expect(read.pattern.duration == .seconds(30))
    }

    @Test("A mistake is reported with its line and column")
    func mistakes() {
        #expect(TextCases.differences(in: "mistakes/ahap") { diagnostics(Array($0.utf8)) } == [])
    }

    @Test("A file with nothing to be felt says which event lasts no time, or what was left out", arguments: ["0", "-1"])
    func unfelt(duration: String) throws {
        func error(_ bytes: [UInt8]) -> InvalidDocument? {
            #expect(throws: InvalidDocument.self) { try PatternFiles.read(bytes, file: "x.ahap") }
        }
        let empty = error(file("\n{\"Event\": {\"EventType\": \"HapticContinuous\", \"EventDuration\": \(duration)}}"))
        #expect(
            empty?.diagnostics.map(\.description) == [
                "x.ahap:2:62: Pattern[0].Event.EventDuration: no event in it lasts, so there is nothing to feel; make this one longer than 0 s, or a `HapticTransient`, which has no duration"
            ])
        #expect(empty?.notes.count == (duration == "0" ? 0 : 1))
        let sound = error(file(#"{"Event": {"EventType": "AudioCustom", "EventWaveformPath": "boom.wav"}}"#))
        #expect(sound?.diagnostics.first?.message.hasPrefix("there is no haptic event in it") == true)
        #expect(sound?.notes.first?.message.contains("left out: the sound of `boom.wav`") == true)
    }

    @Test("A file that is too large, too deep or too full is refused with the limit")
    func limits() {
        let large = file(Array(repeating: Self.tap, count: 30_000).joined(separator: ","))
        #expect(diagnostics(large) == ["x.ahap: the file has \(large.count) bytes; at most 1048576 are read"])
        let deep = Array((#"{"Pattern": "# + String(repeating: "[", count: 100_000)).utf8)
        #expect(diagnostics(deep) == ["x.ahap:1:77: not JSON: it is nested deeper than 64 levels"])
        let many = file(Array(repeating: Self.tap, count: 16_385).joined(separator: ","))
        #expect(diagnostics(many) == ["x.ahap:1:1: 16385 haptic events; a pattern has at most 16384"])
        let points = Array(repeating: #"{"Time":0,"ParameterValue":1}"#, count: 1025).joined(separator: ",")
        let curve = #"{"ParameterCurve": {"ParameterID": "HapticIntensityControl", "ParameterCurveControlPoints": [\#(points)]}}"#
        #expect(
            diagnostics(file("\(Self.tap), \(curve)")) == [
                "x.ahap:1:167: Pattern[1].ParameterCurve.ParameterCurveControlPoints: 1025 entries; 1 to 1024 are allowed"
            ])
    }

    @Test("On the wire `{\"ahap\": …}` is a pattern like any other, and the first mistake in it has its path")
    func wire() throws {
        let node = try JSONReader.node(Array(#"{"ahap": {"Pattern": [\#(Self.tap)]}}"#.utf8))
        let pattern = try PatternReader.pattern(wire: node, path: "pattern")
        #expect((pattern.name, pattern.onlyEvents?.count) == ("inline", 1))
        let wrong = try JSONReader.node(Array(#"{"ahap": {"Pattern": [1, 2]}}"#.utf8))
        let error = #expect(throws: InvalidDocument.self) { try PatternReader.pattern(wire: wrong, path: "pattern") }
        #expect(error?.diagnostics.first?.path == "pattern.ahap.Pattern[0]")
        for other in [#""tracks": []"#, #""haptic": {}"#] {
            let both = try JSONReader.node(Array(#"{"ahap": {"Pattern": [\#(Self.tap)]}, \#(other)}"#.utf8))
            let error = #expect(throws: InvalidDocument.self) { try PatternReader.pattern(wire: both, path: "pattern") }
            #expect(error?.description.contains("; a pattern of another format stands alone") == true)
            #expect(error?.description.contains("has `ahap` and `\(other.split(separator: "\"")[0])`") == true)
        }
    }

    @Test(
        "The format is what the text says, then what the file's name says",
        arguments: [
            (#"{"Pattern": []}"#, "x.yaml", PatternFormat.ahap), (#"{"Metadata": {"tracks": 1}, "Pattern""#, "x", .yaml),
            (#"{"signals" : {}"#, "x.ahap", .haptic),
            (#"{"tracks": []}"#, "x.ahap", .yaml), (#"{"pulses": []}"#, "x.ahap", .yaml),
            ("version: 1\ntracks: []", "x.ahap", .yaml), ("", "x.AHAP", .ahap),
            ("\u{feff} {", "a.b/x.haptic", .haptic), ("{", "x.hjif", .yaml), ("{", "ahap", .yaml), ("", ".ahap", .yaml),
            (#"{"Event": {}}"#, "x.json", .ahap), (#"{"ParameterCurve": {}}"#, "x", .ahap),
            (#"{"a\"": "Pattern", "b": {"Pattern": 1}}"#, "x.yml", .yaml), ("\"", "x", .yaml),
        ] as [(String, String, PatternFormat)])
    func formats(text: String, file: String, format: PatternFormat) {
        #expect(PatternFormat.of(Array(text.utf8), file: file) == format)
    }

    /// The longest name of a pattern has 128 bytes; `é` has two, and is not broken.
    @Test("A pattern of a long file name is called by its beginning, which is noted")
    func longNames() throws {
        let (long, cut) = (String(repeating: "x", count: 127) + "é", String(repeating: "x", count: 127))
        let read = try PatternFiles.read(file(Self.tap), file: "/a/\(long).ahap")
        #expect(read.pattern.name == cut)
        #expect(
            read.notes.map(\.message) == ["the file's name is too long for a pattern, which is called by its first 127 bytes"])
        let exact = try PatternFiles.read(file(Self.tap), file: "/a/\(cut)x.ahap")
        #expect(exact.pattern.name == "\(cut)x")
        #expect(exact.notes.isEmpty)
    }

    @Test("A comma at the end of a list or an object is left out with one note each; the next mistake still has its place")
    func commas() throws {
        let read = try PatternFiles.read(
            file("\(Self.tap),\n {\"Event\": {\"EventType\": \"HapticTransient\" ,\n}, },"), file: "x.ahap")
        #expect(read.pattern.onlyEvents?.count == 2)
        #expect(
            read.notes.map(\.description) == [
                "x.ahap:2:44: left out: the comma at the end of the object, which JSON does not allow",
                "x.ahap:3:2: left out: the comma at the end of the object, which JSON does not allow",
                "x.ahap:3:5: left out: the comma at the end of the list, which JSON does not allow",
            ])
        for wrong in ["[,]", "{,}", "[1,,]", "[1,,2]"] {
            #expect(diagnostics(Array(#"{"Pattern": \#(wrong)}"#.utf8)).first?.contains("not JSON: ") == true)
        }
    }

    @Test("A comma at the end is an error in files of other formats")
    func commasElsewhere() {
        let error = #expect(throws: InvalidDocument.self) { try PatternFiles.read(Array("[1,]".utf8), file: "x.haptic") }
        #expect(error?.diagnostics.map(\.description) == ["x.haptic:1:4: not JSON: a value was expected here"])
    }

    @Test("A pattern has the name of its file if that is usable")
    func names() throws {
        #expect(try PatternFiles.read(file(Self.tap), file: "/a.b/heart beat.v2.ahap").pattern.name == "heart beat.v2")
        #expect(try PatternFiles.read(file(Self.tap), file: "/a.b/knock").pattern.name == "knock")
        let error = #expect(throws: InvalidDocument.self) { try PatternFiles.read(file(Self.tap), file: "a\tb.ahap") }
        #expect(error?.description.contains("the pattern would be called") == true)
    }
}
