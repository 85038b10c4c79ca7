// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticPatterns
import Testing

/// What other formats do not know of a pattern becomes what they do.
struct PlainPatternTests {
    private func tap(_ intensity: Double, at: Nanoseconds = .zero) -> HapticEvent {
        HapticEvent(at: at, kind: .transient, intensity: Intensity(clamping: intensity), sharpness: Sharpness(clamping: 0.5))
    }

    @Test("What is composed is felt the same from a file that has no parts", arguments: [PatternFormat.ahap, .haptic])
    func composedFelt(_ format: PatternFormat) throws {
        let swell = [
            Keyframe(at: .zero, intensity: .zero, sharpness: .zero),
            Keyframe(at: .milliseconds(100), intensity: .one, sharpness: .one),
        ]
        let used = try Pattern(name: "used", tracks: [.keyframes(swell, gain: Intensity(clamping: 0.6))])
        let pattern = try Pattern(
            name: "composed",
            parts: [
                .init(used),
                .init(
                    used, .gap(.milliseconds(50)), intensity: Intensity(clamping: 0.5), repetitions: 2,
                    interval: .milliseconds(150)),
            ])
        let file = try PatternFiles.write(pattern, as: format)
        #expect(file.losses.contains { $0.hasPrefix("What it is composed of becomes one curve") })
        let read = try PatternFiles.read(Array(file.text.utf8), file: "composed.\(format.rawValue)").pattern
        // On the grid of frames, beside the jumps.
        for offset in stride(from: Int64(2), to: 400, by: 5).map(Nanoseconds.milliseconds) {
            let (wanted, found) = (pattern.level(at: offset), read.level(at: offset))
            #expect(abs(wanted.intensity.value - found.intensity.value) < 0.01, "at \(offset)")
        }
    }

    @Test("A gain is worked into what it shapes, and nothing is lost")
    func gainWorked() throws {
        let pattern = try Pattern(
            name: "weak", tracks: [.events([tap(0.8), tap(1, at: .milliseconds(50))], gain: Intensity(clamping: 0.5))])
        let file = try PatternFiles.write(pattern, as: .ahap)
        #expect(file.losses.isEmpty)
        let read = try PatternFiles.read(Array(file.text.utf8), file: "weak.ahap").pattern
        #expect(Timeline(read) == Timeline(pattern))
    }

    /// By hand: a keyframe is 9 keys and values, so 16384 of them are more than a file may have.
    @Test("What would be refused as a file is not written")
    func wouldRefused() throws {
        func pattern(_ value: Double) throws -> Pattern {
            let keyframes = (0..<1024).map {
                Keyframe(
                    at: .milliseconds(Int64($0)), intensity: Intensity(clamping: Double($0 % 2) * value),
                    sharpness: Sharpness(clamping: value))
            }
            return try Pattern(name: "large", tracks: Array(repeating: .keyframes(keyframes), count: 16))
        }
        let short = #expect(throws: UnwritablePattern.self) { try PatternFiles.write(pattern(0.5), as: .yaml) }
        #expect(short?.description.contains("more than 100000 keys and values") == true)
        let long = #expect(throws: UnwritablePattern.self) { try PatternFiles.write(pattern(0.123456789), as: .yaml) }
        #expect(long?.description.contains("bytes; at most 1048576 are read; write another format, or split") == true)
    }
}
