// SPDX-License-Identifier: MIT
import HapticText
import Testing

/// Section 7 of the JSON-RPC 2.0 specification, with methods of ours in place of `subtract`, `sum` and `get_data`. Params by
/// position are refused (docs/protocol.md).
@Suite("The examples of the JSON-RPC 2.0 specification")
struct SpecificationTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sent: String
        /// The id and the error's code of each answer, 0 if it has a result; none: no answer.
        let answers: [Answer]
        let isBatch: Bool

        init(name: String, sent: String, answers: [Answer], isBatch: Bool = false) {
            (testDescription, self.sent, self.answers, self.isBatch) = (name, sent, answers, isBatch)
        }
    }

    struct Answer: Hashable, Sendable {
        var id: JSONValue
        var code: Double

        init(_ id: JSONValue, _ code: Double = 0) { (self.id, self.code) = (id, code) }

        init(of object: JSONValue) {
            let error = object["error"]
            if case .number(let code)? = error?["code"] { self.code = code } else { code = 0 }
            id = object["id"] ?? "none"
        }
    }

    static let examples = [
        Example(
            name: "positional parameters", sent: #"{"jsonrpc": "2.0", "method": "settings", "params": [42, 23], "id": 1}"#,
            answers: [Answer(.number(1), -32602)]),
        Example(
            name: "named parameters",
            sent: #"{"jsonrpc": "2.0", "method": "settings", "params": {"set": {"profile": "full"}}, "id": 3}"#,
            answers: [Answer(.number(3))]),
        Example(
            name: "named parameters, in another order",
            sent: #"{"id": 4, "params": {"set": {"profile": "full"}}, "method": "settings", "jsonrpc": "2.0"}"#,
            answers: [Answer(.number(4))]),
        Example(
            name: "a notification", sent: #"{"jsonrpc": "2.0", "method": "release", "params": {"id": "a"}}"#, answers: []),
        Example(name: "a notification of no method", sent: #"{"jsonrpc": "2.0", "method": "foobar"}"#, answers: []),
        Example(
            name: "non-existent method", sent: #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#,
            answers: [Answer("1", -32601)]),
        Example(
            name: "invalid JSON", sent: #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#,
            answers: [Answer(.null, -32700)]),
        Example(
            name: "invalid request object", sent: #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#,
            answers: [Answer(.null, -32600)]),
        Example(
            name: "batch, invalid JSON",
            sent: #"[ {"jsonrpc": "2.0", "method": "settings", "params": {}, "id": "1"}, {"jsonrpc": "2.0", "method" ]"#,
            answers: [Answer(.null, -32700)]),
        Example(name: "an empty array", sent: "[]", answers: [Answer(.null, -32600)]),
        Example(name: "an invalid batch, but not empty", sent: "[1]", answers: [Answer(.null, -32600)], isBatch: true),
        Example(
            name: "an invalid batch", sent: "[1,2,3]", answers: Array(repeating: Answer(.null, -32600), count: 3), isBatch: true),
        Example(
            name: "a batch",
            sent: #"""
                [ {"jsonrpc": "2.0", "method": "settings", "params": {}, "id": "1"},\#
                 {"jsonrpc": "2.0", "method": "release", "params": {"id": "a"}},\#
                 {"jsonrpc": "2.0", "method": "settings", "params": {"set": {"profile": "full"}}, "id": "2"},\#
                 {"foo": "boo"},\#
                 {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},\#
                 {"jsonrpc": "2.0", "method": "actuators", "id": "9"} ]
                """#,
            answers: [Answer("1"), Answer("2"), Answer(.null, -32600), Answer("5", -32601), Answer("9")], isBatch: true),
        Example(
            name: "a batch, all notifications",
            sent: #"""
                [ {"jsonrpc": "2.0", "method": "release", "params": {"id": "a"}},\#
                 {"jsonrpc": "2.0", "method": "release", "params": {"id": "b"}} ]
                """#, answers: []),
    ]

    @Test("The examples are answered as the specification has it", arguments: examples)
    func example(_ example: Example) throws {
        let client = try Rig().visit()
        client.say(example.sent)
        guard !example.answers.isEmpty else { return #expect(client.receive() == nil) }
        let answer = try #require(client.receive())
        #expect((example.isBatch ? answer.items : [answer]).map(Answer.init(of:)) == example.answers)
        guard case .object = answer else { return }
        #expect(answer["jsonrpc"] == "2.0")
        #expect((answer["result"] == nil) != (answer["error"] == nil))
    }
}
