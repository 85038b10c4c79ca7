// SPDX-License-Identifier: MIT
import CAllocations
import Foundation
import Glibc
import HapticBackends
import Synchronization
import TestSupport
import Testing

@testable import HapticGuard

/// The real guard process, with files in place of those of sysfs.
@Suite struct GuardLinkTests {
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
                link.idle()
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

    @Test("A daemon that ends in order finds its outputs as it left them, and no guard stays")
    func orderly() throws {
        let place = try Place()
        let link = place.link()
        let set = try link.hold([place.guarded], device: "light")
        #expect(link.isStarted)
        link.release(set)
        place.write("7\n")
        link.end()
        #expect(!link.isStarted)
        #expect(link.lifeline == -1)
        #expect(!place.isOff)
    }

    @Test("A guard without a beat while something is on switches off; then the daemon may continue")
    func hang() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        _ = try link.hold([place.guarded], device: "light")
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
        _ = try dead.hold([place.guarded], device: "light")
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
        _ = try first.hold([place.guarded], device: "light")
        #expect {
            try second.takeOver(device: "light")
        } throws: { error in "\(error)".contains("the guard of another hapticd") && "\(error)".contains(place.lock) }
    }

    @Test("The guard of a daemon that has died releases its outputs on request and exits")
    func askedByNobodysDaemon() throws {
        let place = try Place()
        let dead = place.link()
        _ = try dead.hold([place.guarded], device: "light")
        killDaemon(of: dead)
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
        _ = try link.hold([place.guarded], device: "light")
        guard case .guardian(let process) = GuardLock.takeOver(place.lock) else {
            Issue.record("it let go")
            return
        }
        let name = try String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        #expect(name == "\(GuardProcess.name)\n")
        #expect(!place.isOff)
        #expect(!hasEnded(link.lifeline))
    }

    @Test("A guard whose lock is another file than its daemon's is refused, because it would count as an orphan")
    func movedLock() throws {
        let place = try Place()
        let program = place.folder + "/program"
        let script = "#!/bin/sh\nmv '\(place.lock)' '\(place.lock).away'\nexec '\(daemonProgram)' \"$@\"\n"
        try script.write(toFile: program, atomically: true, encoding: .utf8)
        chmod(program, 0o700)
        #expect(throws: DriverFault.self) { try place.link(program: program).takeOver(device: "light") }
    }

    @Test("Signals from a process other than its daemon neither end a guard nor keep it from guarding")
    func straySignals() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        _ = try link.hold([place.guarded], device: "light")
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

    @Test("Without an earlier guard no lock file is created")
    func noLock() throws {
        let place = try Place()
        #expect(GuardLock.takeOver(place.lock) == .nobodyElse)
        #expect(!FileManager.default.fileExists(atPath: place.lock))
        #expect(GuardLock.takeOver("/dev/null/lock") == .unknown(errno: ENOTDIR))
    }

    @Test("The error about a missing guard says why and what to do")
    func noProgram() {
        let link = GuardLink(lockPath: "/nonexistent/lock", program: daemonProgram)
        #expect {
            try link.takeOver(device: "GPIO line 18 of vboard")
        } throws: { error in
            "\(error)".contains("No such file or directory") && "\(error)".contains("/nonexistent/lock can be written")
        }
    }

    @Test("If a guard's program ends without an answer, the request for a guard throws, and the next request gives one")
    func wrongProgram() throws {
        let place = try Place()
        let program = place.folder + "/program"
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: "/bin/false")
        let link = place.link(program: program)
        defer { link.end() }
        #expect(throws: DriverFault.self) { try link.takeOver(device: "test") }
        #expect(!link.isStarted)
        #expect(link.lifeline == -1)
        try FileManager.default.removeItem(atPath: program)
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: daemonProgram)
        try link.takeOver(device: "test")
        #expect(link.isStarted)
    }
}
