// SPDX-License-Identifier: MIT
import Foundation
import HapticBackends
import HapticThreads
import Synchronization
import Testing

@testable import HapticGuard

/// A guard takes the end of the thread that started it for the daemon's.
@Suite struct AskedByThreadTests {
    @Test("A guard lives on when the thread ends that asked for it")
    func threadEnds() throws {
        let place = try Place()
        let link = place.link()
        defer { link.end() }
        let asker = Asker(link)
        #expect(wait { asker.hasEnded })
        // With word of its daemon's end it would have left, for it held nothing.
        _ = try link.hold([.zero(descriptor: place.output)], device: "light")
        #expect(link.isStarted)
        #expect(!hasEnded(link.lifeline))
        #expect(!place.isOff)
    }

    /// A thread that asks for a guard and ends.
    private final class Asker: Sendable {
        /// As /proc names it.
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
