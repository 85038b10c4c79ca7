// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire

/// How the daemon is, in one sentence.
struct StatusVerdict: Hashable, Sendable {
    enum Grade: Hashable, Sendable {
        /// All that is configured can be felt, on time.
        case ready
        /// Something can be felt, but not all of it, or not on time.
        case limited
        /// Nothing can be felt.
        case unfelt
    }

    let grade: Grade
    let sentence: String

    init(_ status: StatusResult) {
        let (all, missing) = (status.lateness.count, status.unavailable.count)
        let late = status.lateness.filter { Lateness($0) > .onTime }
        if all == 0 {
            (grade, sentence) = (.unfelt, "Nothing can be felt: no actuator is configured.")
        } else if missing >= all {
            let which = all == 1 ? "the actuator is missing" : "all \(all) actuators are missing"
            (grade, sentence) = (.unfelt, "Nothing can be felt: \(which).")
        } else if let silence = SettingWords.silence(status.settings) {
            let way = status.settings.off == nil ? "`hapticctl settings` shows them" : "`hapticctl on` switches it on"
            (grade, sentence) = (.limited, "Ready, but \(silence): \(way).")
        } else if status.profile == .silent {
            (grade, sentence) = (.limited, "Ready, but silenced: `hapticctl profile full` brings everything back.")
        } else if let conditions = SettingWords.conditions(status.settings) {
            (grade, sentence) = (.limited, "Ready, but \(conditions): `hapticctl why` tells whether that changed an input.")
        } else if missing > 0 {
            (grade, sentence) = (.limited, "Ready, but \(missing) of \(all) actuators \(missing == 1 ? "is" : "are") missing.")
        } else if let first = late.first {
            (grade, sentence) = (.limited, "Ready, but \(first.of) is \(Lateness(first).words).")
        } else {
            (grade, sentence) = (.ready, "Ready: \(Words.count(all, "actuator")), on time.")
        }
    }

    var colour: Console.Colour {
        switch grade {
        case .ready: .green
        case .limited: .yellow
        case .unfelt: .red
        }
    }
}

/// How late actuations are, by the 99th percentile. A hand takes what comes within 5 ms for the instant itself; from 20 ms on a
/// rhythm is no longer even (`docs/performance.md`).
enum Lateness: Int, Comparable {
    case unknown, onTime, aLittleLate, late

    init(_ row: StatusResult.Percentiles) {
        self =
            switch row.p99Ns {
            case _ where row.count == 0: .unknown
            case ...5_000_000: .onTime
            case ...20_000_000: .aLittleLate
            default: .late
            }
    }

    static func < (a: Lateness, b: Lateness) -> Bool { a.rawValue < b.rawValue }

    var words: String {
        switch self {
        case .unknown: "not used yet"
        case .onTime: "on time"
        case .aLittleLate: "a little late"
        case .late: "late"
        }
    }
}
