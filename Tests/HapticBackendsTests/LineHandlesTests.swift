// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import HapticCore
import HapticThreads
import Synchronization
import Testing

@testable import HapticBackends

/// With files in place of lines, whose names only this test knows.
@Suite struct LineHandlesTests {
    @Test("Threads that request and release lines at the same time each find the descriptor of their own")
    func ownDescriptors() throws {
        let folder = "/tmp/hapticd-lines-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let found = Mutex<[Bool]>([])
        let threads = (0..<8).map { number in
            Errand {
                for _ in 0..<25 {
                    let (own, descriptor) = LineHandles.opening(folder) {
                        open("\(folder)/\(number)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
                    }
                    found.withLock { $0.append(descriptor == own) }
                    _ = LineHandles.changing { close(own) }
                }
            }
        }
        let end = SystemClock.now + .seconds(60)
        for thread in threads { #expect(thread.isDone(by: end), "a thread waits for its turn for ever") }
        #expect(found.withLock { $0 } == Array(repeating: true, count: 200))
    }

    @Test("A request that hangs keeps no other waiting where neither needs its descriptor")
    func oneHangs() {
        let (hanging, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let first = Errand {
            LineHandles.changing {
                hanging.signal()
                goesOn.wait()
            }
        }
        let end = SystemClock.now + .seconds(60)
        #expect(hanging.wait(timeout: .now() + 60) == .success, "the first one does not begin")
        let second = Errand { LineHandles.changing {} }
        #expect(second.isDone(by: end), "it waits for the one that hangs")
        goesOn.signal()
        #expect(first.isDone(by: end))
    }
}
