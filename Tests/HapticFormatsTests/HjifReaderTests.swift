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
    @Test("Transients, curves and waves are read, and other perceptions are left out")
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

    @Test("A cubic curve is that of the reference software")
    func cubic() throws {
        let frames = #"{"amplitude_modulation":0.2},{"relative_position":100,"amplitude_modulation":1}"#
        let text = file(band(effect(frames), #""Curve","curve_type":"Cubic""#))
        let pattern = try imported(text, file: "x.hjif").pattern
        for at in [0.0, 10, 37, 50, 99] {
            // Effect::EvaluateKeyframes: f0 + (f1 − f0)(3h + 2(t0 − t))(t − t0)²/h³.
            let expected = 0.2 + 0.8 * (300 - 2 * at) * at * at / 1e6
            #expect(abs(pattern.level(at: .microseconds(Int64(at * 1000))).intensity.value - expected) < 1e-9)
        }
    }

    /// By hand: the amplitude is 0.5 up to 20 ms and falls to 0 from there to 40 ms, so it is 0.25 at 30 ms. The frequency is 65 Hz up to
    /// 10 ms and 300 Hz from 30 ms on, so half-way at 20 ms.
    @Test("Amplitude and frequency may have keyframes of their own, and their ends hold")
    func ownKeyframes() throws {
        let frames = """
            {"relative_position":10,"frequency_modulation":65},{"relative_position":20,"amplitude_modulation":0.5},
            {"relative_position":30,"frequency_modulation":300},{"relative_position":40,"amplitude_modulation":0},{"relative_position":50}
            """
        let pattern = try imported(file(band(effect(frames))), file: "x.hjif").pattern
        #expect(
            rounded(keyframes(of: pattern.tracks.first))
                == [[0, 0.5, 0], [10, 0.5, 0], [20, 0.5, 0.5], [30, 0.25, 1], [40, 0, 1], [50, 0, 1]])
    }

    @Test("Effects that overlap play in tracks of their own; a mixing coefficient counts, also under its former name")
    func overlapping() throws {
        let bands = band([0, 5, 10].map { effect(level, at: "\($0)") }.joined(separator: ","))
        for name in ["mixing_coefficient", "mixing_weight"] {
            let text = file(bands).replacing(#""gain":1"#, with: #""gain":1,"\#(name)":0.25"#)
            let tracks = try imported(text, file: "x.hjif").pattern.tracks.map { rounded(keyframes(of: $0)) }
            #expect(tracks.map { $0.map { $0[0] } } == [[0, 10, 20], [5, 15]])
            #expect(tracks.allSatisfy { $0[0][1] == 0.25 })
        }
    }

    @Test("Every change that the import makes is noted once, and a key that is not read where the format has it")
    func notes() throws {
        let frame = #"{"amplitude_modulation":1,"frequency_modulation":20}"#
        let last = frame.replacing("{", with: #"{"relative_position":9,"#)
        let changed = file(band(effect("\(frame),\(last)") + "," + effect(#"{"amplitude_modulation":1}"#)))
        #expect(
            try imported(changed.replacing(#""gain":1"#, with: #""gain":2"#), file: "x.hjif").notes.map(\.message).sorted() == [
                "an amplitude times its gain is above 1 and taken as 1", "an effect of no length is left out",
                "frequencies below 65 Hz are taken as 65 Hz, and above 300 Hz as 300 Hz",
            ])
        let some = effect(level).replacing(#""position""#, with: #""phase":0.5,"delay":7,"speed":2,"position""#)
        let unread = file(band(some + "," + some.replacing(#":0,"key"#, with: #":10,"key"#)))
            .replacing(#"{"timescale""#, with: #"{"level":99,"date":"","avatars":[],"priority":3,"tempo":1,"timescale""#)
            .replacing(#""gain":1"#, with: #""gain":1,"body_part_mask":0"#)
        #expect(
            try imported(unread, file: "x.hjif").notes.map(\.message) == [
                "left out: `priority`; a pattern has no place for it", "left out: unknown key `tempo`",
                "left out: `phase`; a pattern has no place for it", "left out: `delay`; a pattern has no place for it",
                "left out: unknown key `speed`", "left out: unknown key `speed`",
            ])
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
