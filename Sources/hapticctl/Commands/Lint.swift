// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticCore
import HapticTerminal

struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find what makes patterns feel wrong.",
        discussion: """
            Examples:

              hapticctl lint ./mine.yaml
              hapticctl lint ./mine.yaml success --motor coin
              hapticctl lint ./patterns/*.yaml --actuator main
              hapticctl lint ./mine.yaml --actuator '*'

            Each finding has its line, what is wrong, and a way out. With --motor it also finds what that motor does not make of them, fitted as well as can be; with --actuator, as they are played there; a `*` in the name judges each actuator that matches. Only --actuator needs a daemon, unless --config describes the actuator.

            Exit status: 0 without a finding, 1 with one.
            """)

    /// A directory of patterns has no more.
    private static let mostPatterns = 1024

    @Argument(
        help: ArgumentHelp("Built-in patterns' names, or pattern files: \(PatternFile.help).", valueName: "name|file"),
        completion: .pattern)
    var patterns: [String]

    @OptionGroup var motor: ConfiguredMotorOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if patterns.contains("") { throw ValidationError("a pattern's name is empty; name files, or patterns that are built in") }
        guard patterns.count <= Self.mostPatterns else {
            throw ValidationError("at most \(Self.mostPatterns) patterns are looked at together; give fewer")
        }
    }

    func run() throws {
        let console = common.console()
        let choices = try motor.choices(common, console)
        let linted = try patterns.map { try LintedPattern($0, console) }
        let rows = Findings.all(linted, on: choices)
        console.note(choices.flatMap { choice in linted.compactMap { choice.chargeNote(on: $0) } })
        for row in rows { try console.writeJSON(row) }
        for line in Findings.lines(rows, of: linted) { try console.say(line) }
        let what = "\(Words.count(rows.count, "finding")) in \(Words.count(linted.count, "pattern"))"
        try console.say(rows.isEmpty ? "\(Words.count(linted.count, "pattern")): ok" : what)
        try console.flush()
        guard !rows.isEmpty else { return }
        var failure = Failure(lines: [], code: .findings)
        failure.message = "\(what); each says a way out"
        throw failure
    }
}
