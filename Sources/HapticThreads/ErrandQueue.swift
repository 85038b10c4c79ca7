// SPDX-License-Identifier: MIT
private import Synchronization

/// Errands that must not run side by side, done in order on a thread that lives only while there is something to do.
///
/// One that hangs holds up those behind it and nobody else. Where there is no thread to be had they are done before `add` returns.
/// As many may wait as who adds lets wait: of a device one opening or closing, and the preparations that clients may await.
public final class ErrandQueue: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isBusy = false
    }

    private let state = Mutex(State())

    public init() {}

    /// Has `body` done once all that was added before it is done. Does not wait for that. Any thread.
    public func add(_ body: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            state.waiting.append(body)
            guard !state.isBusy else { return false }
            state.isBusy = true
            return true
        }
        if isFirst { _ = Errand { self.run() } }
    }

    private func run() {
        while let body = next() { body() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isBusy = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
