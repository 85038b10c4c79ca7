// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticFormats
internal import HapticPatterns
internal import HapticPlanning
internal import HapticText

/// Apple's files: each is refused with reasons, or is a pattern that can be played, written, and read again as the same.
public enum AhapFiles: FuzzTarget {
    public static let name = "ahap"

    public static func run(_ bytes: [UInt8]) {
        guard let read = importedFile(bytes, file: "x.ahap"), read.format == .ahap else { return }
        _ = PlayablePattern(read.pattern)
        checkRoundTrip(read.pattern)
    }

    private static func checkRoundTrip(_ pattern: Pattern) {
        // More curves than a file may have come of those that jump.
        guard let file = try? HapticFormats.PatternFiles.write(pattern, as: .ahap) else { return }
        require(file.losses.isEmpty, "nothing is lost of what came from there")
        guard file.text.utf8.count <= JSONDocument.Limit.bytes else { return }
        do throws(InvalidDocument) {
            let again = try HapticFormats.PatternFiles.read(Array(file.text.utf8), file: "x.ahap").pattern
            require(again.onlyEvents == pattern.onlyEvents, "what is written has the same events")
            // A look at each frame of a long one takes too long here.
            let frames = Timeline(pattern).frames
            for index in stride(from: 0, to: frames.count, by: frames.count / 100 + 1) where frames[index].level.isOn {
                require(again.level(at: frames[index].offset) == frames[index].level, "what is written is felt the same")
            }
        } catch {
            fatalError("does not hold: what is written can be read: \(error)")
        }
    }
}
