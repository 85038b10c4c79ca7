// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import HapticCore
import HapticFormats
import HapticPatterns
import HapticTerminal
import HapticText
import HapticYAML

struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a pattern file in another format.",
        discussion: """
            Examples:

              hapticctl convert Boing.ahap boing.yaml
              hapticctl convert ./mine.yaml - --to ahap

            Formats: our own (`yaml`), Apple's (`ahap`) and Lofelt's (`haptic`). What IN is, its text says, then its name; what OUT is to be, --to or its name. What the new file cannot hold is listed on standard error. Needs no daemon.
            """)

    @Argument(
        help: ArgumentHelp("The pattern file; `-` is standard input.", valueName: "in"), completion: .file())
    var input: String

    @Argument(
        help: ArgumentHelp("The new file; `-` is standard output, with --to.", valueName: "out"), completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp("Its format: yaml, ahap or haptic. (default: as its name ends)", valueName: "format"),
        completion: .list(PatternFormat.allCases.map(\.rawValue)), transform: Values.choice)
    var to: PatternFormat?

    @Flag(help: "Replace OUT where it is there already.")
    var force = false

    @OptionGroup var common: CommonOptions

    private var isToOutput: Bool { output == "-" }

    func validate() throws {
        if input.isEmpty || output.isEmpty {
            throw ValidationError("a file's name is empty; give both, as in `hapticctl convert IN OUT`")
        }
        guard to != nil || !isToOutput else {
            throw ValidationError("standard output has no name to go by; give --to, as in `--to ahap`")
        }
        guard to != nil || PatternFormat(fileName: output) != nil else {
            let endings = PatternFormat.allCases.flatMap(\.fileExtensions).map { ".\($0)" }.joined(separator: ", ")
            throw ValidationError(
                "\(quoted(output)) does not say which format it is to be; give --to, or a name that ends in \(endings)")
        }
        if to != nil { try checkOutput() }
    }

    private func checkOutput() throws {
        guard isToOutput, common.json else { return }
        throw ValidationError("--json and a file on standard output do not go together; give OUT a name, or leave out --json")
    }

    func run() throws {
        let console = common.console()
        let read = try read()
        // trap: `validate` has seen that one of them says it.
        let format = to ?? PatternFormat(fileName: output)!
        let written: WrittenFile
        do throws(UnwritablePattern) {
            written = try PatternFiles.write(read.pattern, as: format)
        } catch {
            throw Failure("\(error)")
        }
        let uses = format == .yaml ? PatternUse.foreignNames(in: read.pattern) : []
        if !uses.isEmpty, !isToOutput { try checkUses(written.text, read.pattern) }
        if isToOutput {
            let text = written.text.hasSuffix("\n") ? String(written.text.dropLast()) : written.text
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) { try console.emit(String(line)) }
            try console.flush()
        } else {
            try WholeFile.write(written.text, to: output, replacing: force)
        }
        // Of a file that is there now: beside a failure they would say nothing.
        console.note(read.notes)
        for loss in written.losses { console.warn("lost: \(loss)") }
        if !uses.isEmpty, isToOutput {
            let names = uses.map(quoted).joined(separator: ", ")
            console.warn("it uses \(names), which it has to find beside the file that it is put into")
        }
        if !isToOutput {
            try console.writeJSON(
                ConversionRow(
                    input: input, output: output, from: read.format.rawValue, to: format.rawValue, pattern: read.pattern.name,
                    notes: read.notes.map(\.description), losses: written.losses))
            let lost = written.losses.isEmpty ? "nothing is lost" : "\(Words.count(written.losses.count, "thing")) lost"
            try console.say(
                "\(output): \(read.pattern.name), \(read.pattern.duration.words), from \(read.format.rawValue); \(lost)")
        }
        try console.flush()
    }

    /// The new file names other patterns, too. It has to find the same ones where it is.
    private func checkUses(_ text: String, _ pattern: Pattern) throws(Failure) {
        let wayOut =
            "put the files of the patterns that it uses beside it first, or convert it to ahap or haptic, which take them in"
        let bytes = Array(text.utf8)
        let again: Pattern
        do throws(InvalidDocument) {
            let known = try PatternLibrary.patterns(for: bytes, of: output, files: .disk)
            again = try PatternFiles.read(bytes, file: output, known: known).pattern
        } catch {
            let reason = error.diagnostics.first?.message ?? ""
            throw Failure("\(output) would not be read where it is to be: \(reason); \(wayOut)", code: .unwritable)
        }
        guard again == pattern else {
            throw Failure("\(output) would find other patterns beside it than those that it uses; \(wayOut)", code: .unwritable)
        }
    }

    private func read() throws(Failure) -> ReadPattern {
        // Our own files say what the pattern is called; that of another one is called as the new file, which is how a daemon looks for it.
        let name = isToOutput ? nil : PatternFormat.patternName(output)
        guard input == "-" else {
            return try PatternFile.parse(PatternFile.bytes(of: input, orName: false), file: input, foreignName: name)
        }
        let bytes: [UInt8]
        do throws(FileAccess.Failure) {
            bytes = try StandardInput.readAll(YAML.Limit.bytes)
        } catch {
            throw Failure("cannot read standard input: \(error.reason); give it one pattern file", code: .unreadable)
        }
        return try PatternFile.parse(bytes, file: "standard input", foreignName: name ?? "inline")
    }
}

/// What `convert --json` says.
struct ConversionRow: Encodable {
    var input: String
    var output: String
    var from: String
    var to: String
    var pattern: String
    var notes: [String]
    var losses: [String]
}
