// SPDX-License-Identifier: MIT
import Foundation
import HapticBackends
import HapticCore
import HapticThreads
import Synchronization
import TestSupport
import Testing

@testable import HapticGuard

@Suite struct GuardStateTests {
    private func ms(_ count: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: count * 1_000_000) }

    @Test("While the daemon's beats are in time the guard does nothing, and while the daemon rests it sleeps")
    func ordinaryLife() {
        var state = GuardState.idle
        #expect(state.deadline == .distantFuture)
        for time in stride(from: Int64(0), through: 4000, by: 400) {
            #expect(state.handle(.beat, at: ms(time), isHolding: true) == .nothing)
            #expect(state.deadline == ms(time + 1200))
        }
        #expect(state.handle(.idle, at: ms(4400), isHolding: true) == .nothing)
        #expect(state.deadline == .distantFuture)
        #expect(state.handle(.timePassed, at: ms(60_000), isHolding: true) == .nothing)
    }

    @Test("A daemon that hangs with something on is switched off within 1.2 s, and is believed again when it wakes up")
    func hangingDaemon() {
        var state = GuardState.idle
        _ = state.handle(.beat, at: ms(100), isHolding: true)
        #expect(state.handle(.timePassed, at: ms(1299), isHolding: true) == .nothing)
        #expect(state.handle(.timePassed, at: ms(1300), isHolding: true) == .switchOff)
        #expect(state.deadline == ms(2500), "it may have woken up for a moment")
        #expect(state.handle(.timePassed, at: ms(2500), isHolding: true) == .switchOff)
        #expect(state.handle(.beat, at: ms(9000), isHolding: true) == .nothing)
        #expect(state.deadline == ms(10_200))
    }

    @Test("A daemon that dies is switched off at once; the outputs are kept until someone asks")
    func deadDaemon() {
        var state = GuardState.watching(until: ms(1200))
        #expect(state.handle(.daemonGone, at: ms(10), isHolding: true) == .switchOff)
        #expect(state.deadline == .distantFuture)
        #expect(state.handle(.timePassed, at: ms(5000), isHolding: true) == .nothing)
        #expect(state.handle(.asked, at: ms(6000), isHolding: true) == .leave)
    }

    @Test("A guard with nothing to hold ends with its daemon")
    func nothingToHold() {
        var state = GuardState.idle
        #expect(state.handle(.daemonGone, at: ms(10), isHolding: false) == .leave)
    }

    @Test("A guard that is asked to end while its daemon lives stays")
    func askedTooEarly() {
        for var state in [GuardState.idle, .watching(until: ms(1200)), .hung(until: ms(1200))] {
            let before = state
            #expect(state.handle(.asked, at: ms(10), isHolding: true) == .nothing)
            #expect(state == before)
        }
    }

    @Test("A guard ends with a daemon that ends in order", arguments: [true, false])
    func goodbye(isHolding: Bool) {
        var state = GuardState.idle
        #expect(state.handle(.goodbye, at: ms(10), isHolding: isHolding) == .leave)
    }
}

@Suite struct GuardMessageTests {
    @Test(
        "Every message is read as it was written",
        arguments: [
            .hold(GuardedSet(1), [Place.zero]),
            .hold(
                GuardedSet(0xdead_beef),
                [
                    OffCall(.ioctl(request: 0xc040_b409, argument: Array(0..<64)), mayBlock: false),
                    OffCall(.write(bytes: [UInt8](repeating: 7, count: OffCall.mostBytes), offset: nil), mayBlock: true),
                    OffCall(.write(bytes: [0], offset: .max), mayBlock: false), Place.zero,
                ]),
            .release(GuardedSet(256)), .beat, .idle, .goodbye,
        ] as [GuardMessage])
    func roundTrip(message: GuardMessage) {
        #expect(GuardMessage(message.bytes) == message)
        #expect(message.bytes.count <= GuardMessage.longest)
    }

    @Test(
        "The longest message holds as many outputs as possible, each with the longest call",
        arguments: [(GuardMessage.most, true), (GuardMessage.most + 1, false)])
    func longest(count: Int, isMessage: Bool) {
        let call = OffCall(.write(bytes: [UInt8](repeating: 7, count: OffCall.mostBytes), offset: nil), mayBlock: false)
        let message = GuardMessage.hold(GuardedSet(1), [OffCall](repeating: call, count: count))
        #expect((message.bytes.count <= GuardMessage.longest) == isMessage)
        #expect((GuardMessage(message.bytes) != nil) == isMessage)
    }

    @Test("Bytes that are no message are refused", arguments: [[], [3], [9, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0]] as [[UInt8]])
    func nonsense(bytes: [UInt8]) {
        #expect(GuardMessage(bytes) == nil)
    }

    @Test("A held output that is no call, or whose call has other bytes than its head says, makes the message refused")
    func badCalls() {
        let head: [UInt8] = [1, 1, 0, 0, 0]
        let write: [UInt8] = [2, 1, 0, 0, 0, 0, 1, 48]
        #expect(GuardMessage(head + write) != nil)
        #expect(GuardMessage(head) == nil, "no output")
        #expect(GuardMessage(head + write.dropLast()) == nil, "a byte too few")
        #expect(GuardMessage(head + write + [1]) == nil, "a byte too many")
        #expect(GuardMessage(head + [4] + write.dropFirst()) == nil, "an unknown code")
        #expect(GuardMessage(head + [2, 2] + write.dropFirst(2)) == nil, "neither blocking nor not")
        #expect(GuardMessage(head + [2, 1, 0, 0, 0, 0, 0]) == nil, "nothing to write")
        let long = [UInt8](repeating: 48, count: OffCall.mostBytes + 1)
        #expect(GuardMessage(head + [2, 1, 0, 0, 0, 0, UInt8(long.count)] + long) == nil, "more than may be written")
    }

    @Test(
        "An ioctl whose argument has another size than its number says is refused",
        arguments: [(4, true), (3, false), (5, false), (0, false)])
    func ioctlSize(count: UInt8, isMessage: Bool) {
        let ioctl: [UInt8] = [3, 0, 0x31, 0x54, 4, 0x40, count] + [UInt8](repeating: 0, count: Int(count))
        #expect((GuardMessage([1, 1, 0, 0, 0] + ioctl) != nil) == isMessage)
    }

    @Test("Every answer is read as it was written", arguments: [(0, 0), (1, 24), (0xdead_beef, 16)] as [(UInt32, Int32)])
    func answer(number: UInt32, error: Int32) {
        let answer = GuardAnswer(GuardedSet(number), error: error)
        #expect(GuardAnswer(answer.bytes) == answer)
        #expect(answer.bytes.count == GuardAnswer.size)
        #expect(GuardAnswer(Array(answer.bytes.dropLast())) == nil)
    }
}

/// A guard takes the end of the thread that started it for the daemon's.
@Suite struct AskedByThreadTests {
    @Test("A guard outlives the thread that started it")
    func threadEnds() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        let asker = Asker(link)
        #expect(wait { asker.hasEnded })
        // With word of its daemon's end it would have left, for it held nothing.
        _ = try link.hold([place.guarded], device: "light")
        #expect(link.isStarted)
        #expect(!hasEnded(link.lifeline))
        #expect(!place.isOff)
    }

    /// A thread that asks for a guard and ends.
    private final class Asker: Sendable {
        /// The name of the thread in /proc.
        private let thread = Mutex<String?>(nil)

        init(_ link: GuardLink) {
            _ = Errand {
                try? link.takeOver(device: "light")
                self.thread.withLock { $0 = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self") }
            }
        }

        /// The kernel has nothing left of it.
        var hasEnded: Bool { thread.withLock { $0.map { access("/proc/\($0)", F_OK) != 0 } ?? false } }
    }
}
