// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import HapticBackends
import Synchronization
import TestSupport
import Testing

@testable import HapticGuard

/// The built hapticd, beside the test bundle.
let daemonProgram: String = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    while folder.path != "/", access(folder.appendingPathComponent("hapticd").path, X_OK) != 0 {
        folder.deleteLastPathComponent()
    }
    return folder.appendingPathComponent("hapticd").path
}()

/// A folder with a lock and an output that is on.
final class Place {
    let folder: String
    let output: Int32
    var lock: String { folder + "/lock" }
    var guarded: GuardedOutput { GuardedOutput(descriptor: output, off: Self.zero) }

    static let zero = OffCall(.write(bytes: Array("0\n".utf8), offset: 0), mayBlock: true)

    init() throws {
        folder = "/tmp/hapticd-guard-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        output = open(folder + "/output", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        write("1\n")
    }

    var text: String {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = pread(output, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    func write(_ text: String) { _ = pwrite(output, Array(text.utf8), text.utf8.count, 0) }

    var isOff: Bool {
        var byte: UInt8 = 0
        return pread(output, &byte, 1, 0) == 1 && byte == UInt8(ascii: "0")
    }

    func link(program: String = daemonProgram) -> GuardLink { GuardLink(lockPath: lock, program: program) }

    deinit {
        close(output)
        try? FileManager.default.removeItem(atPath: folder)
    }
}

func hasEnded(_ descriptor: Int32) -> Bool {
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&poller, 1, 0) > 0
}

/// Tries again as the daemon does: one try lasts a second, in which a busy machine may get nowhere.
func takesOver(_ link: GuardLink) -> Bool { wait { (try? link.takeOver(device: "light")) != nil } }

/// The same for who switches off.
func becomesFree(_ place: Place) -> Bool { wait { GuardLock.takeOver(place.lock) == .nobodyElse } }

/// What becomes of a link when its daemon is killed: the kernel closes what it had open.
func killDaemon(of link: GuardLink) {
    shutdown(link.socket.load(ordering: .relaxed), Int32(SHUT_RDWR))
    close(link.bond.exchange(-1, ordering: .relaxed))
}

/// The process that has the guard's lock, by the kernel's word. Never one below 1: a lock of an open file, such as the daemon's, is
/// given as -1's, and a signal to that one goes to everybody.
func guardian(_ place: Place) throws -> pid_t { try #require(holder(place)) }

func holder(_ place: Place) -> pid_t? {
    let file = open(place.lock, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_len = 1
    guard fcntl(file, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid > 1 else { return nil }
    return lock.l_pid
}
