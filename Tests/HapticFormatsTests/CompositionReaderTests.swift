// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticPatterns
import HapticText
import HapticYAML
import TestSupport
import Testing

/// A directory of these files, by their names without the end.
private func library(_ files: [String: String]) throws -> (library: PatternLibrary, diagnostics: [String]) {
    let access = FileAccess(
        read: { _, _ throws(FileAccess.Failure) in throw FileAccess.Failure("not to be read") },
        directory: { _ throws(FileAccess.Failure) in
            FileAccess.Directory(names: files.keys.map { "\($0).yaml" }) { name, _ in
                let name = String(name.dropLast(".yaml".count))
                return Array("version: 1\nname: \(name)\n\(files[name] ?? "")\n".utf8)
            }
        })
    let directory = try PatternDirectory(path: "/p", files: access)
    var library = PatternLibrary()
    library.add(directory)
    let diagnostics = directory.diagnostics + library.resolve()
    return (library, diagnostics.map(\.description))
}

@Suite("The reader of composed patterns") struct CompositionReaderTests {
    @Test("Files use each other in whatever order they come")
    func filesUse() throws {
        let (library, diagnostics) = try library([
            "a": "compose: [{ use: b }, { use: tick, gap: 10ms }]", "b": "phases: [{ use: c }, { use: soft }]",
            "c": "tracks: [{ events: [{ at: 0ms, type: transient, intensity: 0.5 }] }]",
        ])
        #expect(diagnostics == [])
        let a = try #require(library.patterns["a"])
        // c and soft one after another, 10 ms, tick: 8 ms each.
        #expect(a.duration == .milliseconds(34))
        #expect(a.parts.map(\.pattern.name) == ["b", "tick"])
        #expect(a.level(at: .zero).intensity == Intensity(0.5))
    }

    @Test("A pattern of a directory stands for the built-in one of its name, also in those that use it")
    func patternDirectory() throws {
        let (library, diagnostics) = try library([
            "tick": "tracks: [{ events: [{ at: 0ms, type: transient, intensity: 0.125 }] }]", "a": "compose: [{ use: tick }]",
        ])
        #expect(diagnostics == [])
        #expect(library.patterns["a"]?.level(at: .zero).intensity == Intensity(0.125))
    }

    @Test("A circle is reported once; patterns that only lead into it are not reported")
    func circleReported() throws {
        let (found, diagnostics) = try library([
            "a": "compose: [{ use: b }]", "b": "compose: [{ use: tick }, { use: c }]", "c": "phases: [{ use: a }]",
            "d": "compose: [{ use: a }]", "e": "compose: [{ use: e }]",
        ])
        #expect(
            diagnostics == [
                "/p/a.yaml:3:18: compose[0].use: a pattern cannot be a part of itself: `a` uses `b`, which uses `c`, which uses `a`",
                "/p/e.yaml:3:18: compose[0].use: a pattern cannot be a part of itself: `e` uses `e`",
            ])
        #expect(found.patterns["d"] == nil)
        #expect(found.patterns["tick"] != nil)
    }

    @Test("The mistake of a file is not reported again by the files that use it")
    func mistakeFile() throws {
        let (found, diagnostics) = try library(["a": "compose: [{ use: b }]", "b": "tracks: []", "c": "compose: [{ use: a }]"])
        #expect(diagnostics.count == 1)
        #expect(diagnostics[0].hasPrefix("/p/b.yaml:3:9: tracks: "))
        #expect(found.patterns["a"] == nil)
        #expect(found.patterns["c"] == nil)
    }

    @Test("Every mistake is reported at its place, once")
    func mistakes() {
        let differences = TextCases.differences(in: "mistakes/composition") { text in
            do throws(InvalidDocument) {
                _ = try PatternReader.pattern(yaml: Array(text.utf8), file: "x.yaml")
                return []
            } catch {
                return error.diagnostics.map(\.description)
            }
        }
        #expect(differences == [])
    }

    @Test("A pattern that waits for a release cannot be a part of another one")
    func waitsRelease() throws {
        let (_, diagnostics) = try library([
            "hold": "phases: [{ use: press }, { use: ring, until: released }]", "a": "compose: [{ use: tick }, { use: hold }]",
            "b": "phases: [{ use: tick }, { use: hold, until: advanced }]",
        ])
        let reason =
            "the pattern `hold` waits for a release or an advance, so it cannot be a part of another one; use its phases themselves"
        #expect(diagnostics == ["/p/a.yaml:3:26: compose[1]: \(reason)", "/p/b.yaml:3:25: phases[1]: \(reason)"])
    }

    @Test("Patterns that are nested too deeply are refused in any order of reading")
    func patternsWithin() throws {
        var files = ["p1": "compose: [{ use: tick }]"]
        for depth in 2...8 { files["p\(depth)"] = "compose: [{ use: p\(depth - 1) }]" }
        let (found, diagnostics) = try library(files)
        #expect(
            diagnostics.map { $0.replacing("the pattern `p7` is composed of patterns within patterns; ", with: "") } == [
                "/p/p8.yaml:3:11: compose[0]: at most 8 may be within each other"
            ])
        #expect(found.patterns["p7"]?.duration == .milliseconds(8))
    }

    @Test("A single file may use those beside it, and only these are read")
    func fileItself() throws {
        let texts = [
            "here/b.yaml": "version: 1\nname: b\ncompose: [{ use: c }]",
            "here/c.yaml": "version: 1\nname: c\ntracks: [{ events: [{ at: 0ms, type: transient, intensity: 0.25 }] }]",
            "here/d.yaml": "version: 1\nname: d\ntracks: []", "here/e.yaml": "version: 1\nname: e\ncompose: [{ use: e }]",
        ]
        let files = FileAccess(
            read: { path, _ throws(FileAccess.Failure) in
                guard let text = texts[path] else { throw FileAccess.Failure("it is gone") }
                return Array(text.utf8)
            }, directory: { _ throws(FileAccess.Failure) in throw FileAccess.Failure("not to be read") })
        func known(_ uses: String) throws(InvalidDocument) -> [Text: Pattern] {
            try PatternLibrary.patterns(for: Array("compose: [\(uses)]".utf8), of: "here/a.yaml", files: files)
        }
        #expect(try known("{ use: b }, { use: tick }, { use: ../c }")["b"]?.level(at: .zero).intensity == Intensity(0.25))
        #expect(try known("{ use: tick }").count == BuiltInPatterns.all.count)
        for (name, mistake) in [("d", "here/d.yaml:3:9: tracks: "), ("e", "here/e.yaml:3:18: compose[0].use: a pattern cannot")] {
            do throws(InvalidDocument) {
                _ = try known("{ use: \(name) }")
                Issue.record("\(name) was taken")
            } catch {
                #expect(error.diagnostics.count == 1)
                #expect(error.diagnostics[0].description.hasPrefix(mistake))
            }
        }
    }

    @Test("The patterns that a pattern uses are known before it is read, whatever else is in it")
    func patternUses() throws {
        let text = #"""
            {"compose": [{"use": "a", "repeat": 3}, 5, {"use": 5}, {"use": "b", "repeat": 1e9}],
            "phases": [{"use": "c"}, {"compose": [{"use": "d"}]}, {"phases": [{"use": "e"}]}], "tracks": {"use": "f"}}
            """#
        let uses = PatternUse.uses(in: try JSONReader.node(Array(text.utf8)), path: "pattern")
        #expect(uses.map(\.name) == ["a", "b", "c", "d"])
        #expect(
            uses.map(\.path) == [
                "pattern.compose[0].use", "pattern.compose[3].use", "pattern.phases[0].use", "pattern.phases[1].compose[0].use",
            ])
        let tick = try #require(BuiltInPatterns.byName["tick"])
        #expect(PatternUse.entries(of: uses, ["a": tick, "b": tick]) == 2 * 3 + 2 * 1024)
    }
}
