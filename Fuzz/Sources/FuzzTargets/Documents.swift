// SPDX-License-Identifier: MIT
internal import HapticConfig
internal import HapticCore
internal import HapticDocuments
internal import HapticEngine
internal import HapticFormats
internal import HapticJSON
internal import HapticPatterns

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
        do throws(InvalidDocument) {
            let configuration = try Configuration.read(yaml: bytes, file: "hapticd.yaml", files: files)
            // trap: what has been read has no mistake. This is what the fuzzer looks for.
            let engine = FeedbackEngine(try! configuration.engineConfiguration())
            require(engine.nextDeadline > .zero, "nothing is due at first")
        } catch {
            checkReasons(error)
        }
    }
}

/// Pattern files: each is refused with reasons, or is a pattern that can be played, written, and read again.
public enum PatternFiles: FuzzTarget {
    public static let name = "patterns"

    public static func run(_ bytes: [UInt8]) {
        do throws(InvalidDocument) {
            let pattern = try PatternReader.pattern(yaml: bytes)
            require(pattern.duration > .zero && pattern.duration <= Pattern.Limit.duration, "it ends")
            _ = PlayablePattern(pattern)
            let text = PatternWriter.yaml(pattern)
            do throws(InvalidDocument) {
                let again = try PatternReader.pattern(yaml: Array(text.utf8))
                require(PatternWriter.yaml(again) == text, "what is written is read as it was")
            } catch {
                fatalError("does not hold: what is written can be read: \(error)")
            }
        } catch {
            checkReasons(error)
        }
    }
}

func checkReasons(_ document: InvalidDocument) {
    require(!document.diagnostics.isEmpty, "what is refused is refused for a reason")
    for diagnostic in document.diagnostics {
        require(!diagnostic.message.isEmpty, "a reason has words")
        checkShown(diagnostic.description)
    }
}
