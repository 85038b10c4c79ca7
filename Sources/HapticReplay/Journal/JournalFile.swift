// SPDX-License-Identifier: MIT
private import Glibc
public import HapticThreads

/// A journal on disk. It is written on a thread of its own, so a slow disk delays nobody.
///
/// Made on any thread; then used on its loop only.
public final class JournalFile: JournalOutput {
    /// A new, empty file.
    public struct Created: Sendable {
        public let path: String
        let descriptor: CInt

        /// Removes it again, if nothing was recorded.
        public func remove() {
            close(descriptor)
            unlink(path)
        }
    }

    /// Why a file cannot be made or written.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        public let errno: CInt

        /// Whether there was a file of this name.
        public var isOverwriting: Bool { errno == EEXIST }
        public var description: String { String(cString: strerror(errno)) }
    }

    /// The most bytes that wait to be written.
    static let mostWaiting = 4 << 20

    private let file: Created
    private let loop: any BoardLoop
    private let errands = ErrandQueue()
    private let failed: (Failure) -> Void
    private var waiting: [UInt8] = []
    private var isWriting = false
    private var hasFailed = false
    private var finished: (() -> Void)?

    /// `failed`: called at most once, if the journal ends early.
    public init(_ file: Created, on loop: any BoardLoop, failed: @escaping (Failure) -> Void) {
        (self.file, self.loop, self.failed) = (file, loop, failed)
    }

    deinit { close(file.descriptor) }

    /// Makes the file, which only this user may read: what clients send concerns nobody else. Never overwrites a file.
    public static func create(_ path: String) throws(Failure) -> Created {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(errno: errno) }
        return Created(path: path, descriptor: descriptor)
    }

    /// Whether too many bytes wait. After a failure it stays true, because nothing more is written.
    public var isBehind: Bool { hasFailed || waiting.count > Self.mostWaiting }

    public func write(_ bytes: [UInt8]) {
        guard !hasFailed else { return }
        waiting += bytes
        writeWaiting()
    }

    /// Calls `done` when all is written, or cannot be. To be called at most once.
    public func finish(_ done: @escaping () -> Void) {
        finished = done
        writeWaiting()
    }

    private func writeWaiting() {
        guard !isWriting else { return }
        guard !waiting.isEmpty else {
            finished?()
            finished = nil
            return
        }
        isWriting = true
        let (bytes, descriptor) = (waiting, file.descriptor)
        waiting = []
        let work = { @Sendable in Self.write(bytes, to: descriptor) }
        loop.perform(work, in: errands) { [self] failure in
            isWriting = false
            if let failure { end(failure) }
            writeWaiting()
        }
    }

    private func end(_ failure: Failure) {
        hasFailed = true
        waiting = []
        failed(failure)
    }

    /// On the journal's own thread. Returns what went wrong, if anything.
    private static func write(_ bytes: [UInt8], to descriptor: CInt) -> Failure? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return Failure(errno: errno) }
            rest = rest.dropFirst(max(0, count))
        }
        return nil
    }
}
