// SPDX-License-Identifier: MIT
private import CLinux
private import HapticCore
private import Synchronization

/// A thread that lasts as long as this object, for what the kernel ties to the thread that did it. Asleep while there is nothing to do.
/// Each caller waits for its own call, so no more calls wait than there are threads that call.
public final class StandingThread: Sendable {
    private let shared = Shared()

    /// Nil where there is no thread to be had. `name`: at most 15 characters.
    public init?(name: String) {
        let context = Unmanaged.passRetained(shared)
        let error = clinux_start_thread(name, context.toOpaque()) { context in
            // trap: pthread_create gives the thread what it was given, and that is never nil.
            Unmanaged<Shared>.fromOpaque(context!).takeRetainedValue().run()
        }
        guard error != 0 else { return }
        context.release()
        return nil
    }

    deinit { shared.stop() }

    /// Does `body` over there and waits for it. Any thread.
    public func perform<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) -> Answer {
        let call = Call<Answer>()
        shared.add { call.give(body()) }
        return call.wait()
    }

    private final class Shared: Sendable {
        private struct State {
            var waiting: [@Sendable () -> Void] = []
            var isStopping = false
        }

        private let state = Mutex(State())
        private let bell = Doorbell()

        func add(_ body: @escaping @Sendable () -> Void) {
            state.withLock { $0.waiting.append(body) }
            bell.ring()
        }

        func stop() {
            state.withLock { $0.isStopping = true }
            bell.ring()
        }

        func run() {
            while true {
                let rings = bell.count
                while let body = next() { body() }
                if state.withLock({ $0.isStopping }) { return }
                bell.wait(after: rings, until: .distantFuture)
            }
        }

        private func next() -> (@Sendable () -> Void)? {
            state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        }
    }

    /// An answer on its way back.
    private final class Call<Answer: Sendable>: Sendable {
        private let answer = Mutex<Answer?>(nil)
        private let bell = Doorbell()

        func give(_ value: Answer) {
            answer.withLock { $0 = value }
            bell.ring()
        }

        func wait() -> Answer {
            while true {
                let rings = bell.count
                if let value = answer.withLock({ $0 }) { return value }
                bell.wait(after: rings, until: .distantFuture)
            }
        }
    }
}
