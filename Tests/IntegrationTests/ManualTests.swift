// SPDX-License-Identifier: MIT
import Foundation
import HapticConfig
import HapticFormats
import HapticText
import TestSupport
import Testing

@Suite("The man pages", .ownThreads, .enabled(if: isInstalled("python3") && isInstalled("go-md2man")))
struct ManualTests {
    /// Made once, for all tests.
    private static let made: Result<TemporaryFolder, any Error> = Result {
        let folder = try TemporaryFolder()
        let maker = package.appendingPathComponent("scripts/make-man").path
        let made = try Program(maker, [programs.path, folder.path("man")], in: folder).wait()
        try #require(made.status == 0, "\(made.errors)")
        atexit { _ = try? FileManager.default.removeItem(at: ManualTests.made.get().url) }
        return folder
    }

    private let folder: TemporaryFolder

    init() throws { folder = try Self.made.get() }

    /// A page without roff's escapes.
    private func page(_ name: String) throws -> String {
        var text = try folder.read("man/\(name)")
        for escape in ["fB", "fI", "fP", "fR", "&"] { text = text.replacingOccurrences(of: #"\"# + escape, with: "") }
        return text.replacingOccurrences(of: #"\-"#, with: "-")
    }

    /// What stands below a heading, up to the next one of the same or a higher rank.
    private func section(_ heading: String, of page: String) throws -> Substring {
        let start = try #require(page.range(of: "\n\(heading)\n"), "there is no \(heading)")
        let ends = heading.hasPrefix(".SS") ? ["\n.SS ", "\n.SH "] : ["\n.SH "]
        let rest = page[start.upperBound...]
        return rest[..<(ends.compactMap { rest.range(of: $0)?.lowerBound }.min() ?? rest.endIndex)]
    }

    private func isEntry(_ option: String, of section: Substring) -> Bool {
        ["\(option)\n", "\(option) ", "-h, \(option)\n", "\(option), -q\n", "\(option), -o ", "-o, \(option) "].contains {
            section.contains(".TP\n" + $0)
        }
    }

    @Test("The pages hapticctl(1) and hapticd(8) have every command and every option")
    func hapticctl() throws {
        let page = try page("hapticctl.1")
        let commands = try HelpList(of: "hapticctl", in: folder).commands
        #expect(commands.count >= 15)
        let common = try section(".SH OPTIONS", of: page)
        for command in commands {
            let section = try section(".SS \(command)", of: page)
            let options = try HelpList(of: "hapticctl", [command], in: folder).options
            #expect(options.contains("--json"))
            for option in options {
                #expect(isEntry(option, of: section) || isEntry(option, of: common), "\(command) \(option)")
            }
        }
        let section = try section(".SH OPTIONS", of: self.page("hapticd.8"))
        let options = try HelpList(of: "hapticd", in: folder).options
        #expect(options.contains("--config"))
        for option in options { #expect(isEntry(option, of: section), "\(option)") }
    }

    private func names(in text: some StringProtocol) -> Set<Substring> {
        Set(String(text).split { !$0.isLetter && !$0.isNumber }.map { Substring(String($0)) })
    }

    @Test("Every key of the configuration is in its man page")
    func configurationKeys() throws {
        let words = try names(in: page("hapticd.yaml.5"))
        for key in try keys(of: Configuration.members) { #expect(words.contains(Substring(key)), "\(key)") }
    }

    @Test("Every key of a pattern is documented, in the man page and in its source")
    func patternKeys() throws {
        let words = try names(in: page("hapticd-patterns.5"))
        let text = try String(contentsOf: package.appendingPathComponent("docs/patterns.md"), encoding: .utf8)
        // What stands in backquotes or in an example.
        let code = text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
        let documented = names(in: code.map(\.element).joined(separator: " "))
        for key in try keys(of: PatternReader.members) {
            #expect(words.contains(Substring(key)), "hapticd-patterns.5: \(key)")
            #expect(documented.contains(Substring(key)), "docs/patterns.md: \(key)")
        }
    }

    private func keys(of members: [Member]) throws -> [String] {
        let keys = Set(Member.Kind.object(members).members.map(\.name))
        try #require(keys.count > 20)
        return keys.sorted()
    }

    @Test("No man page makes groff or mandoc warn", .enabled(if: isInstalled("man") && isInstalled("mandoc")))
    func warnings() throws {
        let check = package.appendingPathComponent("scripts/check-man").path
        let ended = try Program(check, [folder.path("man")], in: folder).wait()
        #expect(ended.status == 0, "\(ended.errors)")
    }
}
