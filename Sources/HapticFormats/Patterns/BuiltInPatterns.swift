// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticPatterns
internal import HapticText

/// The patterns that are always there, compiled in from `configs/patterns/` (see `Plugins/EmbedPatterns`). They use no other ones.
public enum BuiltInPatterns {
    /// Sorted by name. Read once, at first use.
    public static let all: [Pattern] = embeddedPatternFiles.map { file in
        do throws(InvalidDocument) {
            let name = String(file.name.dropLast(".yaml".count))
            return try PatternReader.pattern(yaml: Array(file.text.utf8), file: file.name, known: [:], expectedName: name)
        } catch {
            // The tests read every one of them: a build that passed them does not come here.
            // trap: they are compiled in, and a test reads each.
            fatalError("a built-in pattern is not valid: \(error)")
        }
    }

    public static let byName = Dictionary(uniqueKeysWithValues: all.map { (Text($0.name), $0) })
}
