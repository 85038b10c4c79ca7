// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import HapticEngine
import HapticReplay
import TestSupport
import Testing

/// The first 174 lines of a journal that commit 59b82775 recorded,
/// before there were conditions and scopes. They have inputs of all kinds.
@Suite("The journal of an older release")
struct OlderJournalTests {
    private static let file = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "fixtures/journal/0.1.0.journal")

    @Test("It replays to the same decisions, endings and actuations, bit for bit", .enabled(if: isProcessorOfTheJournal))
    func replay() throws {
        let lines = try Data(contentsOf: Self.file).split(separator: UInt8(ascii: "\n")).map { [UInt8]($0) }
        #expect(lines.count == 174)
        if isRewritingSnapshots { return try Self.recordAgain(lines) }
        var replay = try Replay(lines[0])
        for line in lines.dropFirst() { _ = try replay.take(line) }
    }

    /// After an intended change of decisions: replaces the digests. The rest stays as the older release wrote it.
    private static func recordAgain(_ lines: [[UInt8]]) throws {
        guard case .begin(let begin) = try JournalRecord(line: lines[0], patterns: [:]) else { return }
        var loop = FeedbackLoop(begin.configuration)
        var text = String(decoding: lines[0], as: UTF8.self) + "\n"
        for line in lines.dropFirst() {
            let record = try JournalRecord(line: line, patterns: loop.engine.configuration.patterns)
            guard case .event(let entry) = record else { continue }
            loop.forgetActions()
            loop.take(entry.event, at: entry.at)
            let result = try JournalDigest.of(loop.actions)
            text += String(decoding: line, as: UTF8.self).replacing("\"\(entry.result)\"", with: "\"\(result)\"") + "\n"
        }
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
}

/// Whether `exp`, `sin`, `cos` and `log` have the same last bits as on the processor of the journal. The C library has variants
/// with and without fused multiplication, and the digests of a journal cover every bit of a level.
private let isProcessorOfTheJournal: Bool = {
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    for number in 1...4096 {
        let x = Double(number) / 257
        for value in [exp(-x), sin(x), cos(x), log(x)] { digest = (digest ^ value.bitPattern) &* 0x100_0000_01b3 }
    }
    return digest == 0x639f_5f9d_a70b_76df
}()
