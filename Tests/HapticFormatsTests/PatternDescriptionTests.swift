// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticPatterns
import HapticText
import TestSupport
import Testing

@Suite("The description of patterns")
struct PatternDescriptionTests {
    private static let described = Member.Kind.object(PatternReader.members)

    /// Patterns that have every key that there is, one with layers and one with phases.
    private static let files = ["layers", "phases"].map { name in
        String(decoding: (try? fixture("every-key-\(name).json")) ?? [], as: UTF8.self)
    }

    /// The same, as they are on the wire.
    private static var inline: [String] {
        get throws {
            let time = /"(at|for|pause|duration|attack|decay|release|gap|every|upTo)": "([0-9]+)(ms|s)"/
            return files.map { file in
                file.replacing(time) { match in
                    // A spring has seconds, which the wire does not have in the name.
                    "\"\(match.1)Ms\": \(match.2)\(match.3 == "s" ? "000" : "")"
                }
            }
        }
    }

    private func tree(_ json: String) throws -> Node { try JSONReader.node(Array(json.utf8)) }

    private func keys(_ texts: [String]) throws -> KeysByPath {
        try texts.reduce(into: KeysByPath()) { all, text in all.merge(try tree(text).keys()) { $0.union($1) } }
    }

    @Test("A pattern with every key of the description is read, from a file and from the wire")
    func everyKeyIsRead() throws {
        #expect(try keys(Self.files) == Self.described.keys())
        #expect(try keys(Self.inline) == Self.described.keys(.wire))
        for (file, inline) in zip(Self.files, try Self.inline) {
            let read = try PatternReader.pattern(yaml: Array(file.utf8))
            #expect(try PatternReader.pattern(wire: tree(inline), path: "pattern") == read)
        }
        let layers = try PatternReader.pattern(yaml: Array(Self.files[0].utf8))
        #expect((layers.tracks.map(\.gain.value), layers.parameterCurves.count) == ([0.5, 0.25, 1], 1))
        #expect(layers.parts.map(\.start) == [.at(.milliseconds(10)), .gap(.milliseconds(20))])
        #expect(layers.sum == .glow)
        #expect(layers.isCall)
        #expect(layers.meaning == .warning)
        #expect(layers.isForLights)
        let phases = try PatternReader.pattern(yaml: Array(Self.files[1].utf8)).phases
        #expect((phases.map(\.until), phases.map(\.isNamed)) == ([.end, .released, .advanced], [true, true, false]))
        #expect(phases.map(\.upTo) == [.seconds(60), .seconds(30), .seconds(60)])
    }

    @Test("A pattern with every key is read again from the file and from the tree that are written of it")
    func everyKeyIsWritten() throws {
        for file in Self.files {
            let read = try PatternReader.pattern(yaml: Array(file.utf8))
            #expect(try PatternReader.pattern(yaml: Array(PatternWriter.yaml(read).utf8)) == read)
            let json = try JSONLine.bytes(PatternWriter.tree(read))
            let undescribed = try Pattern(
                name: read.name, tracks: read.tracks, parameterCurves: read.parameterCurves, parts: read.parts, sum: read.sum,
                phases: read.phases, transition: read.transition, isCall: read.isCall,
                meaning: read.meaning, isForLights: read.isForLights)
            #expect(try PatternReader.pattern(wire: tree(String(decoding: json, as: UTF8.self)), path: "pattern") == undescribed)
        }
    }

    @Test("The message about an unknown key names those of the description")
    func unknownKey() throws {
        var named: KeysByPath = [:]
        for (path, tree) in try Self.files.flatMap({ try tree($0).with("zzzzzz") }) {
            let bytes = try JSONLine.bytes(tree)
            do throws(InvalidDocument) {
                _ = try PatternReader.pattern(yaml: bytes)
                Issue.record("`zzzzzz` was taken at \(path)")
            } catch {
                #expect(error.diagnostics.count == 1, "\(error)")
                named[path, default: []].formUnion(error.diagnostics[0].keysThereAre)
            }
        }
        #expect(named == Self.described.keys())
    }

    @Test("Every key says what it means")
    func summaries() {
        let members = Self.described.members
        #expect(members.count > 25)
        for member in members {
            #expect(!member.summary.isEmpty, "\(member.name)")
            #expect(!member.summary.contains("\n"), "\(member.name)")
        }
    }

    @Test("An inline pattern is one of ours, without the keys of files alone, or one of another format under its name")
    func inlineSchema() {
        guard case .array(let kinds)? = PatternReader.inlineSchema["anyOf"] else {
            Issue.record("a pattern object is one of several")
            return
        }
        #expect(kinds.map { $0["required"] } == [[], ["ahap"], ["haptic"]])
        #expect(kinds[0]["properties"]?["tracks"] == Self.described.schema(.wire)["properties"]?["tracks"])
        // Others' formats have keys that nobody knows here.
        #expect(kinds[1]["properties"]?["ahap"]?["type"] == "object")
        #expect(kinds[1]["properties"]?["ahap"]?["additionalProperties"] == nil)
        let pieces = PatternReader.partSchema["properties"]?["tracks"]?["items"]?["properties"]
        #expect(pieces?["continued"]?["type"] == "boolean")
        #expect(pieces?["keyframes"]?["minItems"] == .number(1))
    }
}
