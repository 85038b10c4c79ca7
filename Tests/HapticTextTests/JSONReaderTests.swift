// SPDX-License-Identifier: MIT
import FoundationEssentials
import HapticCore
import HapticText
import TestSupport
import Testing

struct JSONReaderTests {
    private func read(_ text: String) throws(JSONError) -> Node.Content { try JSONReader.node(Array(text.utf8)).content }

    @Test(
        "Texts that the standard allows are read",
        arguments: [
            ("null", Node.Content.null), (" true\t", .bool(true)), ("\r\nfalse\n", .bool(false)),
            ("0", .number(0)), ("-0", .number(-0.0)), ("17", .number(17)), ("-1.5", .number(-1.5)), ("1e3", .number(1000)),
            ("12.5E-1", .number(1.25)), ("1e+2", .number(100)), ("0.1", .number(0.1)), ("1e400", .number(.infinity)),
            ("-1e400", .number(-.infinity)), ("1e-400", .number(0)), ("9007199254740992", .number(9_007_199_254_740_992)),
            ("9007199254740993", .integer(9_007_199_254_740_993)), ("-9223372036854775808", .integer(.min)),
            ("18446744073709551616", .number(18_446_744_073_709_551_616)), ("9007199254740993.0", .number(9_007_199_254_740_992)),
            (#""""#, .string("")), (#""ä€😀""#, .string("ä€😀")), (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{c}\n\r\t")),
            (#""\u00e4\ud83d\uDE00x""#, .string("ä😀x")), ("[]", .list([])),
            ("[ 1 , [] ]", .list([Node(.number(1)), Node(.list([]))])),
            ("{}", .object([])),
            (
                #"{"b":1,"a":{"b":2}}"#,
                .object([
                    .init(key: "b", value: Node(.number(1))),
                    .init(key: "a", value: Node(.object([.init(key: "b", value: Node(.number(2)))]))),
                ])
            ),
        ]) func standardAllowsIsRead(text: String, content: Node.Content) throws
    {
        #expect(try read(text) == content)
    }

    @Test(
        "Texts that the standard does not allow are refused with the byte of the mistake",
        arguments: [
            ("", 0), ("  ", 2), ("nul", 3), ("nulL", 3), ("True", 0), ("1 2", 2), ("[1,]", 3), ("[1 2]", 3), ("[", 1),
            (#"{"a":1,}"#, 7),
            (#"{"a" 1}"#, 5), ("{a:1}", 1), (#"{"a":1"#, 6), (#"{"a":1,"a":2}"#, 10), ("01", 1), ("-", 1), ("+1", 0), (".5", 0),
            ("1.", 2), ("1e", 2), ("1e+", 3), ("NaN", 0), ("Infinity", 0), ("0x10", 1), (#""abc"#, 4), ("\"a\nb\"", 2),
            (#""\x""#, 2),
            (#""\u12g4""#, 5), (#""\ud800""#, 7), (#""\ud800\u0041""#, 13), (#""\udc00""#, 7), (#""\"#, 2), ("'a'", 0),
            ("\u{feff}1", 0),
            ("// no\n1", 0),
        ]) func toldWithItsPlace(text: String, offset: Int)
    {
        let error = #expect(throws: JSONError.self) { try read(text) }
        #expect(error?.offset == offset)
    }

    @Test(
        "Only UTF-8 is read",
        arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]]
    )
    func onlyUtf8(bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONReader.node(bytes) }
    }

    /// One letter with many combining marks takes time in the square of them each time that it is compared.
    @Test("A member's name is bounded")
    func membersNameIsBounded() throws {
        func object(marks: Int) -> String { "{\"a\(String(repeating: "\u{301}\u{323}", count: marks / 2))\":1}" }
        _ = try read(object(marks: 126))
        let error = #expect(throws: JSONError.self) { try read(object(marks: 128)) }
        #expect(error?.message.contains("256 bytes") == true)
    }

    @Test("The deepest nesting is read and one level more is not")
    func deepestNestingIsRead() throws {
        func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        _ = try read(nested(Node.depthLimit + 1))
        #expect(throws: JSONError.self) { try read(nested(Node.depthLimit + 2)) }
    }

    @Test("A member that is there twice is found among many", arguments: [2, 16, 17, 40]) func memberThatIsThere(count: Int)
        throws
    {
        let members = (0..<count).map { #""k\#($0)":\#($0)"# }
        guard case .object(let read) = try read("{\(members.joined(separator: ","))}") else {
            Issue.record("not an object")
            return
        }
        #expect(read.count == count)
        for twice in [0, count - 1] {
            #expect(throws: JSONError.self) { try self.read("{\(members.joined(separator: ",")),\"k\(twice)\":0}") }
        }
    }

    /// The library that this replaces is the oracle: whatever both read is the same, to the last bit of a number.
    @Test("Numbers and strings have the values that JSONDecoder gives them")
    func numbersAndStrings() throws {
        var random = SplitMix64(seed: 20_261_121)
        let decoder = JSONDecoder()
        var compared = 0
        for _ in 0..<3000 {
            let digits = String(UInt64.random(in: 0...UInt64.max, using: &random) >> UInt64.random(in: 0...63, using: &random))
            let fraction = Bool.random(using: &random) ? ".\(UInt64.random(in: 0...99_999_999, using: &random))" : ""
            let power = Bool.random(using: &random) ? "e\(Int.random(in: -330...300, using: &random))" : ""
            let text = (Bool.random(using: &random) ? "-" : "") + digits + fraction + power
            let theirs = try? decoder.decode(Double.self, from: Data(text.utf8))
            switch try read(text) {
            case .number(let ours):
                // Theirs refuses what is too large for a Double.
                guard let theirs else { continue }
                #expect(ours == theirs, "\(text)")
                compared += 1
            case .integer(let ours): #expect(String(ours) == text)
            default: Issue.record("\(text) is a number")
            }
        }
        #expect(compared > 1000)
        for _ in 0..<300 {
            let scalars = (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random) >> UInt32.random(in: 0...20, using: &random))
            }
            let text = String(String.UnicodeScalarView(scalars))
            let encoded = try JSONEncoder().encode(text)
            #expect(try JSONReader.node(Array(encoded)).content == .string(Text(text)))
        }
    }
}
