// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticFormats
internal import HapticPatterns
internal import HapticText

/// Lofelt's files: each is refused with reasons, or is a pattern that can be played, written, and read again.
public enum HapticClips: FuzzTarget {
    public static let name = "haptic"

    public static func run(_ bytes: [UInt8]) {
        guard let pattern = imported(bytes, file: "x.haptic"), let again = throughClip(pattern) else { return }
        require(again.duration == pattern.duration, "what is written lasts as long")
        require(taps(again) == taps(pattern), "what is written has a tap whenever there was one")
    }

    private static func taps(_ pattern: Pattern) -> Set<Nanoseconds> {
        Set(pattern.tracks.flatMap { if case .events(let events) = $0.content { events.map(\.at) } else { [Nanoseconds]() } })
    }
}

/// Nil where it is refused.
private func imported(_ bytes: [UInt8], file: String) -> Pattern? {
    guard let pattern = importedFile(bytes, file: file)?.pattern else { return nil }
    _ = Timeline(pattern)
    require(
        (try? PatternReader.pattern(yaml: Array(PatternWriter.yaml(pattern).utf8))) == pattern, "it can be written as our own"
    )
    return pattern
}

/// Nil where it is refused.
func importedFile(_ bytes: [UInt8], file: String) -> ReadPattern? {
    let read = accepted { () throws(InvalidDocument) in try HapticFormats.PatternFiles.read(bytes, file: file) }
    guard let read else { return nil }
    for note in read.notes { checkShown(note.description) }
    require(read.pattern.duration > .zero && read.pattern.duration <= Pattern.Limit.duration, "it ends")
    return read
}

/// The pattern written as `.haptic` and read again; nil where it is too much for that.
private func throughClip(_ pattern: Pattern) -> Pattern? {
    guard let file = try? HapticFormats.PatternFiles.write(pattern, as: .haptic) else { return nil }
    do throws(InvalidDocument) {
        return try HapticFormats.PatternFiles.read(Array(file.text.utf8), file: "x.haptic").pattern
    } catch {
        fatalError("does not hold: what is written can be read: \(error)")
    }
}
