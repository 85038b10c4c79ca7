// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("Configurations and pattern files, as hapticctl reads them")
struct CheckConfigTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let pattern = """
        version: 1
        name: mine
        description: Of my own.
        tracks:
          - keyframes:
              - { at: 0ms, intensity: 1 }
              - { at: 90ms, intensity: 0 }

        """
    private static let broken = pattern.replacingOccurrences(of: "90ms", with: "90")

    @Test("`patterns FILE` lists the pattern of a file and draws it, without a daemon")
    func patternFile() throws {
        let file = try folder.write(Self.pattern, to: "mine.yaml")
        let shown = try runCtl(["patterns", file])
        #expect(shown.status == 0 && shown.errors.isEmpty, "\(shown)")
        let lines = shown.output.split(separator: "\n")
        let row = try #require(lines.dropFirst().first, "\(shown.output)")
        #expect(row.hasPrefix("mine ") && row.contains(" 90 ms ") && row.hasSuffix(" Of my own."), "\(row)")
        #expect(lines[0].hasPrefix("NAME ") && shown.output.contains("Digits: how sharp"), "\(shown.output)")
        let json = try runCtl(["patterns", "--json", file])
        #expect(json.status == 0 && json.objects.count == 1 && json.objects.first?.text("name") == "mine", "\(json)")
    }

    @Test("`patterns FILE` shows what is wrong with the file, with its line; a file that is not there is named")
    func brokenPatternFile() throws {
        let file = try folder.write(Self.broken, to: "mine.yaml")
        let ended = try runCtl(["patterns", file])
        #expect(ended.status == 1 && ended.output.isEmpty, "\(ended)")
        #expect(ended.errors.contains("\(file):7:15: tracks[0].keyframes[1].at: 90 has no unit"), "\(ended.errors)")
        #expect(ended.errors.contains("  7 |       - { at: 90, intensity: 0 }\n    |               ^\n"), "\(ended.errors)")
        let missing = try runCtl(["patterns", folder.path("other.yaml")])
        #expect(missing.status == 1 && missing.errors.contains("cannot read \(folder.path("other.yaml")): "), "\(missing)")
    }

    @Test("An error in a pattern file of the configuration is shown with the line of that file")
    func patternOfConfiguration() throws {
        try FileManager.default.createDirectory(atPath: folder.path("patterns"), withIntermediateDirectories: false)
        let pattern = try folder.write(Self.broken, to: "patterns/mine.yaml")
        let configuration = "version: 1\npatterns: [patterns]\nactuators: [{ name: main, backend: simulated }]\nprofile: loud\n"
        let ended = try runCtl(["check-config", folder.write(configuration, to: "hapticd.yaml")])
        #expect(ended.status == 1 && ended.errors.hasSuffix("\n2 errors\n"), "\(ended)")
        #expect(ended.errors.contains("/hapticd.yaml:4:10: profile: "), "\(ended.errors)")
        #expect(ended.errors.contains("  4 | profile: loud\n    |          ^\n"), "\(ended.errors)")
        #expect(ended.errors.contains("\(pattern):7:15: tracks[0].keyframes[1].at: 90 has no unit"), "\(ended.errors)")
        #expect(ended.errors.contains("  7 |       - { at: 90, intensity: 0 }\n    |               ^\n"), "\(ended.errors)")
    }

    @Test("A pattern file without an end is called as it is, and standard input as nothing")
    func noEnd() throws {
        let tap = #"{"Pattern": [{"Event": {"EventType": "HapticTransient"}}]}"#
        #expect(try runCtl(["check-config", folder.write(tap, to: "knock")]).output.contains(": ok, the pattern knock, "))
        #expect(try runCtl(["check-config", "-"], input: tap).output.contains("standard input: ok, the pattern inline, "))
    }

    @Test("What a conversion loses is said of a file that was written; of one that was not, only why")
    func losses() throws {
        let pattern = try folder.write(Self.pattern + "transition: bouncy\n", to: "mine.yaml")
        let output = folder.path("mine.haptic")
        let written = try runCtl(["convert", pattern, output])
        #expect(written.status == 0 && written.errors.contains("lost: How it takes over"), "\(written)")
        let again = try runCtl(["convert", pattern, output])
        #expect(again.status == 1 && !again.errors.contains("lost"), "\(again)")
        #expect(again.errors.split(separator: "\n").count == 1 && again.errors.contains("--force"), "\(again)")
    }

    @Test("`check-config --schema` prints the schema of either kind of file, and takes no file")
    func schema() throws {
        for (kind, key) in [("config", "actuators"), ("pattern", "tracks")] {
            let printed = try runCtl(["check-config", "--schema", kind])
            #expect(printed.status == 0 && printed.errors.isEmpty)
            let schema = try #require(printed.objects.first)
            let properties = try #require(schema["properties"] as? [String: Any])
            #expect(schema["$schema"] as? String == "http://json-schema.org/draft-07/schema#" && properties[key] != nil)
            #expect(try runCtl(["check-config", "--json", "--schema", kind]).output == printed.output)
        }
        let both = try runCtl(["check-config", "--schema", "config", "x.yaml"])
        #expect(both.status == 2 && both.errors.contains("--schema checks no file"), "\(both)")
        #expect(try runCtl(["check-config", "--schema", "patern"]).errors.contains("did you mean `pattern`?"))
    }
}
