// SPDX-License-Identifier: MIT
import Testing

/// The options and commands that the help of a program lists.
struct HelpList {
    /// As `--pattern`.
    let options: [String]
    /// As `play`.
    let commands: [String]

    init(of program: String, _ arguments: [String] = [], in folder: TemporaryFolder? = nil) throws {
        let ended = try Program(program, arguments + ["--help"], in: folder ?? TemporaryFolder()).wait()
        let lines = ended.output.split(separator: "\n")
        options = lines.filter { $0.hasPrefix("  -") }.compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("--") }.map(String.init)
        }
        commands = lines.drop { !$0.hasSuffix("SUBCOMMANDS:") }.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }.filter { !$0.hasPrefix("See") }
    }
}

/// Expects each command of hapticctl in one of the two lists, and nothing else in either.
///
/// - Parameters:
///   - tested: The commands of a test's command lines.
///   - others: The commands that the test leaves out, each with the reason.
func expectEveryCommand(
    in tested: some Sequence<String>, or others: [String: String], sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let commands = try HelpList(of: "hapticctl").commands
    #expect((Array(Set(tested)) + others.keys).sorted() == commands.sorted(), sourceLocation: sourceLocation)
}
