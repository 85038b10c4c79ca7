// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticJSON
import HapticPatterns
import TestSupport
import Testing

@Suite("The description of patterns")
struct PatternDescriptionTests {
    private static let described = Member.Kind.object(PatternReader.members)

    /// A pattern with every key that there is.
    private static let file = """
        {"version": 1, "name": "x", "description": "y", "tracks": [
        {"keyframes": [{"at": "0ms", "intensity": 0.5, "sharpness": 0.5, "curve": "easeIn"},
        {"at": "20ms", "intensity": 1, "curve": {"spring": {"response": "200ms", "dampingFraction": 0.8}}},
        {"at": "40ms", "intensity": 1, "curve": {"spring": {"duration": "0.2s", "bounce": 0.1}}}]},
        {"events": [{"at": "0ms", "type": "transient", "intensity": 1, "sharpness": 0.2},
        {"at": "30ms", "type": "continuous", "intensity": 1, "sharpness": 0.2, "duration": "100ms", "sustained": true, "attack": "1ms",
        "decay": "1ms", "release": "1ms"}]}],
        "parameterCurves": [{"parameter": "attackTime", "points": [{"at": "0ms", "value": "10ms"}]}]}
        """

    /// The same, as it is on the wire.
    private static let inline = """
        {"version": 1, "name": "x", "description": "y", "tracks": [
        {"keyframes": [{"atMs": 0, "intensity": 0.5, "sharpness": 0.5, "curve": "easeIn"},
        {"atMs": 20, "intensity": 1, "curve": {"spring": {"response": "200ms", "dampingFraction": 0.8}}},
        {"atMs": 40, "intensity": 1, "curve": {"spring": {"duration": "0.2s", "bounce": 0.1}}}]},
        {"events": [{"atMs": 0, "type": "transient", "intensity": 1, "sharpness": 0.2},
        {"atMs": 30, "type": "continuous", "intensity": 1, "sharpness": 0.2, "durationMs": 100, "sustained": true, "attackMs": 1,
        "decayMs": 1, "releaseMs": 1}]}],
        "parameterCurves": [{"parameter": "attackTime", "points": [{"atMs": 0, "value": "10ms"}]}]}
        """

    private func tree(_ json: String) throws -> Node { try JSONReader.node(Array(json.utf8)) }

    @Test("What has every key of the description is read, from a file and from the wire")
    func everyKeyIsRead() throws {
        #expect(try tree(Self.file).keys() == Self.described.keys())
        #expect(try tree(Self.inline).keys() == Self.described.keys(.wire))
        let read = try PatternReader.pattern(yaml: Array(Self.file.utf8))
        #expect(try PatternReader.pattern(wire: tree(Self.inline), path: "pattern") == read)
        #expect(read.tracks.count == 2 && read.parameterCurves.count == 1)
    }

    @Test("What has every key is read again from the file and from the tree that are written of it")
    func everyKeyIsWritten() throws {
        let read = try PatternReader.pattern(yaml: Array(Self.file.utf8))
        #expect(try PatternReader.pattern(yaml: Array(PatternWriter.yaml(read).utf8)) == read)
        let json = try JSONLine.bytes(PatternWriter.tree(read))
        let undescribed = try Pattern(name: read.name, tracks: read.tracks, parameterCurves: read.parameterCurves)
        #expect(try PatternReader.pattern(wire: tree(String(decoding: json, as: UTF8.self)), path: "pattern") == undescribed)
    }

    @Test("Where a key is not known, the message names those of the description")
    func unknownKey() throws {
        var named: KeysByPath = [:]
        for (path, tree) in try tree(Self.file).with("zzzzzz") {
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
        for member in members { #expect(!member.summary.isEmpty && !member.summary.contains("\n"), "\(member.name)") }
    }

    @Test("The schema of an inline pattern has its keys, and what each may be")
    func schema() {
        let schema = Self.described.schema(.wire)
        #expect(schema["required"] == ["version", "name", "tracks"])
        guard case .array(let tracks)? = schema["properties"]?["tracks"]?["items"]?["anyOf"] else {
            Issue.record("a track is one of two")
            return
        }
        #expect(tracks.map { $0["required"] } == [["keyframes"], ["events"]])
        let keyframes = tracks.first?["properties"]?["keyframes"]
        #expect(keyframes?["minItems"] == .number(2))
        let at = keyframes?["items"]?["properties"]?["atMs"]
        #expect(at?["type"] == "number" && at?["minimum"] == .number(0) && at?["maximum"] == .number(60_000))
    }
}
