// SPDX-License-Identifier: MIT
public import HapticWire

extension HapticClient {
    /// Sends a `play`, whose answer is a `PlayResult`. A pattern that is too long for a line goes in several (`PlayParams.parts`), of
    /// `WireLimit.patternInParts` bytes at most; each part but the last waits for its answer, up to `timeout` seconds. The last one has
    /// a deadline of two seconds unless it names one: a slow board takes longer to put a large pattern together than a class allows.
    ///
    /// - Returns: The id by which the answer is taken, or given up.
    public func send(_ play: PlayParams, timeout: Double? = patience) throws(ClientError) -> RequestID {
        let parts = play.parts()
        for part in parts.dropLast() {
            do throws(ClientError) {
                _ = try patiently(.play, part, as: PlayPartResult.self, timeout: timeout)
            } catch {
                // The pattern is refused up to its last part.
                if case .refused = error { giveUp(try send(.play, PlayParams.noMore)) }
                throw error
            }
        }
        // trap: a play has one part at least.
        var last = parts.last!
        if parts.count > 1, last.deadlineMs == nil { last.deadlineMs = 2000 }
        return try send(.play, last)
    }
}
