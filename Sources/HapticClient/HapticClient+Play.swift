// SPDX-License-Identifier: MIT
public import HapticWire

extension HapticClient {
    /// Sends a `play`, whose answer is a `PlayResult`. A pattern that is too long for a line goes in several (`PlayParams.parts`), of
    /// `WireLimit.patternInParts` bytes at most; each part but the last waits for its answer, up to `timeout` seconds. Such a play has
    /// happened when the daemon has put it together, unless it has an `atNs`: that may take longer than the deadline of its class.
    ///
    /// If this fails, the next pattern can be sent on the same connection, except after `closed` and `interrupted`.
    ///
    /// - Returns: The id by which the answer is taken, or given up.
    public func send(_ play: PlayParams, timeout: Double? = patience) throws(ClientError) -> RequestID {
        let parts = play.parts()
        // trap: a play has one part at least.
        let last = parts.last!
        guard parts.count > 1 else { return try send(.play, last) }
        for part in parts.dropLast() {
            do throws(ClientError) {
                _ = try patiently(.play, part, as: PlayPartResult.self, timeout: timeout)
            } catch {
                abandonParts(after: error, timeout: timeout)
                throw error
            }
        }
        return try send(unstamped: last)
    }

    /// Ends a pattern that has begun. The daemon refuses this part, too.
    private func abandonParts(after error: ClientError, timeout: Double?) {
        switch error {
        case .closed, .interrupted: break
        default: _ = try? patiently(.play, PlayParams.noMore, as: PlayResult.self, timeout: timeout)
        }
    }
}
