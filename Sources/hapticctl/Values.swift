// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticCore
import HapticTerminal
import HapticText
import HapticWire

/// How values are written on the command line. Each error says what would be right.
enum Values {
    /// `20ms`, `1.6s`; more than 0.
    @Sendable static func duration(_ text: String) throws -> Nanoseconds {
        guard let duration = Nanoseconds(unitText: text), duration > .zero else {
            let isPlain = Double(text).map { $0 > 0 } ?? false
            throw ValidationError(
                isPlain
                    ? "a time has a unit: `\(text)s` or `\(text)ms`"
                    : "give a time above 0 with its unit, such as `20ms` or `1.6s`")
        }
        return duration
    }

    /// `0s`, `30s`.
    @Sendable static func patience(_ text: String) throws -> Nanoseconds {
        if let time = Nanoseconds(unitText: text), time == .zero { return time }
        return try duration(text)
    }

    /// `0.4` or `40%`.
    @Sendable static func share<Meaning>(_ text: String) throws -> UnitValue<Meaning> {
        guard let share = UnitValue<Meaning>(shareText: text) else {
            let isPercent = Double(text).map { $0 > 1 && $0 <= 100 } ?? false
            throw ValidationError(
                "give a number in 0…1, such as `0.4`, or a percentage, such as `40%`"
                    + (isPercent ? "; did you mean `\(text)%`?" : ""))
        }
        return share
    }

    /// More than 0 and at most 1.
    @Sendable static func step(_ text: String) throws -> Double {
        let share: Share = try share(text)
        guard share.value > 0 else { throw ValidationError("a step is more than 0, such as `0.01` or `1%`") }
        return share.value
    }

    /// 0 or more.
    @Sendable static func amount(_ text: String) throws -> Double {
        guard let number = Double(text), number.isFinite, number >= 0 else {
            throw ValidationError("give a number that is 0 or more, such as `0.0007`")
        }
        return number
    }

    /// More than 0.
    @Sendable static func positive(_ text: String) throws -> Double {
        guard let number = Double(text), number.isFinite, number > 0 else {
            throw ValidationError("give a number above 0, such as `100`")
        }
        return number
    }

    /// Of a pattern, an actuator, an event or a set: 1 to 256 bytes without control characters.
    @Sendable static func name(_ text: String) throws -> String { try clean(text, "a name") }

    /// Of whom or what an input is about: as a name.
    @Sendable static func id(_ text: String) throws -> String { try clean(text, "an id") }

    /// Of a hold: as an id, but its events have longer names.
    @Sendable static func holdID(_ text: String) throws -> String { try clean(text, "the id of a hold", most: WireLimit.holdID) }

    private static func clean(_ text: String, _ what: String, most: Int = WireLimit.text) throws -> String {
        let isClean = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
        guard (1...most).contains(text.utf8.count), isClean else {
            throw ValidationError("\(what) has 1 to \(most) bytes and no control characters; give such a one")
        }
        if text.hasTooManyMarks {
            throw ValidationError("there are more than \(String.mostMarks) marks on one letter; leave some out")
        }
        return text
    }

    /// The name of an app: 1 to 128 bytes without control characters.
    @Sendable static func app(_ text: String) throws -> String {
        guard (1...WireLimit.app).contains(text.utf8.count) else {
            throw ValidationError("the name of an app has 1 to \(WireLimit.app) bytes; give such a one")
        }
        return try name(text)
    }

    /// `80%`; `default` is what the configuration says.
    @Sendable static func strength(_ text: String) throws -> NewSettings.Change<Strength> {
        if text == "default" { return .restore }
        if let strength = Strength(percentText: text) { return .set(strength) }
        // Of 1 nobody knows which of the two it is.
        let share = Double(text).flatMap { $0 > 0 ? Strength($0) : nil }.map { "`\(Words.percent($0.value))` or " } ?? ""
        let hint = Strength(percentText: text + "%").map { _ in "; did you mean \(share)`\(text)%`?" } ?? ""
        throw ValidationError("a strength is a percentage from 0% to 150%, or `default`\(hint)")
    }

    /// `quiet`; `default` is what the configuration says.
    @Sendable static func profile(_ text: String) throws -> NewSettings.Change<Profile> {
        if text == "default" { return .restore }
        guard let profile = Profile(text: Text(text)) else {
            let candidates = Profile.allCases.map(\.rawValue) + ["default"]
            throw ValidationError(unknownMessage("word", text, candidates: candidates))
        }
        return .set(profile)
    }

    /// `22:00-07:00`.
    @Sendable static func hours(_ text: String) throws -> (from: TimeOfDay, to: TimeOfDay) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { TimeOfDay($0) }
        guard ends.count == 2, let from = ends[0], let to = ends[1] else {
            throw ValidationError("quiet hours are two times without spaces, such as `22:00-07:00`, or `none` or `default`")
        }
        guard from != to else {
            throw ValidationError("these hours begin when they end; for whole days write `00:00-24:00`")
        }
        return (from, to)
    }

    /// `mon,tue`.
    @Sendable static func days(_ text: String) throws -> Set<Weekday> {
        Set(try text.split(separator: ",", omittingEmptySubsequences: false).map { try choice(String($0)) })
    }

    /// A text with `*` and `?` as wildcards.
    @Sendable static func glob(_ text: String) throws -> Glob { Glob(try name(text)) }

    /// A JSON scalar, else the text itself.
    @Sendable static func scalar(_ text: String) throws -> Scalar {
        if let scalar = Scalar(json: Array(text.utf8)) { return scalar }
        guard text.utf8.count <= WireLimit.text else {
            throw ValidationError("a value has at most \(WireLimit.text) bytes; give a shorter one")
        }
        return .string(Text(text))
    }

    /// From one actuator to the next; the daemon knows how many there are.
    @Sendable static func stagger(_ text: String) throws -> Nanoseconds {
        let time = try duration(text)
        if time.inMilliseconds <= WireLimit.staggerMilliseconds { return time }
        throw ValidationError("the last actuator begins at most 1s after the first; give a shorter time, such as `60ms`")
    }

    /// `right` or `right:200ms`: an actuator, and how long it takes to get there.
    @Sendable static func handOver(_ text: String) throws -> HandOverParams {
        guard let colon = text.lastIndex(of: ":") else { return HandOverParams(to: try name(text)) }
        let end = String(text[text.index(after: colon)...])
        guard let time = Nanoseconds(unitText: end) else {
            // An actuator's name may have a colon, and even a number behind it.
            if decimalNumber(end) == nil { return HandOverParams(to: try name(text)) }
            throw ValidationError(
                "a time has a unit: `\(text)ms`; where that is the actuator's name, add a time, as in `\(text):200ms`")
        }
        guard time > .zero, time.inMilliseconds <= WireLimit.handOverMilliseconds else {
            throw ValidationError("a hand-over takes a time above 0 and at most 10s, such as `right:200ms`")
        }
        return HandOverParams(to: try name(String(text[..<colon])), durationMs: time.inMilliseconds)
    }

    /// `off`, `normal`, or the name of a pattern.
    @Sendable static func feedback(_ text: String) throws -> FeedbackReference {
        switch text {
        case "normal": .normal
        case "off": .off
        default: .pattern(.named(try name(text)))
        }
    }

    /// What a task comes to.
    @Sendable static func taskState(_ text: String) throws -> TaskState {
        if let state = TaskState(text: Text(text)) { return state }
        let words = unknownMessage("state", text, candidates: TaskState.allCases.map(\.rawValue))
        throw ValidationError("\(words); a command stands behind `--`, as in `hapticctl task backup -- COMMAND`")
    }

    /// One of the words of a closed list.
    @Sendable static func choice<Choice: CaseIterable & RawRepresentable<String>>(_ text: String) throws -> Choice {
        guard let choice = Choice(text: Text(text)) else {
            throw ValidationError(unknownMessage("word", text, candidates: Choice.allCases.map(\.rawValue)))
        }
        return choice
    }

    /// A playback's number.
    @Sendable static func playback(_ text: String) throws -> PlaybackID {
        guard let number = UInt64(text), number > 0, number <= Int64.max else {
            throw ValidationError("a playback is a whole number from 1 on, as `play` and `monitor` show it")
        }
        return PlaybackID(number)
    }

    @Sendable static func count(in range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
        { text in
            guard let number = Int(text), range.contains(number) else {
                throw ValidationError("give a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }
}
