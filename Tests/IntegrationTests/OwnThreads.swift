// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Synchronization
import Testing

/// Runs the tests of a suite on threads of their own.
///
/// A test of processes mostly waits. On one of Swift's threads, one for each processor, it would block other tests.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Threads.shared) { try await function() }
    }
}

extension Trait where Self == OwnThreads {
    static var ownThreads: Self { Self() }
}

/// A fixed number of threads that take jobs in turn.
private final class Threads: TaskExecutor {
    static let shared = Threads(count: 10)

    private let jobs = Mutex<[UnownedJob]>([])
    private let waiting = DispatchSemaphore(value: 0)

    private init(count: Int) {
        for _ in 0..<count {
            Thread { [self] in
                while true {
                    waiting.wait()
                    let job = jobs.withLock { $0.removeFirst() }
                    job.runSynchronously(on: asUnownedTaskExecutor())
                }
            }.start()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        waiting.signal()
    }
}
