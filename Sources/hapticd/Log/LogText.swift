// SPDX-License-Identifier: MIT
private import Glibc

/// Entries of the log as they are written: lines for people, fields for the journal.
enum LogText {
    /// `2026-11-21T06:30:36Z notice hapticd: text`
    static func plain(_ entry: LogEntry) -> String {
        "\(instant(entry.time)) \(entry.level) hapticd: \(escaped(entry.message))"
    }

    /// `<5>text`: what a journal that reads standard error takes for a level (sd-daemon(3)). It adds the time and the name itself.
    static func prefixed(_ entry: LogEntry) -> String { "<\(entry.level.priority)>\(escaped(entry.message))" }

    /// `NAME=value` of each field, as sd_journal_sendv(3) takes them. A value ends where its bytes end, whatever is in it.
    static func journal(_ entry: LogEntry) -> [[UInt8]] {
        let own = [
            "MESSAGE=\(escaped(entry.message))", "PRIORITY=\(entry.level.priority)", "SYSLOG_IDENTIFIER=hapticd",
        ]
        return (own + entry.fields.map { "\($0.name)=\($0.value)" }).map { Array($0.utf8) }
    }

    /// On one line, and harmless to a terminal: what clients make up must neither look like an entry of its own nor move the cursor.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isDangerous) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where isDangerous(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Controls, ends of lines, and what turns the direction of writing.
    private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .format: true
        default: false
        }
    }

    private static func instant(_ time: Int) -> String {
        var seconds = time
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
