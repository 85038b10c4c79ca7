// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticCore
import HapticFormats
import HapticTerminal
import HapticText
import HapticWire

struct Patterns: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the patterns, or show one of them.",
        discussion: """
            Examples:

              hapticctl patterns
              hapticctl patterns success
              hapticctl patterns ./mine.yaml

            A pattern file needs no daemon. Without one the built-in patterns are listed.
            """)

    /// A daemon that answers late, or has very many patterns, is not to keep a list waiting.
    private static let mostAsked = 128
    /// In columns of a terminal: leaves room for the descriptions beside larger pictures.
    private static let roomy = 100

    @Argument(
        help: ArgumentHelp(
            "Only this one; \(PatternFile.help), is a file.", valueName: "name|file"),
        completion: .pattern)
    var name: String?

    @OptionGroup var common: CommonOptions

    func run() throws {
        let console = common.console()
        if let name, PatternFile.isFile(name) {
            let read = try PatternFile.read(name)
            console.note(read.notes)
            return try show(KnownPattern.result(read.pattern), console)
        }
        let client: HapticClient
        do throws(ClientError) {
            client = try common.connect()
        } catch {
            guard case .noDaemon = error, common.socket == nil, Environment.value("HAPTICD_SOCKET")?.isEmpty ?? true else {
                throw error
            }
            return try showBuiltIn(console)
        }
        if let name { return try show(KnownPattern.ask(client, name), console) }
        let result = PatternsResult(patterns: try client.allPatterns())
        try console.writeJSON(result)
        if !console.isJSON { try list(result.patterns, outlines(of: result.patterns, client), console) }
        try console.flush()
    }

    /// Without a daemon. One whose socket was named is missed.
    private func showBuiltIn(_ console: Console) throws {
        let known = KnownPattern.allBuiltIn
        let found = name.map { name in known.filter { Text($0.name) == Text(name) } } ?? known
        if let name, found.isEmpty { throw Self.unknown(name, in: known) }
        console.warn("no hapticd was asked, because none is there: this is built in; `hapticctl status` says more")
        if name != nil, let pattern = found.first { return try show(pattern, console) }
        let plain = found.map { pattern in
            var plain = pattern
            plain.outline = nil
            return plain
        }
        try console.writeJSON(PatternsResult(patterns: plain))
        try list(found, found.map(\.outline), console)
        try console.flush()
    }

    /// What is nearest to it, and not all there are.
    private static func unknown(_ name: String, in patterns: [PatternResult]) -> Failure {
        Failure(UnknownWord(pattern: name, candidates: patterns.map(\.name)).message, code: .unknownName)
    }

    /// One with its picture.
    private func show(_ pattern: PatternResult, _ console: Console) throws {
        let outline = try pattern.ownOutline
        var plain = pattern
        plain.outline = nil
        try console.writeJSON(plain)
        try list([pattern], [outline], console)
        try console.say("")
        let picture = OutlinePicture(outline: outline, glyphs: console.terminal.glyphs)
        for line in picture.lines(width: console.terminal.width) { try console.say(line) }
        try console.flush()
    }

    /// The daemon is asked for those that are not built in. A list is shown without what it refuses.
    private func outlines(of patterns: [PatternResult], _ client: HapticClient) -> [Outline?] {
        var asked = 0
        return patterns.map { pattern in
            if let outline = KnownPattern.builtInOutline(pattern) { return outline }
            guard asked < Self.mostAsked else { return nil }
            asked += 1
            let outline = (try? KnownPattern.ask(client, pattern.name))?.outline
            if outline == nil { asked = Self.mostAsked }
            return outline
        }
    }

    private func list(_ patterns: [PatternResult], _ outlines: [Outline?], _ console: Console) throws {
        let width = console.terminal.outputIsTerminal ? console.terminal.width : nil
        let isNarrow = width.map { $0 < Self.roomy } ?? false
        let columns = isNarrow ? OutlinePicture.smallWidth : OutlinePicture.largerSmallWidth
        let pictures = outlines.map {
            $0.map { OutlinePicture(outline: $0, glyphs: console.terminal.glyphs).small(columns) } ?? ""
        }
        for line in PatternTable(width: width, patterns: patterns, pictures: pictures).lines { try console.say(line) }
    }
}
