// SPDX-License-Identifier: MIT
import HapticCore
import HapticDocuments
import HapticFormats
import HapticJSON
import HapticPatterns
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

private func diagnostics(_ text: String) -> [String] {
    do throws(InvalidDocument) {
        _ = try PatternReader.pattern(yaml: Array("version: 1\nname: x\n\(text)\n".utf8), file: "x.yaml")
        return []
    } catch {
        return error.diagnostics.map(\.description)
    }
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

    @Test("A circle is reported once, and what only leads into it not at all")
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

    @Test("The mistake of a file is not reported again where it is used")
    func mistakeFile() throws {
        let (found, diagnostics) = try library(["a": "compose: [{ use: b }]", "b": "tracks: []", "c": "compose: [{ use: a }]"])
        #expect(diagnostics.count == 1)
        #expect(diagnostics[0].hasPrefix("/p/b.yaml:3:9: tracks: "))
        #expect(found.patterns["a"] == nil)
        #expect(found.patterns["c"] == nil)
    }

    @Test(
        "Every mistake is reported at its place, once",
        arguments: [
            ("compose: [{ use: tik }]", "x.yaml:3:18: compose[0].use: unknown pattern `tik`, did you mean `tick`?"),
            ("phases: [{ use: tik }]", "x.yaml:3:17: phases[0].use: unknown pattern `tik`, did you mean `tick`?"),
            ("compose: [{ at: 1ms }]", "x.yaml:3:11: compose[0]: the key `use` is missing"),
            ("compose: [{ use: tick, att: 1ms }]", "x.yaml:3:24: compose[0].att: unknown key `att`, did you mean `at`?"),
            (
                "compose: [{ use: tick, at: 1ms, gap: 1ms }]",
                "x.yaml:3:11: compose[0]: it starts either `at` a time or after a `gap`; leave one of them out"
            ),
            (
                "compose: [{ use: tick, repeat: 3 }]",
                "x.yaml:3:11: compose[0]: `repeat` says how often it is played, and `every` how long from one start to the next; give both"
            ),
            (
                "compose: [{ use: tick, repeat: 0, every: 9ms }]",
                "x.yaml:3:32: compose[0].repeat: 0 is out of range; write a whole number from 1 to 1024"
            ),
            (
                "compose: [{ use: tick, repeat: 2, every: 0ms }]",
                "x.yaml:3:42: compose[0].every: `0ms` is out of range; write a duration from 1ms to 60s"
            ),
            (
                "compose: [{ use: tick, repeat: 1024, every: 1s }]",
                "x.yaml:1:1: the pattern takes 1023.008s; at most 60s are allowed"
            ),
            (
                "compose: [{ use: alarm, repeat: 1024, every: 1ms }]",
                "x.yaml:1:1: what the pattern is composed of has 9216 entries, repetitions included; at most 4096 are allowed"
            ),
            (
                "phases: [{ use: tick, tracks: [] }]",
                "x.yaml:3:10: phases[0]: a phase has either `use`, or `tracks` and `compose` of its own"
            ),
            (
                "phases: [{ until: released }]",
                "x.yaml:3:10: phases[0]: a phase has either `use`, or `tracks` and `compose` of its own"
            ),
            (
                "phases: [{ use: tick, upTo: 1s }]",
                "x.yaml:3:10: phases[0]: `upTo` belongs to a phase with `until`; this one ends when its pattern does"
            ),
            (
                "phases: [{ use: tick, until: relased }]",
                "x.yaml:3:30: phases[0].until: unknown end of a phase `relased`, did you mean `released`?"
            ),
            (
                "phases: [{ use: tick, until: released, upTo: 2d }]",
                "x.yaml:3:46: phases[0].upTo: expected a duration with its unit, such as `20ms` or `1.6s`, found the text `2d`"
            ),
            (
                "phases: [{ use: tick }]\ncompose: [{ use: tick }]",
                "x.yaml:1:1: a pattern has either `phases`, or what is felt at the same time (`tracks`, `compose`); put the latter into one of the phases"
            ),
            (
                "transition: smoth\ncompose: [{ use: tick }]",
                "x.yaml:3:13: transition: unknown spring `smoth`, did you mean `smooth`?"
            ),
            ("sum: glw\ncompose: [{ use: tick }]", "x.yaml:3:6: sum: unknown sum `glw`, did you mean `glow`?"),
            ("call: yes\ncompose: [{ use: tick }]", "x.yaml:3:7: call: expected `true` or `false`, found the text `yes`"),
            ("compose: []", "x.yaml:3:10: compose: 0 entries; 1 to 256 are allowed"),
        ]) func mistakeReported(text: String, expected: String)
    {
        #expect(diagnostics(text) == [expected])
    }

    @Test("What waits for a release cannot be a part of something else")
    func waitsRelease() throws {
        let (_, diagnostics) = try library([
            "hold": "phases: [{ use: press }, { use: ring, until: released }]", "a": "compose: [{ use: tick }, { use: hold }]",
            "b": "phases: [{ use: tick }, { use: hold, until: advanced }]",
        ])
        let reason =
            "the pattern `hold` waits for a release or an advance, so it cannot be a part of another one; use its phases themselves"
        #expect(diagnostics == ["/p/a.yaml:3:26: compose[1]: \(reason)", "/p/b.yaml:3:25: phases[1]: \(reason)"])
    }

    @Test("Patterns within patterns have a depth that is too much, whichever is read first")
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

    @Test("A file by itself may use those beside it, as far as it needs them")
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

    @Test("What a pattern uses is known before it is read, whatever else is in it")
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
