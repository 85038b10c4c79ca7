// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticConfig
import HapticCore
import HapticFormats
import HapticJSON
import HapticPatterns
import HapticWire

struct Patterns: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the patterns, or show one of them.",
        discussion: """
            Examples:

              hapticctl patterns
              hapticctl patterns success
              hapticctl patterns ./mine.yaml

            A pattern file needs no daemon.
            """)

    @Argument(
        help: ArgumentHelp("Only this one; a path with a `/` or ending in `.yaml` is a file.", valueName: "name|file"),
        completion: .pattern)
    var name: String?

    @OptionGroup var common: CommonOptions

    func run() throws {
        let console = common.console()
        if let name, PatternFile.isFile(name) { return try showFile(name, console) }
        let result = try common.connect().call(.patterns, NoParams(), as: PatternsResult.self)
        if let name {
            guard let pattern = result.patterns.first(where: { Text($0.name) == Text(name) }) else {
                throw Failure(unknownMessage("pattern", name, candidates: result.patterns.map(\.name)))
            }
            try console.writeJSON(pattern)
            try show([pattern], console)
            if !console.isJSON { try draw(pattern, console) }
        } else {
            try console.writeJSON(result)
            try show(result.patterns, console)
        }
        try console.flush()
    }

    private func showFile(_ path: String, _ console: Console) throws {
        let pattern = try PatternFile.read(path)
        let result = PatternResult(name: pattern.name, description: pattern.summary, timeline: Timeline(pattern))
        try console.writeJSON(result)
        try show([result], console)
        if !console.isJSON {
            try console.say("")
            try draw(.inline(PatternWriter.tree(pattern)), console)
        }
        try console.flush()
    }

    private func draw(_ pattern: PatternReference, _ console: Console) throws {
        let board = try SimulatedBoard(.builtIn, console)
        _ = try board.send(.play(PlayParams(pattern: pattern)))
        try board.finish()
    }

    /// The daemon says how long and how strong a pattern is, not what it is made of.
    private func draw(_ pattern: PatternResult, _ console: Console) throws {
        try console.say("")
        let known = Configuration.builtIn.patterns[Text(pattern.name)].map {
            PatternResult(name: $0.name, description: pattern.description, timeline: Timeline($0))
        }
        guard known == pattern else {
            return try console.say("Not a built-in pattern: `hapticctl patterns FILE` draws its file.")
        }
        try draw(.named(pattern.name), console)
    }

    private func show(_ patterns: [PatternResult], _ console: Console) throws {
        let rows = patterns.map { pattern in
            [pattern.name, "\(Words.plain(pattern.feltMs)) ms", Words.percent(pattern.peak), pattern.description]
        }
        for line in Table.lines([["NAME", "FELT FOR", "PEAK", "WHAT IT MEANS"]] + rows) { try console.say(line) }
    }
}
