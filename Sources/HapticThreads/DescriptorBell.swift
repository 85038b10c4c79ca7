// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc
private import Synchronization

/// Waits on a thread of its own for descriptors that their owner reads itself, and rings a bell, which is another descriptor, for the loop
/// on which the owner lives. (The loop can watch a descriptor by itself, but then it also reads what is there.)
///
/// Each descriptor is reported once, and again after `rearm`. So no more wait for `take` than there are descriptors.
public final class DescriptorBell: Sendable {
    public struct Ready: Hashable, Sendable {
        public var token: UInt64
        /// It has come to its end, or is broken.
        public var hasEnded: Bool

        public init(token: UInt64, hasEnded: Bool) {
            self.token = token
            self.hasEnded = hasEnded
        }
    }

    private let shared: Shared

    /// `name`: of the thread, at most 15 characters. Nil where there is no thread, or no descriptor, to be had.
    public init?(name: String) {
        guard let shared = Shared() else { return nil }
        self.shared = shared
        let context = Unmanaged.passRetained(shared)
        let error = clinux_start_thread(name, context.toOpaque()) { context in
            // trap: pthread_create gives the thread what it was given, and that is never nil.
            Unmanaged<Shared>.fromOpaque(context!).takeRetainedValue().run()
        }
        guard error != 0 else { return }
        context.release()
        return nil
    }

    deinit { clinux_eventfd_signal(shared.end) }

    /// Has something to read where `take` has.
    public var descriptor: Int32 { shared.bell }

    /// Waits for a descriptor, which stays its owner's. `token` is above 0. Whether it can be waited for. Any thread.
    public func add(_ descriptor: Int32, token: UInt64) -> Bool { clinux_readiness_add(shared.set, descriptor, token) == 0 }

    /// Waits again for one that was reported. Any thread.
    public func rearm(_ descriptor: Int32, token: UInt64) { _ = clinux_readiness_again(shared.set, descriptor, token) }

    /// To be called before it is closed. It may be reported once more. Any thread.
    public func remove(_ descriptor: Int32) { clinux_readiness_remove(shared.set, descriptor) }

    /// What has something to read. Any thread.
    public func take() -> [Ready] { shared.take() }

    private final class Shared: Sendable {
        let set: Int32
        let bell: Int32
        let end: Int32
        private let ready = Mutex<[Ready]>([])

        init?() {
            (set, bell, end) = (clinux_readiness(), clinux_eventfd(), clinux_eventfd())
            guard set >= 0, bell >= 0, end >= 0, clinux_readiness_add(set, end, 0) == 0 else { return nil }
        }

        deinit { for descriptor in [set, bell, end] where descriptor >= 0 { close(descriptor) } }

        func run() {
            var found = [clinux_ready](repeating: clinux_ready(), count: 16)
            while true {
                let count = clinux_readiness_wait(set, &found, Int32(found.count))
                // It can only be that the set is broken, and nothing is reported any more.
                guard count >= 0 else { return }
                let reported = found.prefix(Int(count))
                if reported.contains(where: { $0.token == 0 }) { return }
                guard !reported.isEmpty else { continue }
                ready.withLock { $0 += reported.map { Ready(token: $0.token, hasEnded: $0.has_ended) } }
                clinux_eventfd_signal(bell)
            }
        }

        func take() -> [Ready] {
            clinux_eventfd_clear(bell)
            return ready.withLock { ready in
                defer { ready = [] }
                return ready
            }
        }
    }
}
