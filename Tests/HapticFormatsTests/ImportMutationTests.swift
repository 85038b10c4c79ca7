// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticJSON
import HapticPatterns
import TestSupport
import Testing

/// What the fuzz targets do for longer, with what they found or could find.
@Suite struct ImportMutationTests {
    private static let files = ["haptic/knock.haptic", "haptic/taps.haptic", "hjif/double-tick.hjif", "hjif/everything.hjif"]
    private static let pieces = ["-", "0", "9", "1e9", "null", "[]", "{}", "\"\"", ",", "}", "true", "0.1", "\"id\":1,"]

    @Test("Whatever a file is changed to, it is refused for a reason or is a pattern", arguments: files) func fileChanged(
        _ path: String
    )
        throws
    {
        let original = try fixture(path)
        var random = SplitMix64(seed: UInt64(path.utf8.count))
        var (read, refused) = (0, 0)
        for _ in 0..<200 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0...3, using: &random))
                // trap: there are pieces.
                bytes.replaceSubrange(start..<end, with: Array(Self.pieces.randomElement(using: &random)!.utf8))
            }
            do throws(InvalidDocument) {
                let pattern = try PatternFiles.read(bytes, file: path).pattern
                #expect(pattern.duration > .zero)
                read += 1
            } catch {
                #expect(!error.diagnostics.isEmpty)
                #expect(error.diagnostics.allSatisfy { !$0.message.isEmpty })
                refused += 1
            }
        }
        #expect(read > 0)
        #expect(refused > 0)
    }

    @Test("A file is recognised by what it says, whatever it is called")
    func fileRecognised() throws {
        for name in ["x.yaml", "x.ahap", "x", "x.haptic", "x.hjif"] {
            #expect(try PatternFiles.read(fixture("haptic/taps.haptic"), file: name).format == .haptic)
            #expect(try PatternFiles.read(fixture("hjif/double-tick.hjif"), file: name).format == .hjif)
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
