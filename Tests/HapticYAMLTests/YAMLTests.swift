// SPDX-License-Identifier: MIT
import HapticCore
import HapticText
import HapticYAML
import TestSupport
import Testing

/// The tree of `text` and what is wrong with it.
private func parse(_ bytes: [UInt8]) -> (node: Node?, diagnostics: [String]) {
    let report = DocumentReport(file: nil)
    let node = YAML.parse(bytes, report: report)
    return (node, report.diagnostics.map(\.description))
}

private func parse(_ text: String) -> (node: Node?, diagnostics: [String]) { parse(Array(text.utf8)) }

@Suite struct YAMLTests {
    @Test(
        "Scalars mean what the core schema says",
        arguments: [
            ("null", Node.Content.null), ("~", .null), ("Null", .null), ("true", .bool(true)), ("FALSE", .bool(false)),
            ("yes", .string("yes")), ("on", .string("on")), ("0", .number(0)), ("-17", .number(-17)), ("+5", .number(5)),
            ("0660", .number(660)), ("0o17", .number(15)), ("0xfF", .number(255)), ("0x", .string("0x")),
            ("0x-1", .string("0x-1")),
            (".5", .number(0.5)), ("1.", .number(1)), ("1e3", .number(1000)), ("1e-2", .number(0.01)), ("1e", .string("1e")),
            (".", .string(".")), ("1e400", .number(.infinity)), (".inf", .number(.infinity)), ("-.INF", .number(-.infinity)),
            ("inf", .string("inf")), ("nan", .string("nan")), ("0x1p3", .string("0x1p3")), ("1_000", .string("1_000")),
            ("20ms", .string("20ms")), ("40%", .string("40%")), ("'true'", .string("true")), ("\"1\"", .string("1")),
            ("1.2.3", .string("1.2.3")), ("12:30", .string("12:30")), ("\"a\\u00e9\\n\"", .string("aé\n")),
        ])
    func scalars(text: String, content: Node.Content) {
        let (node, diagnostics) = parse("- \(text)")
        var item = Node(content, mark: .init(line: 1, column: 3))
        if case .number(let number) = content, number.isInfinite { item.numeral = Text(text) }
        #expect(node == Node(.list([item]), mark: .init(line: 1, column: 1)))
        #expect(diagnostics == [])
    }

    @Test("What is written is read back; what holds a list is in a block, and a comma between braces is in quotes")
    func written() throws {
        let json = """
            {"a, b":"c, d","e":[{"f":{"g":"h, i"},"j":20.5},{"k":[1,"20ms",[true,null]]}],"l":{"m":[]},"n":"- o","p":"1e3"}
            """
        let node = try JSONReader.node(Array(json.utf8))
        let text = YAML.text(node)
        let expected = """
            a, b: c, d
            e:
              - { f: { g: "h, i" }, j: 20.5 }
              - k:
                  - 1
                  - 20ms
                  - [true, null]
            l:
              m: []
            n: "- o"
            p: "1e3"

            """
        #expect(text == expected)
        let (read, diagnostics) = parse(text)
        #expect(diagnostics == [])
        #expect(try JSONLine.bytes(#require(read)) == JSONLine.bytes(node))
    }

    @Test("More than 16 directives are refused with one error")
    func directives() {
        func file(_ count: Int) -> String { (0..<count).map { "%TAG !a\($0)! tag:b,2000:\n" }.joined() + "--- 1" }
        #expect(parse(file(16)).node?.content == .number(1))
        let (node, diagnostics) = parse(file(17))
        #expect(node == nil)
        #expect(diagnostics == ["more than 16 times `%TAG`; tags are not read, so take that out"])
    }

    @Test("`.nan` is read as a number that is none")
    func notANumber() {
        guard case .number(let number)? = parse(".nan").node?.content else {
            Issue.record("not a number at all")
            return
        }
        #expect(number.isNaN)
    }

    @Test("Every key and value has its line and column, in characters")
    func marks() {
        let (node, _) = parse("é: ü\nlist:\n  - { a: 1 }\n")
        let expected = Node(
            .object([
                .init(key: "é", keyMark: .init(line: 1, column: 1), value: Node(.string("ü"), mark: .init(line: 1, column: 4))),
                .init(
                    key: "list", keyMark: .init(line: 2, column: 1),
                    value: Node(
                        .list([
                            Node(
                                .object([
                                    .init(
                                        key: "a", keyMark: .init(line: 3, column: 7),
                                        value: Node(.number(1), mark: .init(line: 3, column: 10)))
                                ]), mark: .init(line: 3, column: 5))
                        ]), mark: .init(line: 3, column: 3))),
            ]), mark: .init(line: 1, column: 1))
        #expect(node == expected)
    }

    @Test("Lines may end in CRLF, and the file may begin with a byte order mark")
    func lineEnds() {
        #expect(parse("\u{feff}a: 1\r\nb: 2\r\n").node == parse("a: 1\nb: 2\n").node)
    }

    @Test("Syntax that is not read is reported with its line and column")
    func refused() {
        #expect(TextCases.differences(in: "mistakes/yaml") { parse($0).diagnostics } == [])
    }

    // MARK: Hostile input

    @Test("Bytes that are no text are refused where they stand")
    func noText() {
        #expect(
            parse(Array("a: é\nb: ".utf8) + [0]).diagnostics == [
                "2:4: a control character is not allowed here; take it out, or write it as an escape in quotes"
            ])
        #expect(
            parse(Array("aé: ".utf8) + [0xff, 0xfe]).diagnostics == [
                "1:5: this is not UTF-8 text (invalid leading UTF-8 octet); save the file as UTF-8"
            ])
        #expect(parse([0xff, 0xfe, 0x61, 0x00]).node == nil)
    }

    @Test(
        "Deep nesting is refused",
        arguments: ["[", "{a: ", "- ", "? "])
    func deepNesting(opening: String) {
        let (node, diagnostics) = parse(String(repeating: opening, count: 100_000))
        #expect(node == nil)
        #expect(diagnostics.last?.hasSuffix("nested deeper than 64 levels") == true)
    }

    @Test("Nesting up to the limit is read")
    func deepestNesting() {
        #expect(parse(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)).diagnostics == [])
    }

    @Test("Aliases cannot multiply")
    func aliases() {
        let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"
        let (node, diagnostics) = parse(bomb)
        #expect(diagnostics.count == 7)
        #expect(node != nil)
    }

    @Test("Nodes and bytes are bounded")
    func bounds() {
        let many = String(repeating: "- 1\n", count: 100_000)
        #expect(parse(many).diagnostics == ["100000:3: more than 100000 keys and values; make the file smaller"])
        #expect(parse([UInt8](repeating: 0x20, count: 1 << 20)).diagnostics == [])
        let large = [UInt8](repeating: 0x20, count: 1 << 20 + 1)
        #expect(parse(large).diagnostics == ["the file has 1048577 bytes; at most 1048576 are read"])
    }

    @Test("Mistakes beyond the first 200 are only counted")
    func manyMistakes() {
        let (_, diagnostics) = parse(String(repeating: "- !t x\n", count: 1500))
        #expect(diagnostics.count == 201)
        #expect(diagnostics.last == "1300 more errors are not shown")
        #expect(parse(String(repeating: "- !t x\n", count: 201)).diagnostics.last == "1 more error is not shown")
        let report = DocumentReport(file: nil)
        for _ in 0..<1500 { report.add("wrong", at: nil) }
        #expect(InvalidDocument(report.diagnostics).count == 1500)
    }

    @Test("Text from outside is shown short and without control characters")
    func shownText() {
        let key = "\\e[31m" + String(repeating: "x", count: 100)
        let (_, diagnostics) = parse("\"\(key)\": 1\n\"\(key)\": 2")
        let shown = "\\u{1b}[31m" + String(repeating: "x", count: 55) + "…"
        #expect(diagnostics == ["2:1: \(shown): duplicate key `\(shown)`; it is already on line 1"])
    }
}
