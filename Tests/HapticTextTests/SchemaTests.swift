// SPDX-License-Identifier: MIT
import HapticCore
import HapticText
import Testing

/// `make schema-test` holds whole schemas of files against the reader.
@Suite("JSON Schemas of descriptions")
struct SchemaTests {
    @Test("A file has units and the wire has numbers")
    func notations() {
        let duration = Member.Kind.duration(.zero ... .seconds(1))
        #expect(duration.schema(.wire) == ["type": "number", "minimum": .number(0), "maximum": .number(1000)])
        #expect(duration.schema(.units)["type"] == "string")
        #expect(duration.schema(.units)["pattern"] != nil)
        let share = Member.Kind.share(isOpen: true)
        #expect(share.schema(.wire) == ["type": "number", "exclusiveMinimum": .number(0), "maximum": .number(1)])
        #expect((share.schema(.units)["type"], share.schema(.units)["maximum"]) == (["string", "number"], .number(1)))
        let object = Member.Kind.object([Member("at", duration, isRequired: true, "when")])
        #expect((object.schema(.wire)["required"], object.schema(.units)["required"]) == (["atMs"], ["at"]))
        #expect(object.schema(.units)["additionalProperties"] == false)
        let milliseconds = Member.Kind.milliseconds(.zero ... .seconds(1))
        #expect(milliseconds.schema(.wire) == duration.schema(.wire))
        #expect(
            (milliseconds.schema(.units)["type"], milliseconds.schema(.units)["maximum"]) == (
                ["string", "number"], .number(1000)
            ))
        let pair = Member.Kind.tuple([share, milliseconds]).schema(.wire)
        #expect(pair["items"] == .array([share.schema(.wire), milliseconds.schema(.wire)]))
        #expect((pair["minItems"], pair["maxItems"], pair["additionalItems"]) == (.number(2), .number(2), false))
    }

    @Test(
        "The description of a value with a unit contains its range, because a schema cannot",
        arguments: [
            (Member.Kind.duration(.zero ... .seconds(1)), "it (0ns to 1s)"), (.frequency(10...2000), "it (10Hz to 2000Hz)"),
            (.either([.rate(1...9), .choice(["none"])]), "it (1/s to 9/s)"), (.integer(1...9), "it"),
        ])
    func ranges(kind: Member.Kind, description: String) {
        let schema = Member.Kind.object([Member("key", kind, isRequired: false, "it")]).schema(.units)
        #expect(schema["properties"]?["key"]?["description"] == .string(description))
    }

    @Test("The description of a key of a file contains its default")
    func defaults() {
        let object = Member.Kind.object([Member("key", .rate(1...9), isRequired: false, default: "4/s", "it")])
        #expect(object.schema(.units)["properties"]?["key"]?["description"] == "it (1/s to 9/s; default: 4/s)")
        #expect(object.schema(.wire)["properties"]?["key"]?["description"] == "it")
    }

    private static func variant(_ name: String, _ own: String) -> Member.Kind {
        .object([
            Member("kind", .choice([name]), isRequired: true, "which"), Member("common", .boolean, isRequired: false, "of both"),
            Member(own, .boolean, isRequired: true, "its own"),
        ])
    }

    @Test("Objects that one key distinguishes are described by its value; members that all have come before")
    func variants() throws {
        let schema = Member.Kind.either([Self.variant("a", "first"), Self.variant("b", "second")]).schema(.units)
        #expect(schema["anyOf"] == nil)
        #expect(schema["required"] == ["kind"])
        #expect(schema["properties"]?["kind"]?["enum"] == ["a", "b"])
        #expect(schema["properties"]?["common"] != nil)
        #expect(schema["properties"]?["first"] == nil)
        guard case .array(let all)? = schema["allOf"] else {
            Issue.record("there is no allOf")
            return
        }
        #expect(all.map { $0["if"]?["properties"]?["kind"]?["enum"] } == [["a"], ["b"]])
        #expect(all[1]["then"]?["required"] == ["kind", "second"])
        #expect(all[1]["then"]?["properties"]?["first"] == nil)
    }

    @Test("Objects that no key distinguishes, and other kinds, are alternatives")
    func alternatives() {
        let same = Member.Kind.either([Self.variant("a", "first"), Self.variant("a", "second")])
        #expect(same.schema(.units)["allOf"] == nil)
        #expect(same.schema(.units)["anyOf"] != nil)
        let optional = [Member("kind", .choice(["a"]), isRequired: false, "which")]
        #expect(Member.Kind.either([.object(optional)]).schema(.units)["anyOf"] != nil)
        #expect(Member.Kind.either([.boolean, Self.variant("a", "first")]).schema(.units)["anyOf"] != nil)
    }
}
