// SPDX-License-Identifier: MIT
internal import HapticConfig
internal import HapticCore
internal import HapticEngine
internal import HapticFormats
internal import HapticPatterns
internal import HapticPlanning
internal import HapticText
internal import HapticYAML

/// Configuration files: each is refused with reasons, or is one that the engine can be started with.
public enum Configurations: FuzzTarget {
    public static let name = "config"

    private static let pattern = Array(
        "{version: 1, name: own, tracks: [{events: [{at: 0ms, type: transient, intensity: 1}]}]}".utf8)

    /// A directory with one pattern in it, wherever it is.
    private static let files = FileAccess(
        read: { (_, _) throws(FileAccess.Failure) in pattern },
        directory: { (_) throws(FileAccess.Failure) in
            FileAccess.Directory(names: ["own.yaml"]) { (_, _) throws(FileAccess.Failure) in pattern }
        })

    public static func run(_ bytes: [UInt8]) {
        let read = accepted { () throws(InvalidDocument) in
            try Configuration.read(yaml: bytes, file: "hapticd.yaml", files: files)
        }
        guard let configuration = read else { return }
        // trap: what has been read has no mistake. This is what the fuzzer looks for.
        let engine = FeedbackEngine(try! configuration.engineConfiguration())
        require(engine.nextDeadline > .zero, "nothing is due at first")
    }
}

/// Pattern files: each is refused with reasons, or is a pattern that can be played, written, and read again.
public enum PatternFiles: FuzzTarget {
    public static let name = "patterns"

    public static func run(_ bytes: [UInt8]) {
        let read = accepted { () throws(InvalidDocument) in try PatternReader.pattern(yaml: bytes) }
        guard let pattern = read else { return }
        require(pattern.duration > .zero && pattern.duration <= Pattern.Limit.duration, "it ends")
        _ = PlayablePattern(pattern)
        let text = PatternWriter.yaml(pattern)
        do throws(InvalidDocument) {
            let again = try PatternReader.pattern(yaml: Array(text.utf8))
            require(PatternWriter.yaml(again) == text, "what is written is read as it was")
        } catch {
            fatalError("does not hold: what is written can be read: \(error)")
        }
    }
}

/// What has been read; nil where it was refused, which is for reasons that can be shown.
func accepted<Contents>(_ read: () throws(InvalidDocument) -> Contents) -> Contents? {
    do throws(InvalidDocument) {
        return try read()
    } catch {
        require(!error.diagnostics.isEmpty, "what is refused is refused for a reason")
        for diagnostic in error.diagnostics {
            require(!diagnostic.message.isEmpty, "a reason has words")
            checkShown(diagnostic.description)
        }
        return nil
    }
}
