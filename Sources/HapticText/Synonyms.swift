// SPDX-License-Identifier: MIT
package import HapticCore

/// Words that newcomers write in place of ours. All lookups use this table: of keys, values, patterns, methods and commands.
package enum Synonyms {
    /// Words that people try for plain pulses, each as an entry of `words`.
    static let pulses: [(word: String, meant: [String])] = [
        ("pulse", ["pulses", "play"]), ("pulses", ["play"]), ("vibrate", ["play", "continuous"]),
        ("vibration", ["pattern", "continuous"]),
        ("buzz", ["play", "continuous"]), ("rumble", ["play", "continuous"]),
    ]

    /// The other words, each with the possible meanings; the first meaning that its place takes counts.
    static let words: [(word: String, meant: [String])] = [
        // Keys
        ("pin", ["line"]), ("gpio", ["line"]), ("offset", ["line", "at"]), ("invert", ["activeLow"]), ("inverted", ["activeLow"]),
        ("freq", ["frequency", "pwm"]), ("frequency", ["pwm"]), ("driver", ["backend"]), ("type", ["backend", "kind"]),
        ("kind", ["type"]), ("device", ["match", "actuators"]), ("motor", ["actuators", "model"]), ("motors", ["actuators"]),
        ("name", ["match", "pattern", "use", "model"]), ("id", ["match", "name"]), ("event", ["match", "name"]),
        ("percent", ["value"]),
        ("pattern", ["use"]), ("effect", ["pattern", "use"]), ("haptic", ["pattern", "use"]), ("strength", ["intensity"]),
        ("amplitude", ["intensity"]), ("level", ["intensity"]), ("power", ["intensity"]), ("volume", ["intensity", "strength"]),
        ("time", ["at"]), ("delay", ["at"]), ("length", ["duration"]), ("ease", ["curve"]), ("easing", ["curve"]),
        ("loop", ["repeat"]), ("repetitions", ["repeat"]),
        // Values and patterns
        ("tap", ["transient", "tick"]), ("click", ["transient", "tick"]), ("sustained", ["continuous"]), ("failure", ["error"]),
        ("failed", ["error"]), ("fail", ["error"]), ("succeeded", ["success"]), ("done", ["success", "succeeded"]),
        ("ok", ["success", "succeeded"]),
        // Methods and commands
        ("emit", ["event"]), ("notify", ["event"]), ("send", ["event"]), ("trigger", ["event"]), ("stop", ["cancel"]),
        ("mute", ["off"]), ("unmute", ["on"]), ("watch", ["monitor"]), ("log", ["monitor"]),
        ("listen", ["monitor", "subscribe"]),
        ("check", ["check-config"]), ("validate", ["check-config"]), ("draw", ["render"]), ("preview", ["render"]),
        ("explain", ["why"]), ("devices", ["actuators"]),
    ]

    /// Units of time, in small letters.
    static let units: [(word: String, unit: String)] = [
        ("nsec", "ns"), ("nanosecond", "ns"), ("nanoseconds", "ns"), ("usec", "us"), ("µs", "us"), ("microsecond", "us"),
        ("microseconds", "us"), ("msec", "ms"), ("msecs", "ms"), ("millis", "ms"), ("millisecond", "ms"),
        ("milliseconds", "ms"), ("sec", "s"), ("secs", "s"), ("second", "s"), ("seconds", "s"), ("min", "m"), ("mins", "m"),
        ("minute", "m"), ("minutes", "m"), ("hr", "h"), ("hrs", "h"), ("hour", "h"), ("hours", "h"), ("ns", "ns"), ("us", "us"),
        ("ms", "ms"), ("s", "s"), ("m", "m"), ("h", "h"),
    ]

    private static let meanings = Dictionary((pulses + words).map { (Text($0.word), $0.meant) }) { first, _ in first }
    private static let pulseWords = Set(pulses.map { Text($0.word) })
    private static let unitMeanings = Dictionary(units.map { (Text($0.word), $0.unit) }) { first, _ in first }

    /// Returns the candidate that `text` means, if the table has it.
    ///
    /// - Parameter text: In any case of ASCII.
    static func meaning(of text: String, among candidates: some Collection<String>) -> String? {
        guard let meant = meanings[key(text)] else { return nil }
        // On the wire a time has its unit in its name.
        return meant.lazy.compactMap { word in candidates.first { [Text(word), Text("\(word)Ms")].contains(Text($0)) } }.first
    }

    /// Returns whether `word`, in any case of ASCII, asks for plain pulses.
    package static func meansPulses(_ word: Text) -> Bool { word.utf8.count <= 64 && pulseWords.contains(key(word.string)) }

    /// Returns the duration that `text` means, as a file has it: `2s` for `2 sec`; `nil` if it means none.
    static func duration(_ text: String) -> String? {
        guard (1...40).contains(text.utf8.count) else { return nil }
        let isOfNumber: (Unicode.Scalar) -> Bool = { ("0"..."9").contains($0) || "+-.".unicodeScalars.contains($0) }
        let number = text.unicodeScalars.prefix(while: isOfNumber)
        let word = text.unicodeScalars[number.endIndex...].drop { $0 == " " }
        guard let unit = unitMeanings[key(String(word))] else { return nil }
        let meant = "\(String(number))\(unit)"
        return Nanoseconds(unitText: meant) == nil ? nil : meant
    }

    private static func key(_ text: String) -> Text { Text(String(decoding: lowercased(text), as: UTF8.self)) }
}
