// SPDX-License-Identifier: MIT
import Foundation
import HapticText
import Testing

@testable import reference_pages

/// The tables of docs/protocol.md and docs/configuration.md and the words of the fuzzer are those of the code.
@Suite("Reference pages")
struct ReferencePagesTests {
    @Test("The generated tables and dictionaries are up to date")
    func isCurrent() throws {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized.path
        #expect(try Main.stale(in: root).map(\.path) == [], "run `make reference-pages`")
    }

    @Test("A page without the place of a table is refused")
    func missingPart() throws {
        let page = try Page("# A page\n\n<!-- generated: methods -->\n<!-- end -->\n")
        #expect(throws: Failure.self) { try page.updated(with: .ofProtocol) }
    }

    @Test("A place without an end, and an end without a place, are refused")
    func unpaired() {
        for text in ["<!-- generated: methods -->", "<!-- end -->", "<!-- generated: a -->\n<!-- generated: b -->\n<!-- end -->"]
        {
            #expect(throws: Failure.self) { try Page(text) }
        }
    }

    @Test("A link target has no marks of Markdown")
    func anchor() {
        #expect(Page.anchor("#### `settings.set.quietHours`") == "settingssetquiethours")
        #expect(Page.anchor("## Where the socket is") == "where-the-socket-is")
    }

    private func member(_ name: String, _ kind: Member.Kind = .boolean, isRequired: Bool = false) -> Member {
        Member(name, kind, isRequired: isRequired, "the \(name)")
    }

    @Test("Alternative objects have one table, which says which keys go together")
    func alternatives() throws {
        let line = [member("chip", isRequired: true), member("line", isRequired: true), member("bias"), member("debounce")]
        let key = [member("key", isRequired: true), member("debounce")]
        let united = try #require([member("input", .either([.object(line), .object(key)]))].united.first?.kind.objects)
        #expect(united.count == 1)
        let members = Dictionary(uniqueKeysWithValues: united[0].map { ($0.name, $0) })
        #expect(Set(members.keys) == ["chip", "line", "bias", "debounce", "key"])
        #expect(members["chip"]?.standard == "required with `line`")
        #expect(members["key"]?.standard == "required without `chip`")
        #expect(members["bias"]?.summary == "the bias; only with `chip`")
        #expect(members["debounce"] == member("debounce"))
    }

    @Test("A key that one of three alternative objects needs is required without each of the others")
    func threeAlternatives() throws {
        let objects = [["chip"], ["match", "key"], ["match", "switch"]].map { names in
            Member.Kind.object(names.map { member($0, isRequired: true) })
        }
        let united = try #require([member("input", .either(objects))].united.first?.kind.objects.first)
        let standards = Dictionary(uniqueKeysWithValues: united.map { ($0.name, $0.standard) })
        #expect(standards["match"] == "required without `chip`")
        #expect(standards["key"] == "required without `chip` or `switch`")
        #expect(standards["switch"] == "required without `chip` or `key`")
    }

    @Test("Objects that a word tells apart have a table of shared keys, and one each")
    func variants() throws {
        let objects = ["gpio", "led"].map { name in
            Member.Kind.object([
                member("name", isRequired: true), member("backend", .choice([name]), isRequired: true), member("of\(name)"),
            ])
        }
        let variants = try #require(Variants(.list(of: .either(objects), count: 0...9)))
        #expect(variants.shared.map(\.name) == ["name", "backend"])
        #expect(variants.shared.last?.kind == .choice(["gpio", "led"]))
        #expect(variants.own(of: "led") == [member("ofled")])
    }
}
