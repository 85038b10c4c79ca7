// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import TestSupport
import Testing

@testable import HapticGuard

/// A guard whose daemon has gone, and who may send it away.
@Suite struct OrphanedGuardTests {
    @Test("A stopped guard whose daemon has gone is killed by a request for its outputs")
    func stoppedOrphan() throws {
        let place = try Place()
        let dead = place.link()
        _ = try dead.hold([place.guarded], device: "light")
        kill(try guardian(place), SIGSTOP)
        killDaemon(of: dead)
        #expect(becomesFree(place))
        #expect(wait { hasEnded(dead.lifeline) })
        dead.end()
    }

    @Test("A stopped guard whose daemon has gone is killed by the next daemon's guard")
    func stoppedOrphanOfTheDaemonBefore() throws {
        let place = try Place()
        let (dead, next) = (place.link(), place.link())
        _ = try dead.hold([place.guarded], device: "light")
        kill(try guardian(place), SIGSTOP)
        killDaemon(of: dead)
        #expect(takesOver(next))
        #expect(wait { hasEnded(dead.lifeline) })
        next.end()
        dead.end()
    }

    @Test("A stopped guard whose daemon lives is killed neither by another daemon nor by --switch-off")
    func stoppedGuardOfALivingDaemon() throws {
        let place = try Place()
        let (first, second) = (place.link(), place.link())
        defer { first.end() }
        _ = try first.hold([place.guarded], device: "light")
        let process = try guardian(place)
        kill(process, SIGSTOP)
        #expect(throws: DriverFault.self) { try second.takeOver(device: "light") }
        #expect(GuardLock.takeOver(place.lock) == .guardian(process))
        #expect(!hasEnded(first.lifeline))
        kill(process, SIGCONT)
        first.beat()
        #expect(wait { place.isOff }, "it still guards")
    }

    @Test(
        "A killed daemon whose process cannot end yet does not prevent switching off; a living one beside it does"
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
        // A process that another test starts has the descriptor until it becomes its program.
        #expect(wait { GuardLock.takeOver(place.lock) == .nobodyElse })
    }
}
