// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticCore

/// Entries of the log as they are written: lines for people, fields for the journal. All of it is printable: what clients make up must
/// neither look like an entry of its own nor move the cursor of whoever reads it.
enum LogText {
    /// `2026-11-21T06:30:36Z notice hapticd: text`
    static func plain(_ entry: LogEntry) -> String {
        "\(instant(entry.time)) \(entry.level) hapticd: \(entry.message.printable)"
    }

    /// `<5>text`: what a journal that reads standard error takes for a level (sd-daemon(3)). It adds the time and the name itself.
    static func prefixed(_ entry: LogEntry) -> String { "<\(entry.level.priority)>\(entry.message.printable)" }

    /// `NAME=value` of each field, as sd_journal_sendv(3) takes them.
    static func journal(_ entry: LogEntry) -> [[UInt8]] {
        let own = [
            "MESSAGE=\(entry.message.printable)", "PRIORITY=\(entry.level.priority)", "SYSLOG_IDENTIFIER=hapticd",
        ]
        return (own + entry.fields.map { "\($0.name)=\($0.value.printable)" }).map { Array($0.utf8) }
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
