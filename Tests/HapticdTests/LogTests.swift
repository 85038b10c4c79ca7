// SPDX-License-Identifier: MIT
import HapticCore
import Logging
import Testing

@testable import hapticd

@Suite("The log")
struct LogTests {
    /// An id that a client made up.
    private let hostile = "a\nPRIORITY=0\nMESSAGE=forged\u{1b}[2J\u{202e}\u{2028}ü"

    private func text(_ field: [UInt8]) -> String { String(decoding: field, as: UTF8.self) }

    @Test("A line for people has the time, the level and the name")
    func plain() {
        let entry = LogEntry(.notice, "ready ü", metadata: ["source": "a"], time: 1_795_242_636)
        #expect(LogText.plain(entry) == "2026-11-21T06:30:36Z notice hapticd: ready ü")
    }

    @Test(
        "Levels are those of the journal",
        arguments: [
            (.trace, 7), (.debug, 7), (.info, 6), (.notice, 5), (.warning, 4), (.error, 3), (.critical, 2),
        ] as [(Logger.Level, Int)])
    func levels(level: Logger.Level, priority: Int) {
        let entry = LogEntry(level, "text", time: 0)
        #expect(LogText.prefixed(entry) == "<\(priority)>text")
        #expect(LogText.journal(entry).map(text) == ["MESSAGE=text", "PRIORITY=\(priority)", "SYSLOG_IDENTIFIER=hapticd"])
    }

    @Test("Text of a client stays one line, and moves no cursor")
    func escaping() {
        let escaped = hostile.printable
        #expect(escaped == #"a\nPRIORITY=0\nMESSAGE=forged\u{1b}[2J\u{202e}\u{2028}ü"#)
        #expect("\r\t\0\u{7f}\u{85}".printable == #"\r\t\u{0}\u{7f}\u{85}"#)
        let entry = LogEntry(.debug, "event \(hostile)", time: 0)
        for line in [LogText.plain(entry), LogText.prefixed(entry)] {
            #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{2028}" && $0 != "\u{202e}" })
        }
    }

    @Test("A client's text in the journal is printable, and makes no field of its own")
    func fields() {
        let entry = LogEntry(.debug, "event \(hostile)", metadata: ["source": "\(hostile)", "outcome": "played"], time: 0)
        let fields = LogText.journal(entry).map(text)
        #expect(fields.count == 5)
        #expect(fields[0].hasPrefix("MESSAGE=event a\\n"))
        #expect(fields[3...] == ["HAPTICD_OUTCOME=played", "HAPTICD_SOURCE=\(hostile.printable)"])
    }

    @Test("The name of a field is one that the journal takes")
    func names() {
        #expect(LogEntry.Field("retry-after ms=\nä", "").name == "HAPTICD_RETRY_AFTER_MS___")
        #expect(LogEntry.Field("source", "").name == "HAPTICD_SOURCE")
    }

    @Test("The log goes to the journal only if systemd connected standard error to it")
    func destination() {
        func choose(_ stream: String?, hasJournal: Bool = true) -> LogDestination {
            LogDestination(journalStream: stream, device: 9, inode: 123, hasJournal: hasJournal)
        }
        #expect(choose("9:123") == .journal)
        #expect(choose("9:123", hasJournal: false) == .prefixed)
        for stream in [nil, "", "9:124", "8:123", "9:1234", "9:123:"] { #expect(choose(stream) == .plain) }
    }

    @Test("Entries past the bound of the log are left out and counted in a line at their place")
    func bound() throws {
        var backlog = LogBacklog()
        func entry(_ number: Int) -> LogEntry { LogEntry(.info, "\(number)", time: 0) }
        let woken = (1...LogBacklog.capacity + 7).count { backlog.add(entry($0)) }
        #expect(woken == 1, "the writer is woken once")
        var written: [LogEntry] = []
        for _ in 1...LogBacklog.capacity / 2 { if let next = backlog.next(at: 0) { written.append(next) } }
        // There is room again, but none before it has read what is missing.
        let wakes = backlog.add(entry(0))
        #expect(!wakes)
        while let next = backlog.next(at: 5) { written.append(next) }
        #expect(written.count == LogBacklog.capacity + 1)
        #expect(written.dropLast().map(\.message) == (1...LogBacklog.capacity).map { "\($0)" })
        let last = try #require(written.last)
        #expect(last.message.hasPrefix("8 entries were left out here"))
        #expect((last.level, last.time) == (.warning, 5))
        let wakesAgain = backlog.add(entry(1))
        #expect(wakesAgain)
        #expect(backlog.isWriting)
    }
}
