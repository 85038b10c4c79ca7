// SPDX-License-Identifier: MIT
import HapticText
import Testing

@testable import hapticd

@Suite("Notes on pattern files in the log")
struct PatternNotesTests {
    private func note(_ message: String, count: Int = 1) -> Diagnostic {
        var note = Diagnostic(file: "pop.ahap", mark: SourceMark(line: 5, column: 16), message: message)
        note.count = count
        return note
    }

    @Test("A note is logged once, and again when it changes")
    func once() {
        var notes = PatternNotes()
        let sounds = ["a", "b"].map { note("left out: the sound of `\($0).wav`") }
        #expect(notes.lines([]).isEmpty)
        #expect(notes.lines(sounds) == sounds.map(\.description))
        #expect(notes.lines(sounds).isEmpty)
        #expect(notes.lines([sounds[0]]) == ["pop.ahap:5:16: left out: the sound of `a.wav`"])
        #expect(notes.lines([]).isEmpty)
        #expect(notes.lines([sounds[0]]).count == 1)
    }

    @Test("The log gets a bounded number of notes, and the number of the others")
    func bounded() {
        var notes = PatternNotes()
        let many = (0..<60).map { note("left out: \($0)") } + [note("7 more notes are not shown", count: 7)]
        let lines = notes.lines(many)
        #expect(lines.count == PatternNotes.most + 1)
        #expect(lines.last?.hasPrefix("17 more of pattern files; ") == true)
    }
}
