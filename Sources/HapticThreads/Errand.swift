// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc
public import HapticCore

/// Something that may hang, done on a thread of its own for who must not hang with it.
public final class Errand: Sendable {
    private let body: @Sendable () -> Void
    /// Rung once.
    private let end = Doorbell()

    /// Starts it. Where there is no thread to be had it is done before this returns.
    public init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
        let context = Unmanaged.passRetained(self)
        let error = clinux_start_thread("hapticd-errand", context.toOpaque()) { context in
            // trap: pthread_create gives the thread what it was given, and that is never nil.
            Unmanaged<Errand>.fromOpaque(context!).takeRetainedValue().run()
        }
        guard error != 0 else { return }
        context.release()
        run()
    }

    /// Waits until it is done, to `deadline` at most; whether it is. One that is not goes on. One thread.
    public func isDone(by deadline: MonotonicInstant) -> Bool {
        while end.count == 0, SystemClock.now < deadline { end.wait(after: 0, until: deadline) }
        return end.count > 0
    }

    private func run() {
        body()
        end.ring()
    }
}
