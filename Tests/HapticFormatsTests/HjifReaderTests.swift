// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticJSON
import HapticPatterns
import TestSupport
import Testing

private func file(_ bands: String, library: String = "", timescale: String = "1000") -> String {
    """
    {"timescale":\(timescale),"perceptions":[{"perception_modality":"Vibrotactile","effect_library":[\(library)],
    "channels":[{"gain":1,"bands":[\(bands)]}]}]}
    """
}

private func band(_ effects: String, _ type: String = #""VectorialWave""#) -> String {
    #"{"band_type":\#(type),"effects":[\#(effects)]}"#
}

private func effect(_ keyframes: String, at position: String = "0") -> String {
    #"{"effect_type":"Basis","position":\#(position),"keyframes":[\#(keyframes)]}"#
}

private let level = #"{"relative_position":0,"amplitude_modulation":1},{"relative_position":10,"amplitude_modulation":1}"#

@Suite struct HjifReaderTests {
    /// By hand: at 1000 ticks a second a tick is 1 ms. 159 Hz is (159 − 65)/235 = 0.4 of the sharpness. The effect lasts 24 ms, and is
    /// referred to at 0 and 400 ms.
    @Test("References play an effect of the library at their positions")
    func referencesPlay() throws {
        let read = try PatternFiles.read(fixture("hjif/double-tick.hjif"), file: nil)
        #expect(read.format == .hjif)
        #expect(
            read.notes.map { "\($0.path): \($0.message)" } == [
                ": left out: `syncs`; a pattern has no place for it",
                "perceptions[0].channels[0]: left out: `body_part_mask`; a pattern has no place for it",
            ])
        #expect(read.pattern.summary == "two ticks of one effect")
        #expect(read.pattern.tracks.count == 1)
        let keyframes = keyframes(of: read.pattern.tracks.first)
        #expect(rounded(keyframes) == [[0, 0.8, 0.4], [24, 0, 0.4], [400, 0.8, 0.4], [424, 0.8, 0.4]])
        #expect(keyframes.map(\.curve) == [.linear, .step, .step, .linear])
    }

    /// By hand, at 8000 ticks a second and a gain of 0.5: taps at 100 ms (amplitude −1: 0.5; 300 Hz: sharpness 1) and at 300 ms (0.4:
    /// 0.2; no frequency: the band's middle of 182.5 Hz, 0.5). A cubic curve up to 0.5 at 500 ms and a linear one down to 0 at 1 s follow
    /// each other in one track; their band's middle is 65 Hz, 0. The wave, at the same time, has a track of its own: 0.3 for 200 ms,
    /// from 65 Hz to 300 Hz.
    @Test("Transients, curves and waves are read, and what is no vibration is left out")
    func transientsCurves() throws {
        let read = try PatternFiles.read(fixture("hjif/everything.hjif"), file: nil)
        let tracks = read.pattern.tracks
        #expect(tracks.count == 3)
        #expect(rounded(keyframes(of: tracks[0])) == [[0, 0, 0], [500, 0.5, 0], [1000, 0, 0]])
        #expect(keyframes(of: tracks[0]).map(\.curve) == [.easeInOut, .easeInOut, .linear])
        #expect(rounded(keyframes(of: tracks[1])) == [[0, 0.3, 0], [200, 0.3, 1]])
        #expect(rounded(events(of: tracks[2])) == [[100, 0.5, 1], [300, 0.2, 0.5]])
        #expect(
            read.notes.map(\.message) == [
                "left out: a perception that is no vibration but `Temperature`",
                "the waveform of a wave is left out: a motor has its own",
            ])
        #expect(read.notes.map(\.mark) == [SourceMark(line: 5, column: 5), SourceMark(line: 49, column: 25)])
    }

    @Test("A mistake is refused with its place")
    func mistakes() {
        let differences = TextCases.differences(in: "mistakes/hjif") { diagnostics(of: $0, file: "x.hjif").map(\.description) }
        #expect(differences == [])
    }

    @Test("References cannot make more of a file than a pattern holds")
    func referencesCannot() {
        let frames = (0..<2000).map { #"{"relative_position":\#($0),"amplitude_modulation":1}"# }.joined(separator: ",")
        let library = effect(frames).replacing(#""Basis""#, with: #""Basis","id":1"#)
        let references = Array(repeating: #"{"effect_type":"Reference","position":0,"id":1}"#, count: 5000).joined(separator: ",")
        let found = diagnostics(of: file(band(references), library: library), file: "x.hjif")
        #expect(found.map(\.message) == ["with this effect there are more than 16384 keyframes; leave some out"])
    }

    @Test("On the wire a file is the same pattern, and its references make no more of a line than 4096 keyframes")
    func onWire() throws {
        func wire(_ text: String) throws -> Node { try JSONReader.node(Array(#"{"hjif":\#(text)}"#.utf8)) }
        let bytes = try fixture("hjif/everything.hjif")
        let read = try PatternReader.pattern(wire: wire(String(decoding: bytes, as: UTF8.self)), path: "pattern")
        #expect(read.tracks == (try PatternFiles.read(bytes, file: nil).pattern.tracks))
        let frames = (0..<100).map { #"{"relative_position":\#($0),"amplitude_modulation":1}"# }.joined(separator: ",")
        let library = effect(frames).replacing(#""Basis""#, with: #""Basis","id":1"#)
        func error(references: Int) throws -> InvalidDocument? {
            let all = (0..<references).map { #"{"effect_type":"Reference","position":\#($0 * 100),"id":1}"# }
            let text = file(band(all.joined(separator: ","), #""Transient""#), library: library)
            let node = try wire(text)
            do throws(InvalidDocument) {
                _ = try PatternReader.pattern(wire: node, path: "pattern")
                return nil
            } catch {
                return error
            }
        }
        #expect(try error(references: 40) == nil)
        let refused = try #require(try error(references: 41)?.diagnostics.first)
        #expect(refused.path == "pattern.hjif.perceptions[0].channels[0].bands[0].effects[40]")
        #expect(refused.message == "with this effect there are more than 4096 keyframes; leave some out")
    }
}
