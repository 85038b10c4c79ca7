// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import protocol_page

/// The tables of docs/protocol.md and the words of the fuzzer are those of the code.
struct ProtocolPageIsCurrentTests {
    @Test("The generated tables and dictionaries are up to date")
    func isCurrent() throws {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized.path
        #expect(try Main.stale(in: root).map(\.path) == [], "run `make protocol-page`")
    }

    @Test("A page without the place of a table is refused")
    func missingPart() throws {
        let page = try Page("# A page\n\n<!-- generated: methods -->\n<!-- end -->\n")
        #expect(throws: Failure.self) { try page.updated(with: Tables.all) }
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
}
