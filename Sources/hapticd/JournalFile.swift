// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticEngine
internal import HapticJournal
internal import HapticServer
private import HapticThreads
private import HapticWire
internal import Logging
internal import NIOCore
private import NIOPosix

/// What the engine of a service takes, on its way into a file. To be used on the event loop only.
struct Recording {
    private let writer: JournalWriter
    private let file: JournalFile

    /// To be made before anything happens.
    init(
        _ file: JournalFile.Created, of service: FeedbackServer, _ configuration: EngineConfiguration,
        _ eventLoop: any EventLoop, _ logger: Logger
    ) {
        self.file = JournalFile(file, eventLoop: eventLoop, logger: logger)
        writer = JournalWriter(configuration, version: HapticVersion.current, at: SystemClock.now, to: self.file)
        service.record(by: writer)
    }

    /// Succeeds once all is written, or cannot be.
    func end() -> EventLoopFuture<Void> {
        writer.end(.stopped)
        return file.finish()
    }
}

/// A journal on disk. It is written by a thread of its own, so that a slow disk keeps nobody waiting.
///
/// Made anywhere; then to be used on `eventLoop` only.
final class JournalFile: JournalOutput {
    /// What may wait to be written, in bytes.
    private static let mostWaiting = 4 << 20

    struct Created: Sendable {
        let path: String
        let descriptor: CInt

        /// Nothing is recorded, so no empty file stays behind.
        func remove() {
            close(descriptor)
            unlink(path)
        }
    }

    private let file: Created
    private let eventLoop: any EventLoop
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let logger: Logger
    private var waiting: [UInt8] = []
    private var isWriting = false
    private var hasFailed = false
    private var finished: EventLoopPromise<Void>?

    init(_ file: Created, eventLoop: any EventLoop, logger: Logger) {
        (self.file, self.eventLoop, self.logger) = (file, eventLoop, logger)
        thread.start()
    }

    deinit {
        thread.shutdownGracefully { _ in }
        close(file.descriptor)
    }

    /// Makes the file, which only this user may read: what clients say is nobody else's business. Never one that is there already.
    static func create(_ path: String) throws(StartError) -> Created {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let why =
                errno == EEXIST
                ? "it is there already, and hapticd overwrites no file; name a new file"
                : "\(String(cString: strerror(errno))); name a file where hapticd may write"
            throw StartError(["--journal: the file `\(path)` cannot be made: \(why)"])
        }
        return Created(path: path, descriptor: descriptor)
    }

    /// After a failure for good: nothing more can be written.
    var isBehind: Bool { hasFailed || waiting.count > Self.mostWaiting }

    func write(_ bytes: [UInt8]) {
        guard !hasFailed else { return }
        waiting += bytes
        writeWaiting()
    }

    /// Succeeds once all is written, or cannot be.
    func finish() -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        finished = promise
        writeWaiting()
        return promise.futureResult
    }

    private func writeWaiting() {
        guard !isWriting else { return }
        guard !waiting.isEmpty else {
            finished?.succeed()
            return
        }
        isWriting = true
        let (bytes, descriptor) = (waiting, file.descriptor)
        waiting = []
        thread.runIfActive(eventLoop: eventLoop) { Self.write(bytes, to: descriptor) }.assumeIsolated().whenComplete { result in
            self.isWriting = false
            if case .success(let error?) = result { self.fail(error) }
            self.writeWaiting()
        }
    }

    private func fail(_ error: CInt) {
        hasFailed = true
        waiting = []
        logger.warning(
            "the journal `\(file.path)` ends here: \(String(cString: strerror(error))); make room, then restart hapticd with a new file"
        )
    }

    /// On the journal's own thread. What went wrong, if anything.
    private static func write(_ bytes: [UInt8], to descriptor: CInt) -> CInt? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return errno }
            rest = rest.dropFirst(max(0, count))
        }
        return nil
    }
}
