// SPDX-License-Identifier: MIT
public import HapticWire

extension HapticClient {
    /// Sends a `play`, whose answer is a `PlayResult`. A pattern that is too long for a line goes in several (`PlayParams.parts`), of
    /// `WireLimit.patternInParts` bytes at most; each part but the last waits for its answer, up to `timeout` seconds. Such a play has
    /// happened when the daemon has put it together, unless it has an `atNs`: that may take longer than the deadline of its class.
    ///
    /// After an error a pattern may have begun. The next one that goes in several lines ends it first, and so does closing the connection.
    ///
    /// - Returns: The id by which the answer is taken, or given up.
    public func send(_ play: PlayParams, timeout: Double? = patience) throws(ClientError) -> RequestID {
        let parts = play.parts()
        // trap: a play has one part at least.
        let last = parts.last!
        guard parts.count > 1 else { return try request(stamp(last)) }
        if hasSentParts { try endFormerPattern(timeout: timeout) }
        hasSentParts = true
        for part in parts.dropLast() {
            _ = try patiently(part, as: PlayPartResult.self, timeout: timeout)
        }
        return try send(unstamped: last)
    }

    private func endFormerPattern(timeout: Double?) throws(ClientError) {
        do throws(ClientError) {
            _ = try patiently(PlayParams.noMore, as: PlayResult.self, timeout: timeout)
        } catch {
            // None has begun, or it was refused: both are over now.
            guard case .refused = error else { throw error }
        }
    }
}
