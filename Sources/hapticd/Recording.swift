// SPDX-License-Identifier: MIT
internal import HapticEngine
internal import HapticReplay
internal import HapticServer
internal import HapticThreads
private import HapticWire
internal import Logging

/// What the engine of a service takes, on its way into a file. To be used on the event loop only.
struct Recording {
    private let writer: JournalWriter
    private let file: JournalFile

    /// To be made before anything happens.
    init(
        _ file: JournalFile.Created, of service: FeedbackServer, _ configuration: EngineConfiguration, on loop: any BoardLoop,
        _ logger: Logger
    ) {
        self.file = JournalFile(file, on: loop) { failure in
            logger.warning("the journal `\(file.path)` ends here: \(failure); make room, then restart hapticd with a new file")
        }
        writer = JournalWriter(configuration, version: HapticVersion.current, at: SystemClock.now, to: self.file)
        service.record(by: writer)
    }

    /// Calls `done` once all is written, or cannot be.
    func end(_ done: @escaping () -> Void) {
        writer.end(.stopped)
        file.finish(done)
    }
}

extension JournalFile {
    /// Makes the file of `--journal`.
    static func create(option path: String) throws(StartError) -> Created {
        do throws(Failure) {
            return try create(path)
        } catch {
            let why =
                error.isOverwriting
                ? "it is there already, and hapticd overwrites no file; name a new file"
                : "\(error); name a file where hapticd may write"
            throw StartError(["--journal: the file `\(path)` cannot be made: \(why)"])
        }
    }
}
