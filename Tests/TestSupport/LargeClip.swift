// SPDX-License-Identifier: MIT

/// A clip as audio tools export them: larger than a line of the wire.
public enum LargeClip {
    /// A `.haptic` file of `points` points of amplitude over `seconds`, every 17th with an emphasis, and half as many of frequency. Always the
    /// same.
    public static func haptic(seconds: Double, points: Int) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(points))
        func times(_ count: Int) -> [Double] {
            [0] + (0..<count - 2).map { _ in Double.random(in: 0...seconds, using: &random) }.sorted() + [seconds]
        }
        var level = 0.3
        let amplitude = times(points).enumerated().map { index, time in
            level = min(1, max(0, level + Double.random(in: -0.2...0.2, using: &random)))
            if index == points - 1 { level = 0 }
            guard index % 17 == 8, level < 0.9 else { return #"{"time": \#(time), "amplitude": \#(level)}"# }
            let emphasis = #"{"amplitude": \#(level + 0.1), "frequency": \#(Double.random(in: 0...1, using: &random))}"#
            return #"{"time": \#(time), "amplitude": \#(level), "emphasis": \#(emphasis)}"#
        }
        let frequency = times(points / 2).map {
            #"{"time": \#($0), "frequency": \#(Double.random(in: 0...1, using: &random))}"#
        }
        let envelopes =
            #"{"amplitude": [\#(amplitude.joined(separator: ", "))], "frequency": [\#(frequency.joined(separator: ", "))]}"#
        let metadata =
            #"{"editor": "a studio", "author": "", "source": "rain.wav", "project": "", "tags": [], "description": ""}"#
        let text =
            #"{"version": {"major": 1, "minor": 0, "patch": 0}, "metadata": \#(metadata), "signals": {"continuous": {"envelopes": \#(envelopes)}}}"#
        return Array(text.utf8)
    }
}
