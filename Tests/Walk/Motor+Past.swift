// SPDX-License-Identifier: MIT

/// What a motor was at some time.
extension Motor {
    func level(at instant: Int64) -> Double { history[index(at: instant)].level }

    /// The last off up to `instant`; nil where there is none.
    func lastOff(before instant: Int64) -> Int64? {
        for index in stride(from: index(at: instant), through: 0, by: -1) where history[index].level == 0 {
            // Of several offs the one that ended an on.
            if index == 0 || history[index - 1].level != 0 { return history[index].at }
        }
        return nil
    }

    func lastRise(before instant: Int64) -> Int64 {
        var index = index(at: instant)
        while index > 0, history[index - 1].level != 0 { index -= 1 }
        return history[index].at
    }

    /// How long it was on in the 10 s before, and in how many pulses.
    func onTime(until instant: Int64) -> (on: Int64, pulses: Int) {
        let start = instant - 10_000_000_000
        var (on, pulses, end) = (Int64(0), 0, instant)
        for index in stride(from: index(at: instant), through: 0, by: -1) {
            if history[index].level != 0 {
                on += end - max(start, history[index].at)
                if index == 0 || history[index - 1].level == 0 { pulses += 1 }
            }
            end = history[index].at
            if end <= start { break }
        }
        return (on, pulses)
    }

    /// The end of a stretch on that was as long as it may be, in `from`…`to`.
    func cutByMaxOn(from: Int64, to: Int64) -> Bool {
        guard let maxOn = limits.maxOn else { return false }
        for index in stride(from: index(at: to), to: 0, by: -1) where history[index].level == 0 && history[index - 1].level != 0 {
            if history[index].at < from { return false }
            var first = index - 1
            while first > 0, history[first - 1].level != 0 { first -= 1 }
            // It may have begun late, after a gap that a disturbance moved; the engine counts from when it was to begin.
            let delay = isDisturbed(history[first].at - limits.minGap - 300_000_000, history[first].at) ? limits.minGap : 0
            if history[index].at - history[first].at >= maxOn - delay - jitter { return true }
        }
        return false
    }

    /// How often it went on in `from`…`to`.
    func rises(from: Int64, to: Int64) -> Int {
        var count = 0
        for index in stride(from: index(at: to), to: 0, by: -1) {
            if history[index].at < from { break }
            if history[index].level != 0, history[index - 1].level == 0 { count += 1 }
        }
        return count
    }
}
