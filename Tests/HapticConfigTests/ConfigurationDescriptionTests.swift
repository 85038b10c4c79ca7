// SPDX-License-Identifier: MIT
import HapticBackends
import HapticConfig
import HapticCore
import HapticEngine
import HapticText
import TestSupport
import Testing

@Suite("The description of the configuration")
struct ConfigurationDescriptionTests {
    private static let described = Member.Kind.object(Configuration.members)

    private static let pattern =
        "version: 1\nname: mine\ntracks: [{ keyframes: [{ at: 0ms, intensity: 1 }, { at: 9ms, intensity: 0 }] }]\n"

    private func read(_ text: String) throws(InvalidDocument) -> Configuration {
        try configuration(text, files: ["/p/mine.yaml": Self.pattern])
    }

    private func tree() throws -> Node { try JSONReader.node(Array(everyKey.utf8)) }

    @Test("A file with every key of the description is read")
    func everyKeyIsRead() throws {
        #expect(try tree().keys() == Self.described.keys())
        let read = try read(everyKey)
        #expect((read.actuators.count, read.eventRules.count) == (6, 4))
        #expect(read.bounds.playbacksPerClient == 9)
    }

    @Test("The message about an unknown key names those of the description")
    func unknownKey() throws {
        var named: KeysByPath = [:]
        for (path, tree) in try tree().with("zzzzzz") {
            let text = String(decoding: try JSONLine.bytes(tree), as: UTF8.self)
            do throws(InvalidDocument) {
                _ = try read(text)
                Issue.record("`zzzzzz` was taken at \(path)")
            } catch {
                #expect(error.diagnostics.count == 1, "\(error)")
                named[path, default: []].formUnion(error.diagnostics[0].keysThereAre)
            }
        }
        #expect(named == Self.described.keys())
    }

    @Test(
        "The description of an actuator has the keys that its backend reads, and no others",
        arguments: Backends.all.map { $0.name })
    func entry(backend: String) throws {
        let entries = try #require(Configuration.members.first { $0.name == "actuators" }?.kind.entries)
        let described = try #require(entries.first { $0.contains { $0.name == "backend" && $0.kind == .choice([backend]) } })
        do throws(InvalidDocument) {
            _ = try read("{\"version\": 1, \"actuators\": [{\"name\": \"a\", \"backend\": \"\(backend)\", \"zzzzzz\": 1}]}")
            Issue.record("`zzzzzz` was taken")
        } catch {
            let unknown = try #require(error.diagnostics.first { $0.message.contains("zzzzzz") })
            #expect(unknown.keysThereAre == Set(described.map(\.name)))
            let missing = error.diagnostics.filter { $0.message.contains("` is missing") }.count
            #expect(missing == described.filter { $0.isRequired && !["name", "backend"].contains($0.name) }.count)
        }
    }

    @Test("The schema of an actuator has the keys of its backend", arguments: Backends.all.map { $0.name })
    func schema(backend: String) throws {
        let entries = try #require(Configuration.members.first { $0.name == "actuators" }?.kind.entries)
        let described = try #require(entries.first { $0.contains { $0.name == "backend" && $0.kind == .choice([backend]) } })
        let isBackend: JSONValue = ["properties": ["backend": ["enum": [.string(backend)]]], "required": ["backend"]]
        guard case .array(let all)? = Configuration.schema["properties"]?["actuators"]?["items"]?["allOf"],
            case .object(let properties)? = all.first(where: { $0["if"] == isBackend })?["then"]?["properties"]
        else {
            Issue.record("the schema does not go by the backend")
            return
        }
        #expect(Set(properties.keys) == Set(described.map { Text($0.name) }))
    }

    @Test("Every key says what it means")
    func summaries() {
        let members = Self.described.members
        #expect(members.count > 60)
        for member in members {
            #expect(!member.summary.isEmpty, "\(member.name)")
            #expect(!member.summary.contains("\n"), "\(member.name)")
        }
    }
}

extension Member.Kind {
    /// The members of each kind of entry that a list may have.
    fileprivate var entries: [[Member]]? {
        guard case .list(of: .either(let kinds), _) = self else { return nil }
        return kinds.compactMap { if case .object(let members) = $0 { members } else { nil } }
    }
}
