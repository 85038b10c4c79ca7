// SPDX-License-Identifier: MIT
import Glibc
import HapticClient
import HapticCore
package import HapticText
import HapticWire

/// Standard output and standard error, as one command uses them: the one way to them.
///
/// What it writes is printable, wherever it comes from: ids, names and values that others made up, what a daemon says, what a
/// file is called.
package final class Console {
    package enum Colour: String {
        case green = "32"
        case yellow = "33"
        case red = "31"
        case dim = "2"
    }

    /// One JSON text a line on standard output, nothing else.
    package let isJSON: Bool
    /// Nothing for people on standard output.
    private let isQuiet: Bool
    package private(set) var terminal: Terminal
    private let colour: ColourUse
    private var pending: [UInt8] = []
    private var bar: ProgressBar?
    private var lastDrawn: Int64 = 0
    private var isDrawn = false
    /// Shown below all other lines while it may still change: on a terminal only, and not with `--json`.
    package var lastLine: [Span]?
    private var isLastLineDrawn = false

    /// A bar is redrawn at most this often: 20 times a second.
    static let redrawInterval: Int64 = 50_000_000

    package init(isJSON: Bool, isQuiet: Bool = false, colour: ColourUse = .auto) {
        self.isJSON = isJSON
        self.isQuiet = isQuiet
        self.colour = colour
        terminal = .current(colour: colour)
    }

    /// An error that ends the command is not to be written behind the bar or the last line.
    deinit {
        eraseBar()
        if isLastLineDrawn { try? Outlet.write(Array(Self.erased.utf8), to: STDOUT_FILENO) }
    }

    // MARK: Lines

    /// A part of a line.
    package struct Span {
        package var text: String
        var colour: Colour?

        package init(_ text: String, _ colour: Colour? = nil) {
            self.text = text
            self.colour = colour
        }
    }

    /// A line for people: nothing with `--json`.
    package func say(_ line: String) throws(Failure) { try say([Span(line)]) }

    /// The same in parts. One line comes of it, whatever is in them.
    package func say(_ spans: [Span]) throws(Failure) {
        guard !isJSON, !isQuiet else { return }
        try append(Array((spans.map(shown).joined() + "\n").utf8))
    }

    /// A line of a file that was asked for: also with `--quiet`.
    package func emit(_ line: String, alsoAsJSON: Bool = false) throws(Failure) {
        guard !isJSON || alsoAsJSON else { return }
        try append(Array((line.printable + "\n").utf8))
    }

    /// A question, on the line that its answer is typed on.
    package func ask(_ question: String) throws(Failure) {
        try append(Array(question.printable.utf8))
        try flush()
    }

    /// A line for programs: nothing without `--json`. `value` is an object.
    package func writeJSON(_ value: some Encodable) throws(Failure) {
        guard isJSON else { return }
        try append(JSONLines.line(value))
    }

    /// Writes all that has been said; needed while a command goes on, not at its end.
    package func flush() throws(Failure) {
        eraseBar()
        // After a failure the rest is not written later.
        defer { pending.removeAll(keepingCapacity: true) }
        let last = showsLastLine ? lastLine : nil
        // Drawn often enough for an eye.
        let isDue = last == nil || !pending.isEmpty || MonotonicClock.now - lastDrawn >= Self.redrawInterval
        guard isLastLineDrawn || last != nil else { return try Outlet.write(pending, to: STDOUT_FILENO) }
        guard isDue else { return }
        var bytes = Array((isLastLineDrawn ? Self.erased : "").utf8) + pending
        if let last {
            measureTerminal()
            lastDrawn = MonotonicClock.now
            bytes += Array(cut(last, to: terminal.width - 1).map(shown).joined().utf8)
        }
        isLastLineDrawn = last != nil
        try Outlet.write(bytes, to: STDOUT_FILENO)
    }

    private static let erased = "\r\u{1b}[K"

    private var showsLastLine: Bool { terminal.outputIsTerminal && terminal.movesCursor && !isJSON && !isQuiet }

    /// As much of `spans` as fits into so many columns.
    private func cut(_ spans: [Span], to width: Int) -> [Span] {
        var room = width
        return spans.map { span in
            var text = String.UnicodeScalarView()
            for scalar in span.text.printable.unicodeScalars {
                room -= scalar.columns
                guard room >= 0 else { break }
                text.append(scalar)
            }
            return Span(String(text), span.colour)
        }
    }

    /// To standard error. For people it begins with the program's name: in a pipeline its lines stand between those of others.
    package func warn(_ message: String) {
        eraseBar()
        guard isJSON else { return Self.complain("hapticctl: \(message)") }
        if let line = try? JSONLines.line(WarningLine(warning: .init(message: message))) { Self.writeError(line) }
    }

    /// What of a file was left out or taken otherwise than it says, on standard error.
    package func note(_ notes: [Diagnostic]) {
        eraseBar()
        for note in notes {
            guard isJSON else {
                Self.complain("note: \(note)")
                continue
            }
            if let line = try? JSONLines.line(WarningLine(warning: .init(message: note.description))) { Self.writeError(line) }
        }
    }

    /// Why a command ends, on standard error; as one line with `isJSON`.
    package static func complain(_ failure: Failure, isJSON: Bool) {
        guard isJSON else {
            for line in failure.lines where !line.isEmpty { complain(line) }
            return
        }
        if let line = try? JSONLines.line(ErrorLine(failure: failure)) { writeError(line) }
    }

    private static func complain(_ line: String) {
        writeError((Canary.is("raw-text-in-errors") ? line : line.printable) + "\n")
    }

    // MARK: The screen

    /// A terminal may have got another size.
    package func measureTerminal() { terminal = .current(colour: colour) }

    /// Draws what was said since the last time in the place of what was drawn then, as much as there is room for, and below it how to end
    /// it. With `--json` it is written as ever.
    package func drawScreen() throws(Failure) {
        guard !isJSON else { return try flush() }
        defer { pending.removeAll(keepingCapacity: true) }
        let lines = pending.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        var screen = Array("\u{1b}[H".utf8)
        let shown = lines.prefix(terminal.height - 1)
        for line in shown { screen += line + Array("\u{1b}[K\r\n".utf8) }
        let rest = lines.count - shown.count
        let more = rest > 0 ? "\(Words.count(rest, "more line")) below; " : ""
        let keys = terminal.inputIsTerminal ? "q or Ctrl-C" : "Ctrl-C"
        screen += Array((self.shown(.init("\(more)\(keys) ends this", .dim)) + "\u{1b}[K").utf8)
        try Screen.draw(screen + Array("\u{1b}[J".utf8))
    }

    private func shown(_ span: Span) -> String {
        let text = span.text.printable
        guard let colour = span.colour, terminal.hasColour else { return text }
        return "\u{1b}[\(colour.rawValue)m\(text)\u{1b}[0m"
    }

    private func append(_ bytes: [UInt8]) throws(Failure) {
        pending += bytes
        if pending.count > 65_536 { try flush() }
    }

    // MARK: The progress bar

    /// Whether one is shown: on a terminal only, and not with `--json`.
    package var showsBar: Bool { terminal.errorIsTerminal && !isJSON && !isQuiet }

    package func beginBar(_ label: String) {
        guard showsBar else { return }
        bar = ProgressBar(label: label, width: terminal.width - 1, isUnicode: terminal.isUnicode)
    }

    /// Where it is due; the last call of many may show nothing.
    package func drawBar(_ share: Double, note: String) {
        guard let bar, MonotonicClock.now - lastDrawn >= Self.redrawInterval else { return }
        lastDrawn = MonotonicClock.now
        isDrawn = true
        Self.writeError("\r\u{1b}[K" + bar.line(share, note: note).printable)
    }

    private func eraseBar() {
        guard isDrawn else { return }
        isDrawn = false
        Self.writeError("\r\u{1b}[K")
    }

    /// Where it fails there is nowhere else to say so.
    private static func writeError(_ text: String) { writeError(Array(text.utf8)) }
    private static func writeError(_ bytes: [UInt8]) { try? Outlet.write(bytes, to: STDERR_FILENO) }
}
