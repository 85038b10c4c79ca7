// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import HapticThreads
import TestSupport
import Testing

@testable import HapticReplay

@Suite("A journal on disk") struct JournalFileTests {
    private let path = "/tmp/hapticd-journal-\(UInt32.random(in: .min ... .max))"
    private let loop = TestLoop()

    private func text() -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test("Lines are written in order, also while others are being written, and the end waits for all of them")
    func order() throws {
        let file = JournalFile(try JournalFile.create(path), on: loop) { Issue.record("\($0)") }
        defer { unlink(path) }
        var isFinished = false
        file.write(Array("one\n".utf8))
        file.write(Array("two\n".utf8))
        file.write(Array("three\n".utf8))
        file.finish { isFinished = true }
        #expect(!isFinished)
        try loop.run(until: "the end") { isFinished }
        #expect(text() == "one\ntwo\nthree\n")
        #expect(!file.isBehind)
    }

    @Test("A file that has nothing to write is finished immediately")
    func empty() throws {
        let file = JournalFile(try JournalFile.create(path), on: loop) { Issue.record("\($0)") }
        defer { unlink(path) }
        var isFinished = false
        file.finish { isFinished = true }
        #expect(isFinished)
    }

    @Test("While the disk hangs, a bounded number of bytes waits")
    func behind() throws {
        let file = JournalFile(try JournalFile.create(path), on: loop) { Issue.record("\($0)") }
        defer { unlink(path) }
        file.write([0])
        file.write([UInt8](repeating: 0, count: JournalFile.mostWaiting))
        #expect(!file.isBehind)
        file.write([0])
        #expect(file.isBehind)
        loop.turn()
        #expect(!file.isBehind)
    }

    @Test("A file whose disk is full is reported once, and takes nothing more")
    func full() throws {
        var failures: [JournalFile.Failure] = []
        let disk = JournalFile.Created(path: "/dev/full", descriptor: open("/dev/full", O_WRONLY))
        let file = JournalFile(disk, on: loop) { failures.append($0) }
        var isFinished = false
        for _ in 0..<2 {
            file.write([0])
            loop.turn()
        }
        #expect(failures == [JournalFile.Failure(errno: ENOSPC)])
        #expect(file.isBehind)
        file.finish { isFinished = true }
        #expect(isFinished)
    }

    @Test("A new file is readable by its user only; a file that is there is not overwritten, and an unused one is removed")
    func creation() throws {
        let file = try JournalFile.create(path)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(throws: JournalFile.Failure(errno: EEXIST)) { try JournalFile.create(path) }
        file.remove()
        #expect(text() == nil)
        #expect(throws: JournalFile.Failure(errno: ENOENT)) { try JournalFile.create("\(path)/file") }
    }
}
