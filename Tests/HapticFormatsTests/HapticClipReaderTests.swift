// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticPatterns
import HapticText
import TestSupport
import Testing

/// A file with these points.
private func clip(_ amplitude: String, _ more: String = "") -> String {
    #"{"version":{"major":1},\#n"signals":{"continuous":{"envelopes":{"amplitude":[\#(amplitude)]\#(more)}}}}"#
}

private let line = #"{"time":0,"amplitude":1},{"time":0.1,"amplitude":1}"#

@Suite struct HapticClipReaderTests {
    /// By hand: intensity is √amplitude, so 0.04, 0.25, 0.64 and 1 are 0.2, 0.5, 0.8 and 1. Sharpness is √frequency: 0.6 at 0 ms, 0.9
    /// at 300 ms and from then on, so 0.7 at 100 ms and 0.8 at 200 ms. At 300 ms the intensity is half-way from 0.5 down to 0. The
    /// step at 100 ms takes two keyframes, for the sharpness has risen on the way to it. The taps have 0.8 and 1, and their own sharpness.
    @Test("An envelope with a step, two emphases and a frequency envelope is read")
    func envelopeStep() throws {
        let read = try PatternFiles.read(fixture("haptic/knock.haptic"), file: nil)
        #expect(read.format == .haptic)
        #expect(read.pattern.summary == "two knocks over a hum")
        #expect(read.pattern.duration == .milliseconds(400))
        #expect(read.pattern.tracks.count == 2)
        let keyframes = keyframes(of: read.pattern.tracks.first)
        #expect(
            rounded(keyframes) == [
                [0, 0.2, 0.6], [99.999999, 0.2, 0.7], [100, 0.5, 0.7], [200, 0.5, 0.8], [300, 0.25, 0.9], [400, 0, 0.9],
            ])
        #expect(keyframes.map(\.curve) == [.linear, .linear, .step, .linear, .linear, .linear])
        #expect(rounded(events(of: read.pattern.tracks.last)) == [[0, 0.8, 0.7], [200, 1, 0.3]])
        #expect(read.notes.isEmpty)
    }

    @Test("Metadata may be anything: its description is read, and no note mentions the rest")
    func metadata() throws {
        for metadata in ["null", "{}", #"{"description":1,"tags":"a","rating":5}"#, #"{"description":"two","author":null}"#] {
            let text = clip(line).replacing("{\"version\"", with: "{\"metadata\":\(metadata),\"version\"")
            let read = try imported(text, file: "x.haptic")
            #expect(read.notes.isEmpty, "\(metadata)")
            #expect(read.pattern.summary == (metadata.contains("two") ? "two" : ""))
        }
    }

    /// By hand: √0.25 is 0.5. The last tap is at 80 ms and takes 8 ms.
    @Test("Silence with emphases becomes taps, whatever a later version adds")
    func silenceEmphases() throws {
        let read = try PatternFiles.read(fixture("haptic/taps.haptic"), file: "taps.haptic", expectedName: "taps")
        #expect(read.pattern.name == "taps")
        #expect(read.pattern.tracks.count == 1)
        #expect(rounded(events(of: read.pattern.tracks.first)) == [[0, 0.5, 1], [80, 1, 0]])
        #expect(read.pattern.duration == .milliseconds(88))
        #expect(
            read.notes.map { "\($0.path): \($0.message)" } == [
                "version: left out: unknown key `build`",
                "signals.continuous.envelopes.amplitude[1]: left out: unknown key `color`",
                "signals: left out: unknown key `rhythm`",
            ])
        #expect(read.notes.map(\.mark) == [(2, 52), (6, 87), (8, 8)].map { SourceMark(line: $0.0, column: $0.1) })
    }

    @Test("Silence that lasts longer than its taps stays")
    func silenceLasts() throws {
        let text = clip(#"{"time":0,"amplitude":0,"emphasis":{"amplitude":1,"frequency":1}},{"time":0.5,"amplitude":0}"#)
        let pattern = try imported(text, file: "x.haptic").pattern
        #expect(pattern.duration == .milliseconds(500))
        #expect(rounded(keyframes(of: pattern.tracks.first)) == [[0, 0, 0], [500, 0, 0]])
    }

    @Test("If several points share an instant, the first and the last are felt, and each emphasis")
    func severalPoints() throws {
        let points = [0.25, 0.81, 0.04].map { #"{"time":0.1,"amplitude":\#($0),"emphasis":{"amplitude":1,"frequency":\#($0)}}"# }
        let text = clip(#"{"time":0,"amplitude":0.25},"# + points.joined(separator: ",") + #",{"time":0.2,"amplitude":0.04}"#)
        let pattern = try imported(text, file: "x.haptic").pattern
        #expect(rounded(keyframes(of: pattern.tracks.first)) == [[0, 0.5, 0], [100, 0.2, 0], [200, 0.2, 0]])
        #expect(rounded(events(of: pattern.tracks.last)) == [[100, 1, 0.25], [100, 1, 0.81], [100, 1, 0.04]])
    }

    @Test("A long envelope becomes several tracks, each of which begins where the one before ends")
    func longEnvelope() throws {
        let points = (0..<2047).map { #"{"time":\#(Double($0) / 100),"amplitude":\#($0 % 2)}"# }.joined(separator: ",")
        let pattern = try imported(clip(points), file: "x.haptic").pattern
        let tracks = pattern.tracks.map { keyframes(of: $0) }
        // 1024, then 1024 of which the first is the last of those before: 2047.
        #expect(tracks.map(\.count) == [1024, 1024])
        #expect(tracks[0].last == tracks[1].first)
        #expect(pattern.level(at: .milliseconds(10_230)).intensity.value == 1)
        #expect(abs(pattern.level(at: .milliseconds(10_225)).intensity.value - 0.5) < 1e-9)
    }

    @Test("A mistake is refused with its place")
    func mistakes() {
        let differences = TextCases.differences(in: "mistakes/haptic") {
            diagnostics(of: $0, file: "x.haptic").map(\.description)
        }
        #expect(differences == [])
    }

    @Test("Too many points are refused for the size of the file")
    func millionPoints() {
        let text = clip(Array(repeating: #"{"time":0,"amplitude":1}"#, count: 50_000).joined(separator: ","))
        #expect(diagnostics(of: text, file: "x.haptic").first?.message.hasSuffix("at most 1048576 are read") == true)
    }

    @Test("A file is recognised by what it says, whatever it is called")
    func fileRecognised() throws {
        for name in ["x.yaml", "x.ahap", "x", "x.haptic"] {
            #expect(try PatternFiles.read(fixture("haptic/taps.haptic"), file: name).format == .haptic)
        }
    }

    @Test("A haptic clip may stand inline on the wire, and an error names its member")
    func hapticClip() throws {
        let clip = String(decoding: try fixture("haptic/knock.haptic"), as: UTF8.self)
        func pattern(_ clip: String) throws -> Pattern {
            try PatternReader.pattern(wire: JSONReader.node(Array(#"{"haptic":\#(clip)}"#.utf8)), path: "pattern")
        }
        #expect(try pattern(clip).tracks == PatternFiles.read(fixture("haptic/knock.haptic"), file: nil).pattern.tracks)
        let error = #expect(throws: InvalidDocument.self) {
            try pattern(clip.replacing(#""amplitude": 0.0 }"#, with: #""amplitude": 7 }"#))
        }
        #expect(error?.diagnostics.map(\.path) == ["pattern.haptic.signals.continuous.envelopes.amplitude[4].amplitude"])
    }
}
