// SPDX-License-Identifier: MIT
import CAllocations
import CFormerGuard
import Foundation
import Glibc
import HapticBackends
import Synchronization
import Testing

@testable import HapticGuard

/// The real guard process, with files in place of those of sysfs.
@Suite struct GuardLinkTests {
    /// The built hapticd, beside the test bundle.
    private static let program: String = {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path != "/", access(folder.appendingPathComponent("hapticd").path, X_OK) != 0 {
            folder.deleteLastPathComponent()
        }
        return folder.appendingPathComponent("hapticd").path
    }()

    /// A folder with a lock and an output that is on.
    private final class Place {
        let folder: String
        let output: Int32
        var lock: String { folder + "/lock" }

        init() throws {
            folder = "/tmp/hapticd-guard-\(UInt32.random(in: .min ... .max))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            output = open(folder + "/output", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            write("1\n")
        }

        func write(_ text: String) { _ = pwrite(output, Array(text.utf8), text.utf8.count, 0) }

        var isOff: Bool {
            var byte: UInt8 = 0
            return pread(output, &byte, 1, 0) == 1 && byte == UInt8(ascii: "0")
        }

        func link(program: String = GuardLinkTests.program) -> GuardLink { GuardLink(lockPath: lock, program: program) }

        deinit {
            close(output)
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    /// Waits until `condition` holds, 60 s at most: only a failure takes that long.
    private func wait(_ condition: () -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: 60)
        while !condition() {
            guard Date() < end else { return false }
            usleep(2000)
        }
        return true
    }

    @Test(
        "The executor's heartbeat allocates nothing, with a guard and without one",
        .enabled(if: callocations_can_count(), "a sanitizer has its own allocator"))
    func heartbeatAllocatesNothing() throws {
        let place = try Place()
        let link = place.link()
        func allocations() -> Int {
            callocations_count_this_thread(true)
            let before = callocations_of_this_thread()
            for _ in 0..<100 {
                link.beat()
                link.rest()
            }
            callocations_count_this_thread(false)
            return callocations_of_this_thread() - before
        }
        #expect(allocations() == 0)
        try link.takeOver(device: "test")
        #expect(link.isStarted)
        #expect(allocations() == 0)
        link.end()
    }

    private func hasEnded(_ descriptor: Int32) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&poller, 1, 0) > 0
    }

    @Test("A daemon that ends in order finds its outputs as it left them, and no guard stays")
    func orderly() throws {
        let place = try Place()
        let link = place.link()
        let set = try link.hold([.zero(descriptor: place.output)], device: "light")
        #expect(link.isStarted)
        link.release(set)
        place.write("7\n")
        link.end()
        #expect(!link.isStarted && link.lifeline == -1)
        #expect(!place.isOff)
    }

    @Test("A guard without news while something is on switches off; then the daemon may go on")
    func hang() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        _ = try link.hold([.zero(descriptor: place.output)], device: "light")
        link.beat()
        #expect(wait { place.isOff })
        place.write("1\n")
        link.beat()
        #expect(wait { place.isOff }, "it watches again after the daemon has come to itself")
    }

    @Test("A daemon that dies is switched off at once; the next one takes over")
    func death() throws {
        let place = try Place()
        let (dead, next) = (place.link(), place.link())
        _ = try dead.hold([.zero(descriptor: place.output)], device: "light")
        shutdown(dead.socket.load(ordering: .relaxed), Int32(SHUT_RDWR))
        #expect(wait { place.isOff })
        #expect(!hasEnded(dead.lifeline), "it keeps the output")
        #expect(takesOver(next))
        #expect(wait { hasEnded(dead.lifeline) }, "the next guard has sent it away")
        next.end()
        dead.end()
    }

    @Test("A guard with nothing to keep ends with its daemon")
    func nothingHeld() throws {
        let place = try Place()
        let link = place.link()
        try link.takeOver(device: "light")
        shutdown(link.socket.load(ordering: .relaxed), Int32(SHUT_RDWR))
        #expect(wait { hasEnded(link.lifeline) })
        link.end()
    }

    @Test("While one daemon lives another with the same socket gets no guard, and so drives nothing")
    func twoDaemons() throws {
        let place = try Place()
        let (first, second) = (place.link(), place.link())
        defer { first.end() }
        _ = try first.hold([.zero(descriptor: place.output)], device: "light")
        #expect {
            try second.takeOver(device: "light")
        } throws: { error in "\(error)".contains("the guard of another hapticd") && "\(error)".contains(place.lock) }
    }

    @Test("A guard that is killed is replaced, and the new one has what the old one had")
    func replacement() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        _ = try link.hold([.zero(descriptor: place.output)], device: "light")
        shutdown(link.socket.load(ordering: .relaxed), Int32(SHUT_RDWR))
        try link.replace()
        #expect(wait { place.isOff }, "the old one has seen it off")
        place.write("1\n")
        #expect(wait { place.isOff }, "it watches from its start on, for the daemon may stop before its next beat")
    }

    @Test("Where a guard that is killed cannot be replaced there is none until one can be had")
    func noReplacement() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        let set = try link.hold([.zero(descriptor: place.output)], device: "light")
        shutdown(link.socket.load(ordering: .relaxed), Int32(SHUT_RDWR))
        #expect(wait { place.isOff })
        try FileManager.default.moveItem(atPath: place.folder, toPath: place.folder + "-away")
        #expect {
            try link.replace()
        } throws: { error in "\(error)".contains("No such file or directory") && "\(error)".contains(place.lock) }
        #expect(!link.isStarted)
        link.release(set)
        try FileManager.default.moveItem(atPath: place.folder + "-away", toPath: place.folder)
        _ = try link.hold([.zero(descriptor: place.output)], device: "light")
        #expect(link.isStarted)
    }

    @Test("A guard that comes late, for none could be started when the first was killed, has all that the first had")
    func lateReplacement() throws {
        let place = try Place()
        let program = place.folder + "/program"
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: Self.program)
        let link = place.link(program: program)
        defer { link.end() }
        _ = try link.hold([.zero(descriptor: place.output)], device: "light")
        shutdown(link.socket.load(ordering: .relaxed), Int32(SHUT_RDWR))
        #expect(wait { place.isOff })
        try FileManager.default.removeItem(atPath: program)
        #expect(throws: DriverFault.self) { try link.replace() }
        #expect(!link.isStarted)
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: Self.program)
        try link.takeOver(device: "another light")
        place.write("1\n")
        link.beat()
        #expect(wait { place.isOff })
    }

    @Test("Another guard is given the output also where its device has closed the descriptor that it came by")
    func closedDescriptor() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        let device = dup(place.output)
        let set = try link.hold([.zero(descriptor: device)], device: "light")
        close(device)
        shutdown(link.socket.load(ordering: .relaxed), Int32(SHUT_RDWR))
        #expect(wait { place.isOff })
        try link.replace()
        place.write("1\n")
        link.beat()
        #expect(wait { place.isOff })
        link.release(set)
    }

    @Test("The guard of a daemon that has died lets go of its outputs for who asks, and is gone")
    func askedByNobodysDaemon() throws {
        let place = try Place()
        let dead = place.link()
        _ = try dead.hold([.zero(descriptor: place.output)], device: "light")
        kill(dead)
        #expect(wait { place.isOff })
        #expect(GuardLock.takeOver(place.lock) == .nobodyElse)
        #expect(wait { hasEnded(dead.lifeline) })
        dead.end()
    }

    @Test("The guard of a daemon that lives keeps its outputs, and its process number is returned")
    func askedBesidesADaemon() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        _ = try link.hold([.zero(descriptor: place.output)], device: "light")
        guard case .guardian(let process) = GuardLock.takeOver(place.lock) else {
            Issue.record("it let go")
            return
        }
        let name = try String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        #expect(name == "\(GuardProcess.name)\n")
        #expect(!place.isOff && !hasEnded(link.lifeline))
    }

    /// Tries again as the daemon does: one try lasts a second, in which a busy machine may get nowhere.
    private func takesOver(_ link: GuardLink) -> Bool { wait { (try? link.takeOver(device: "light")) != nil } }

    /// The same for who switches off.
    private func becomesFree(_ place: Place) -> Bool { wait { GuardLock.takeOver(place.lock) == .nobodyElse } }

    /// What becomes of a link when its daemon is killed: the kernel closes what it had open.
    private func kill(_ link: GuardLink) {
        shutdown(link.socket.load(ordering: .relaxed), Int32(SHUT_RDWR))
        close(link.bond.exchange(-1, ordering: .relaxed))
    }

    /// The process that has the guard's lock, by the kernel's word. Never one below 1: a lock of an open file, such as the daemon's, is told as -1's, and
    /// a signal to that one goes to everybody.
    private func guardian(_ place: Place) throws -> pid_t { try #require(holder(place)) }

    private func holder(_ place: Place) -> pid_t? {
        let file = open(place.lock, O_RDWR | O_CLOEXEC)
        defer { close(file) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_len = 1
        guard fcntl(file, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid > 1 else { return nil }
        return lock.l_pid
    }

    @Test("A guard that is stopped, and whose daemon has gone, is killed by who asks for its outputs")
    func stoppedOrphan() throws {
        let place = try Place()
        let dead = place.link()
        _ = try dead.hold([.zero(descriptor: place.output)], device: "light")
        Glibc.kill(try guardian(place), SIGSTOP)
        kill(dead)
        #expect(becomesFree(place))
        #expect(wait { hasEnded(dead.lifeline) })
        dead.end()
    }

    @Test("A guard that is stopped, and whose daemon has gone, is killed by the next daemon's guard")
    func stoppedOrphanOfTheDaemonBefore() throws {
        let place = try Place()
        let (dead, next) = (place.link(), place.link())
        _ = try dead.hold([.zero(descriptor: place.output)], device: "light")
        Glibc.kill(try guardian(place), SIGSTOP)
        kill(dead)
        #expect(takesOver(next))
        #expect(wait { hasEnded(dead.lifeline) })
        next.end()
        dead.end()
    }

    @Test("A guard that is stopped, and whose daemon lives, is not killed by another daemon nor by who switches off")
    func stoppedGuardOfALivingDaemon() throws {
        let place = try Place()
        let (first, second) = (place.link(), place.link())
        defer { first.end() }
        _ = try first.hold([.zero(descriptor: place.output)], device: "light")
        let process = try guardian(place)
        Glibc.kill(process, SIGSTOP)
        #expect(throws: DriverFault.self) { try second.takeOver(device: "light") }
        #expect(GuardLock.takeOver(place.lock) == .guardian(process))
        #expect(!hasEnded(first.lifeline))
        Glibc.kill(process, SIGCONT)
        first.beat()
        #expect(wait { place.isOff }, "it still guards")
    }

    @Test("A daemon that lives is seen also while it has no guard, for that was killed, and gets another")
    func killedGuardOfALivingDaemon() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        _ = try link.hold([.zero(descriptor: place.output)], device: "light")
        Glibc.kill(try guardian(place), SIGKILL)
        #expect(wait { hasEnded(link.lifeline) && holder(place) == nil })
        #expect(GuardLock.takeOver(place.lock) == .daemon)
        #expect(wait { (try? link.replace()) != nil })
        link.beat()
        #expect(wait { place.isOff })
    }

    @Test(
        "A daemon that was killed and whose process cannot end yet keeps nobody from switching off; one beside it that lives does"
    )
    func daemonThatCannotEnd() throws {
        let place = try Place()
        var process: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        defer { free(arguments[0]) }
        try #require(posix_spawnp(&process, "true", nil, nil, &arguments, nil) == 0)
        defer { waitpid(process, nil, 0) }
        var state = siginfo_t()
        waitid(P_PID, id_t(process), &state, WEXITED | WNOWAIT)
        let dead = try #require(GuardLock.bind(place.lock, process: process).0)
        defer { close(dead.descriptor) }
        let living = try #require(GuardLock.bind(place.lock).0)
        #expect(GuardLock.takeOver(place.lock) == .daemon)
        close(living.descriptor)
        #expect(GuardLock.takeOver(place.lock) == .nobodyElse)
    }

    @Test(
        "An orphaned guard of an earlier version, which locked the whole file, lets go for the next daemon",
        arguments: [true, false])
    func formerOrphan(obeys: Bool) throws {
        let place = try Place()
        let process = cformerguard_start(place.lock, true, obeys)
        defer { if process > 0 { Glibc.kill(process, SIGKILL) } }
        #expect(process > 0 && holder(place) == process)
        let next = place.link()
        defer { next.end() }
        #expect(takesOver(next))
        #expect(holder(place) != process)
    }

    @Test("An orphaned guard of an earlier version lets go for who switches off", arguments: [true, false])
    func formerOrphanBeforeSwitchingOff(obeys: Bool) throws {
        let place = try Place()
        let process = cformerguard_start(place.lock, true, obeys)
        defer { if process > 0 { Glibc.kill(process, SIGKILL) } }
        #expect(process > 0)
        #expect(becomesFree(place))
    }

    @Test("A guard of an earlier version whose daemon lives is not killed, neither by another daemon nor by who switches off")
    func formerGuardOfALivingDaemon() throws {
        let place = try Place()
        let process = cformerguard_start(place.lock, false, false)
        try #require(process > 0)
        defer {
            Glibc.kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        #expect {
            try place.link().takeOver(device: "light")
        } throws: {
            "\($0)".contains("the guard of another hapticd")
        }
        #expect(GuardLock.takeOver(place.lock) == .guardian(process))
        #expect(waitpid(process, nil, WNOHANG) == 0, "it lives")
    }

    @Test("A guard whose daemon has its lock on another file than it is none, for it would count as an orphan")
    func movedLock() throws {
        let place = try Place()
        let program = place.folder + "/program"
        let script = "#!/bin/sh\nmv '\(place.lock)' '\(place.lock).away'\nexec '\(Self.program)' \"$@\"\n"
        try script.write(toFile: program, atomically: true, encoding: .utf8)
        chmod(program, 0o700)
        #expect(throws: DriverFault.self) { try place.link(program: program).takeOver(device: "light") }
    }

    @Test("Signals that mean nothing to it, from whoever is not its daemon, neither end a guard nor keep it from guarding")
    func straySignals() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        _ = try link.hold([.zero(descriptor: place.output)], device: "light")
        let process = try guardian(place)
        // By one of them, in the daemon's name, the kernel tells of its end.
        let numbers = StraySignals.all.map { "\($0)" }.joined(separator: " ")
        let sender = try Process.run(
            URL(fileURLWithPath: "/bin/sh"),
            arguments: ["-c", "for number in \(numbers); do kill -$number \(process) || exit 1; done"])
        sender.waitUntilExit()
        #expect(sender.terminationStatus == 0)
        for _ in 0..<2 {
            place.write("1\n")
            link.beat()
            #expect(wait { place.isOff }, "it watches, and goes on to")
        }
        #expect(!hasEnded(link.lifeline))
    }

    @Test("Where there has been no guard nothing is made, for it could be another user's")
    func noLock() throws {
        let place = try Place()
        #expect(GuardLock.takeOver(place.lock) == .nobodyElse)
        #expect(!FileManager.default.fileExists(atPath: place.lock))
        #expect(GuardLock.takeOver("/dev/null/lock") == .unknown(errno: ENOTDIR))
    }

    @Test("A guard that was begun early is the one that is used, and there is none before it has been asked for")
    func begunEarly() throws {
        let place = try Place()
        let program = place.folder + "/program"
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: Self.program)
        let link = place.link(program: program)
        defer { link.end() }
        link.begin()
        #expect(!link.isStarted && link.lifeline == -1)
        // Another one could not be started.
        try FileManager.default.removeItem(atPath: program)
        link.begin()
        try link.takeOver(device: "test")
        #expect(link.isStarted && link.lifeline >= 0)
        _ = try link.hold([.zero(descriptor: place.output)], device: "light")
        link.beat()
        #expect(wait { place.isOff })
    }

    @Test("A guard that was begun and not asked for goes at the end")
    func begunInVain() throws {
        let place = try Place()
        let link = place.link()
        link.begin()
        #expect(wait { holder(place) != nil })
        link.end()
        #expect(!link.isStarted && link.lifeline == -1)
        #expect(becomesFree(place))
    }

    @Test("Where the guard that was begun has ended, asking for it throws, and asking again gives another")
    func begunWrongly() throws {
        let place = try Place()
        let program = place.folder + "/program"
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: "/bin/false")
        let link = place.link(program: program)
        defer { link.end() }
        link.begin()
        try FileManager.default.removeItem(atPath: program)
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: Self.program)
        #expect(throws: DriverFault.self) { try link.takeOver(device: "test") }
        #expect(!link.isStarted && link.lifeline == -1)
        try link.takeOver(device: "test")
        #expect(link.isStarted)
    }

    @Test("Where no guard could be begun, asking for one gives one")
    func notBegun() throws {
        let place = try Place()
        let program = place.folder + "/program"
        let link = place.link(program: program)
        defer { link.end() }
        link.begin()
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: Self.program)
        try link.takeOver(device: "test")
        #expect(link.isStarted)
    }

    @Test("A guard that was begun beside that of a living daemon is none")
    func begunBesideAnother() throws {
        let place = try Place()
        let first = place.link()
        defer { first.end() }
        try first.takeOver(device: "test")
        let second = place.link()
        second.begin()
        #expect {
            try second.takeOver(device: "test")
        } throws: {
            "\($0)".contains("the guard of another hapticd")
        }
        #expect(!second.isStarted && second.lifeline == -1)
    }

    @Test("Where no guard can be had the error says why and what to do")
    func noProgram() {
        let link = GuardLink(lockPath: "/nonexistent/lock", program: Self.program)
        #expect {
            try link.takeOver(device: "GPIO line 18 of vboard")
        } throws: { error in
            "\(error)".contains("No such file or directory") && "\(error)".contains("/nonexistent/lock can be written")
        }
    }
}
