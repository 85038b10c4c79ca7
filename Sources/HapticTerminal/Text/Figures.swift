// SPDX-License-Identifier: MIT
package import HapticCore

/// Numbers for people: each kind in one form wherever it is shown. Counts have no separators. What a daemon says may be any number.
extension Words {
    /// `12.5 ms`, `1.6 s`, `2 min 5 s`; see `Nanoseconds.words`.
    package static func time(_ nanoseconds: Int64) -> String { Nanoseconds(nanoseconds).words }

    /// The same of a time in milliseconds; one that is too long for a `Nanoseconds` is shown as the longest.
    package static func time(milliseconds: Double) -> String { nanoseconds(milliseconds)?.words ?? "?" }

    /// `1 h`: how long something goes on; see `Nanoseconds.wordsLeft`.
    static func left(milliseconds: Double) -> String { nanoseconds(milliseconds)?.wordsLeft ?? "?" }

    private static func nanoseconds(_ milliseconds: Double) -> Nanoseconds? {
        guard !milliseconds.isNaN else { return nil }
        let count = (milliseconds * 1e6).rounded()
        return Nanoseconds(Int64(exactly: count) ?? (count < 0 ? -.max : .max))
    }

    /// How long somebody waited: to a tenth of a second, and below half of that to a millisecond, rounded up.
    static func about(_ nanoseconds: Int64) -> String {
        let (tenth, millisecond): (Int64, Int64) = (100_000_000, 1_000_000)
        let wait = min(max(0, nanoseconds), .max - tenth)
        let tenths = (wait + tenth / 2) / tenth
        return time(tenths > 0 ? tenths * tenth : (wait + millisecond - 1) / millisecond * millisecond)
    }

    /// `0.8 of 1.6 s`: always as wide, for a bar that is drawn again and again.
    package static func seconds(_ done: Nanoseconds, of all: Nanoseconds) -> String { "\(tenths(done)) of \(tenths(all)) s" }

    private static func tenths(_ time: Nanoseconds) -> String {
        let tenths = (time.count + 50_000_000) / 100_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// To a tenth of a percent: `84.1%`.
    package static func percent(_ share: Double) -> String {
        let percent = (share * 1000).rounded() / 10
        return percent.isFinite ? "\(plain(percent))%" : "?"
    }

    /// `512 MiB`, rounded down.
    package static func mebibytes(_ bytes: UInt64) -> String { "\(bytes / 1_048_576) MiB" }

    /// The same of a number of KiB, as `/proc` gives it.
    package static func mebibytes(kibibytes: Int) -> String { mebibytes(UInt64(max(0, kibibytes)) * 1024) }

    /// Just this number; without a fraction where there is none.
    static func plain(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
    }
}
