// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticPatterns
import HapticText
import HapticYAML
import Testing

/// Other people's files, Tests/fixtures/ahap; what each holds was counted by hand. Those in `flawed` are no JSON or no whole file.
@Suite struct AhapFixtureTests {
    private func read(_ name: String, sourceFile: String = #filePath) throws -> ReadPattern {
        let tests = sourceFile.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
        let bytes = try FileAccess.disk.read("\(tests)/fixtures/ahap/\(name)", YAML.Limit.bytes)
        return try PatternFiles.read(bytes, file: name)
    }

    private func events(_ pattern: Pattern) throws -> [HapticEvent] {
        try #require(pattern.tracks.count == 1)
        return try #require(pattern.onlyEvents)
    }

    private func transient(at milliseconds: Int64, _ intensity: Double, _ sharpness: Double) -> HapticEvent {
        HapticEvent(
            at: .milliseconds(milliseconds), kind: .transient, intensity: Intensity(clamping: intensity),
            sharpness: Sharpness(clamping: sharpness))
    }

    @Test("`valid_fields` has a tap and a curve of three points, whose times count from the curve's own, 24 ms")
    func fields() throws {
        let read = try read("valid_fields.ahap")
        #expect(read.notes.isEmpty)
        #expect(try events(read.pattern) == [transient(at: 0, 1, 0.6)])
        // 0.024 + 0, + 0.025, + 0.15 s
        let points: [ParameterCurve.Point] = [
            .init(at: .milliseconds(24), value: 1), .init(at: .milliseconds(49), value: 0.45),
            .init(at: .milliseconds(174), value: 0),
        ]
        #expect(read.pattern.parameterCurves == [ParameterCurve(parameter: .intensity, points: points)])
    }

    @Test("`invalid_fields` says `ParameterCurves` on line 24: it is left out and noted, and the tap is read")
    func invalidFields() throws {
        let read = try read("invalid_fields.ahap")
        #expect(
            read.notes.map(\.description) == [
                "invalid_fields.ahap:24:13: Pattern[1]: left out: unknown key `ParameterCurves`, did you mean `ParameterCurve`?"
            ])
        #expect(try events(read.pattern) == [transient(at: 0, 1, 0.6)])
        #expect(read.pattern.parameterCurves.isEmpty)
    }

    @Test("`trailing_commas` is read as if its three commas were not there, and each is noted")
    func trailingCommas() throws {
        let read = try read("flawed/trailing_commas.ahap")
        #expect(try events(read.pattern) == [transient(at: 0, 0.9, 0.4), transient(at: 180, 0.45, 0.4)])
        #expect(
            read.notes.map(\.description) == [
                "flawed/trailing_commas.ahap:5:101: left out: the comma at the end of the object, which JSON does not allow",
                "flawed/trailing_commas.ahap:10:72: left out: the comma at the end of the list, which JSON does not allow",
                "flawed/trailing_commas.ahap:15:14: left out: the comma at the end of the list, which JSON does not allow",
            ])
    }

    @Test("`event_alone` is refused with the two lines that make a file of it")
    func eventAlone() {
        let error = #expect(throws: InvalidDocument.self) { try read("flawed/event_alone.ahap") }
        #expect(
            error?.description
                == #"flawed/event_alone.ahap:1:1: this is an event without the `Pattern` around it; add the line `{ "Version": 1.0, "Pattern": [` before it and the line `] }` after it"#
        )
    }

    @Test("`ahap_from_valid_v1` counts the times of points from the start: 5 and 24 points, a vibration of 9.96 s and a tap")
    func absoluteTimes() throws {
        let read = try read("ahap_from_valid_v1.ahap")
        // The second curve, the first one of `Time` > 0.
        try #require(read.notes.count == 1)
        #expect(read.notes[0].path == "Pattern[1].ParameterCurve")
        let (intensity, sharpness) = (read.pattern.parameterCurves[0], read.pattern.parameterCurves[1])
        #expect(read.pattern.parameterCurves.count == 2)
        #expect((intensity.parameter, intensity.points.count) == (.intensity, 5))
        #expect(intensity.points.prefix(4).map(\.at) == [0, 100, 200, 300].map { .milliseconds($0) })
        #expect(intensity.points.last?.at == Nanoseconds(9_961_360_544))
        // 16 points from 10 ms on, and 9 from 150 ms on, of which the first is the last of those before.
        #expect((sharpness.parameter, sharpness.points.count) == (.sharpness, 24))
        #expect(sharpness.points.first == .init(at: .milliseconds(10), value: 0.9949874))
        #expect(sharpness.points.last == .init(at: .milliseconds(230), value: 0.94868326))
        let lasting = HapticEvent(
            at: .zero, kind: .continuous(duration: Nanoseconds(9_961_361_000), sustained: true), intensity: .one, sharpness: .zero
        )
        #expect(try events(read.pattern) == [lasting, transient(at: 200, 0.7745967, 0.7)])
        #expect(read.pattern.duration == Nanoseconds(9_961_361_000))
        // At 50 ms the intensity is half way between 0.447… and 0.547…, the sharpness 0.734….
        let level = read.pattern.level(at: .milliseconds(50))
        #expect(abs(level.intensity.value - 0.497468) < 1e-6)
        #expect(abs(level.sharpness.value - 0.73484695) < 1e-9)
    }
}
