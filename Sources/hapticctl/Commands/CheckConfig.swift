// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import HapticConfig
import HapticCore
import HapticEngine
import HapticFormats
import HapticPatterns
import HapticPlanning
import HapticTerminal
import HapticText
import HapticYAML

struct CheckConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Find all errors of a configuration or a pattern file at once.",
        discussion: """
            Examples:

              hapticctl check-config
              hapticctl check-config ./hapticd.yaml
              sudo cat /etc/hapticd/hapticd.yaml | hapticctl check-config -
              hapticctl check-config --schema pattern >pattern.schema.json

            Each error has its line, its column and what would be right. A pattern of a rule that is too weak for the motors gives a note. Needs no daemon. The file may be for another machine: users, groups and devices that it names are not looked for; `hapticd --check` looks for the users and groups, and whether the directories of patterns and their files belong to whom the service trusts.
            """)

    /// The kinds of files that have a schema.
    enum Document: String, CaseIterable {
        case config, pattern

        var schema: JSONValue { self == .config ? Configuration.schema : PatternReader.schema }
    }

    @Argument(
        help: ArgumentHelp("The file; `-` is standard input; without it `\(ConfigurationFile.standardPath)`."),
        completion: .document)
    var file: String?

    @Option(
        help: ArgumentHelp(
            "Check nothing: print the JSON Schema by which editors help with such files: config or pattern.", valueName: "kind"),
        completion: .words(Document.self), transform: Values.choice)
    var schema: Document?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard schema != nil, let file else { return }
        throw ValidationError("--schema checks no file; leave out --schema or \(quoted(file))")
    }

    func run() throws {
        let console = common.console()
        if let schema {
            // The same with --json: it is a document of its own.
            try console.emit(String(decoding: JSONLine.bytes(schema.schema), as: UTF8.self), alsoAsJSON: true)
            return try console.flush()
        }
        let file = file ?? ConfigurationFile.standardPath
        var texts: [String: [UInt8]] = [:]
        let name = file == "-" ? "standard input" : file
        do {
            let text = try read(file, as: name)
            texts[name] = text
            if PatternFormat.of(text, file: name) != .yaml {
                // Standard input is not what a pattern could be called.
                let called = self.file == "-" ? PatternReader.inlineName : nil
                let read = try PatternFiles.read(text, file: name, expectedName: called)
                return try report(read, in: name, console)
            }
            let report = DocumentReport(file: name)
            guard let document = YAML.parse(text, report: report) else { throw InvalidDocument(report.diagnostics) }
            if Self.isPattern(document) {
                let known = try PatternLibrary.patterns(for: text, of: name, files: .disk)
                let pattern = try PatternReader.pattern(document, known: known, report: report)
                return try self.report(ReadPattern(pattern: pattern, format: .yaml), in: name, console)
            }
            let configuration = try Configuration.read(document, report: report, note: console.note)
            try console.say("\(name): ok, \(Self.summary(configuration))")
            console.note(
                try configuration.engineConfiguration().weakFeedback.map { Diagnostic(file: name, message: Words.weak($0)) })
            if Privilege.allCases.contains(where: { configuration.access[$0] != nil }) {
                try console.say("users and groups of `access` are not looked up here; `hapticd --check --config FILE` does")
            }
        } catch let error as InvalidDocument {
            for diagnostic in error.diagnostics { try console.writeJSON(Problem(diagnostic)) }
            try console.flush()
            let count = Words.count(error.count, "error")
            var failure = Failure(error, texts: texts)
            failure.lines.append(count)
            // They are on standard output.
            failure.details = []
            throw failure
        }
        try console.flush()
    }

    private func report(_ read: ReadPattern, in file: String, _ console: Console) throws {
        console.note(read.notes)
        try console.say("\(file): ok, the pattern \(read.pattern.name), \(read.pattern.duration.words)")
        try console.flush()
    }

    private func read(_ file: String, as name: String) throws -> [UInt8] {
        do throws(FileAccess.Failure) {
            return try file == "-" ? StandardInput.readAll(YAML.Limit.bytes) : FileAccess.disk.read(file, YAML.Limit.bytes)
        } catch {
            throw InvalidDocument([
                Diagnostic(file: name, message: "cannot be read: \(error.reason); name a configuration or a pattern file")
            ])
        }
    }

    /// Whether it is a pattern and no configuration, as far as can be seen: mistakes come later.
    private static func isPattern(_ document: Node) -> Bool {
        guard case .object(let members) = document.content else { return false }
        let keys = Set<Text>(members.map(\.key))
        // Newcomers write the keys of a track on top. `events` are rules of a configuration, too, but that has no name.
        let telling: Set<Text> = ["tracks", "pulses", "keyframes", "compose", "phases", "name"]
        return !keys.isDisjoint(with: telling) && !keys.contains("actuators")
    }

    private static func summary(_ configuration: Configuration) -> String {
        let names = configuration.actuators.map(\.name).joined(separator: ", ")
        return [
            "\(Words.count(configuration.actuators.count, "actuator"))\(names.isEmpty ? "" : " (\(names))")",
            Words.count(configuration.progressRules.count, "progress rule"),
            Words.count(configuration.eventRules.count, "event rule"),
            Words.count(configuration.collectionRules.count, "collection"),
            Words.count(configuration.taskRules.count, "task rule"),
            Words.count(configuration.holdRules.count, "hold"),
            Words.count(configuration.conditionRules.count, "condition"),
            Words.count(configuration.patterns.count, "pattern"), "profile \(configuration.profile.rawValue)",
        ].joined(separator: ", ")
    }
}
