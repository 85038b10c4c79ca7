// SPDX-License-Identifier: MIT

extension Nanoseconds {
    /// As people read it in messages and tables: `0.25 ms`, `12.5 ms`, `1.6 s`, `2 min 5 s`, `3 h 20 min`.
    ///
    /// Below a second in milliseconds, rounded to a thousandth of one; below a minute in seconds, rounded likewise; from there on in
    /// the two greatest units, without what is less. In files and on the command line a time is written as `description` has it.
    public var words: String {
        let size = count.magnitude
        let sign = count < 0 ? "-" : ""
        let microseconds = (size + 500) / 1000
        if microseconds == 0 { return "0 ms" }
        if microseconds < 1_000_000 { return "\(sign)\(Self.thousandths(microseconds)) ms" }
        let milliseconds = (size + 500_000) / 1_000_000
        if milliseconds < 60_000 { return "\(sign)\(Self.thousandths(milliseconds)) s" }
        return sign + Self.units(seconds: max(60, size / 1_000_000_000))
    }

    /// The same of a time that is left: to a second at least, and rounded up to the last unit that is said, so that what began as `1 h`
    /// is not `59 min 59 s` at once.
    public var wordsLeft: String {
        let seconds = max(1, (UInt64(max(0, count)) + 999_999_999) / 1_000_000_000)
        let unit: UInt64 = seconds < 3600 ? 1 : seconds < 86_400 ? 60 : 3600
        return Self.units(seconds: (seconds + unit - 1) / unit * unit)
    }

    /// Without zeros at the end.
    private static func thousandths(_ number: UInt64) -> String {
        guard number % 1000 > 0 else { return "\(number / 1000)" }
        var fraction = String(1000 + number % 1000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(number / 1000).\(fraction)"
    }

    private static func units(seconds: UInt64) -> String {
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
        ]
        return parts.drop { $0.0 == 0 }.prefix(2).filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: " ")
    }
}
