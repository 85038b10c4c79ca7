// SPDX-License-Identifier: MIT
import Glibc

/// When output has colour.
package enum ColourUse: String, CaseIterable {
    case auto, always, never
}

/// What the terminal can show, and the environment says it should.
package struct Terminal: Hashable, Sendable {
    /// Standard output is one, and so is standard error.
    package var outputIsTerminal: Bool
    package var errorIsTerminal: Bool
    /// Standard input is one: somebody can answer.
    package var inputIsTerminal = false
    /// In characters.
    package var width: Int
    /// In lines.
    var height: Int
    package var isUnicode: Bool
    var hasColour: Bool
    /// It is not of the kind `dumb`.
    package var movesCursor: Bool

    private static let (standardWidth, standardHeight) = (80, 24)

    static func current(colour: ColourUse = .auto) -> Terminal {
        var terminal = Terminal(
            environment: Environment.value, outputIsTerminal: isatty(STDOUT_FILENO) == 1,
            errorIsTerminal: isatty(STDERR_FILENO) == 1, reportedWidth: reportedSize()?.width,
            reportedHeight: reportedSize()?.height)
        terminal.inputIsTerminal = isatty(STDIN_FILENO) == 1
        if colour != .auto { terminal.hasColour = colour == .always }
        return terminal
    }

    init(
        environment: (String) -> String?, outputIsTerminal: Bool, errorIsTerminal: Bool, reportedWidth: Int?,
        reportedHeight: Int? = nil
    ) {
        func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").lowercased()
        let isCapable = value("TERM") != "dumb"
        movesCursor = isCapable
        self.outputIsTerminal = outputIsTerminal
        self.errorIsTerminal = errorIsTerminal && isCapable
        width = value("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? reportedWidth ?? Self.standardWidth
        height = reportedHeight ?? Self.standardHeight
        isUnicode = locale.contains("utf-8") || locale.contains("utf8")
        hasColour = outputIsTerminal && isCapable && value("NO_COLOR") == nil
    }

    /// Of help texts, in characters: narrower and longer lines are hard to read.
    package static var helpWidth: Int { min(max(current().width, 40), 100) }

    /// What its pictures are made of.
    package var glyphs: TimelinePicture.Glyphs { isUnicode ? .blocks : .ascii }

    private static func reportedSize() -> (width: Int, height: Int)? {
        var size = winsize()
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        {
            return (Int(size.ws_col), max(1, Int(size.ws_row)))
        }
        return nil
    }
}
