// SPDX-License-Identifier: MIT
internal import Logging

/// One entry of the log, before it is known where it goes.
struct LogEntry: Hashable, Sendable {
    /// What a program can look for, such as `HAPTICD_SOURCE=upload-1`.
    struct Field: Hashable, Sendable {
        /// Capital letters, digits and `_`, as the journal wants it.
        let name: String
        /// Anything: ids and names that clients make up.
        var value: String

        init(_ key: String, _ value: String) {
            let letters = key.uppercased().unicodeScalars.map { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                    ? Character(scalar) : "_"
            }
            name = "HAPTICD_" + String(letters)
            self.value = value
        }
    }

    var level: Logger.Level
    var message: String
    /// In the order of their names.
    var fields: [Field] = []
    /// Seconds since 1970.
    var time: Int

    init(_ level: Logger.Level, _ message: String, metadata: Logger.Metadata = [:], time: Int) {
        self.level = level
        self.message = message
        self.time = time
        fields = metadata.sorted { $0.key < $1.key }.map { Field($0.key, "\($0.value)") }
    }
}

extension Logger.Level {
    /// The level of syslog and of the journal: 7 is debug, 3 an error.
    var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
