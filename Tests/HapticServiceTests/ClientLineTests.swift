// SPDX-License-Identifier: MIT
import FoundationEssentials
import HapticCore
import TestSupport
import Testing

@testable import HapticService
@testable import HapticWire

struct ClientLineTests {
    /// What is wrong with `line`, a single message.
    private func fault(_ line: String) -> (error: WireError?, id: RequestID?) {
        switch ClientLine(Array(line.utf8)) {
        case .unusable(let error): (error, .null)
        case .batch: (nil, nil)
        case .single(let message):
            (Request(message).fault, message.id)
        }
    }

    private func params(_ method: String, _ params: String) -> String {
        #"{"jsonrpc":"2.0","id":7,"method":"\#(method)","params":\#(params)}"#
    }

    @Test("An upper bound of 64 bits is not told")
    func upperBound() {
        let message = fault(params("cancel", #"{"playback":0}"#)).error?.message
        #expect(message == "`playback` must be a whole number, at least 1, not 0")
    }

    @Test("A line that is no request has the code that says why")
    func lineThatIsNoRequest() {
        let differences = TextCases.differences(in: "mistakes/lines") { line in
            [ErrorCode.allCases.first { $0.rawValue == fault(line).error?.code }.map { "\($0)" } ?? "none"]
        }
        #expect(differences == [])
    }

    @Test(
        "A line of an attacker has the code that says why",
        arguments: [
            ("\u{1}\u{2}garbage", .parse),
            (String(repeating: "[", count: 60_000), .parse),
            (String(repeating: #"{"a":"#, count: 10_000), .parse),
            ("[" + Array(repeating: "1", count: 257).joined(separator: ",") + "]", .invalidRequest),
            (#"{"jsonrpc":"2.0","id":"\#(String(repeating: "x", count: 257))","method":"status"}"#, .invalidRequest),
        ] as [(String, ErrorCode)])
    func hostileLine(line: String, code: ErrorCode) { #expect(fault(line).error?.code == code.rawValue) }

    @Test(
        "A line of another language is answered with an example of ours",
        arguments: [
            ("tick", "the line begins with `tick`, and"), ("  vibrate 100", "the line begins with `vibrate`, and"),
            ("GET / HTTP/1.1", "this is HTTP, and"), (#"{"a":}"#, "the line is not JSON: a value was expected here (byte 6)"),
            ("[,]", "the line is not JSON: there is no value before this comma; leave the comma out (byte 2)"),
            (#"{"a":1,}"#, "the line is not JSON: there is a comma too many before `}` (byte 8)"),
            ("{'a':1}", "the line is not JSON: a name is in double quotes, not in single ones (byte 2)"),
        ])
    func otherLanguage(line: String, start: String) throws {
        let message = try #require(fault(line).error?.message)
        #expect(message.hasPrefix(start), "\(message)")
        #expect(message.contains("JSON-RPC 2.0"))
    }

    @Test(
        "A wrong param is answered with the one that was meant",
        arguments: [
            ("play", #"{"name":"tick"}"#, "`name` is not a member of these params; did you mean `pattern`?"),
            ("progress", #"{"value":"42%"}"#, "`value` must be a number in 0…1; did you mean `0.42`?"),
            ("progress", #"{"value":"57%"}"#, "`value` must be a number in 0…1; did you mean `0.57`?"),
            ("progress", #"{"value":"42"}"#, "`value` must be a number in 0…1; did you mean `0.42`?"),
            ("progress", #"{"value":"0.5"}"#, "`value` must be a number in 0…1; did you mean `0.5`?"),
            ("progress", #"{"value":"101%"}"#, "`value` must be a number in 0…1"),
            ("play", #"{"effect":"tick"}"#, "`effect` is not a member of these params; did you mean `pattern`?"),
            ("progress", #"{"percent":42}"#, "`percent` is not a member of these params; did you mean `value`?"),
            ("progress", #"{"value":42}"#, "`value` must be a number in 0…1, not 42; did you mean `0.42`?"),
            ("progress", #"{"value":1.5}"#, "`value` must be a number in 0…1, not 1.5"),
            (
                "release", #"{"zzz":1}"#,
                "`zzz` is not a member of these params; there is `id`, `app`, `atNs`, `deadlineMs`, `feedback`"
            ),
        ])
    func meantParam(method: String, params: String, message: String) {
        #expect(fault(self.params(method, params)).error?.message == message)
    }

    @Test(
        "An unknown method is answered with the one that was meant",
        arguments: [("vibrate", "play"), ("emit", "event"), ("stop", "cancel"), ("pley", "play")])
    func meantMethod(name: String, meant: String) {
        #expect(fault(params(name, "{}")).error?.data?.didYouMean == meant)
    }

    @Test("A wrong param is answered with its name")
    func wrongParamIsAnswered() {
        let differences = TextCases.differences(in: "mistakes/params") { call in
            let words = call.split(separator: " ", maxSplits: 1)
            let (error, id) = fault(params(String(words[0]), String(words[1])))
            #expect((error?.code, id) == (ErrorCode.invalidParams.rawValue, .integer(7)))
            return [error?.data?.path ?? "none"]
        }
        #expect(differences == [])
    }

    /// `~` is one character of 40 KB, which would be compared with each name that there is, and be put into the answer.
    @Test(
        "One endless character is refused for its length",
        arguments: [
            ("play~", #"{"pattern":"soft"}"#, ErrorCode.methodNotFound, "no method"),
            ("event", #"{"name":"a","class":"alarm~"}"#, .invalidParams, "must be one of"),
            ("subscribe", #"{"topics":["actuations~"]}"#, .invalidParams, "must be one of"),
            ("play", #"{"pattern~":1}"#, .parse, "256 bytes"),
            ("play", #"{"pattern":{"tracks~":[]}}"#, .parse, "256 bytes"),
        ]) func endlessCharacterIsRefused(method: String, members: String, code: ErrorCode, word: String)
    {
        let marks = String(repeating: "\u{301}\u{323}", count: 10_000)
        let (error, _) = fault(params(method, members).split(separator: "~").joined(separator: marks))
        #expect(error?.code == code.rawValue)
        #expect(error?.message.contains(word) == true)
        #expect(error.map { $0.message.utf8.count < 2048 } == true)
    }

    /// The answer has the numbers of the request, if they are few.
    @Test(
        "Whoever looks for plain pulses is answered with a pattern object to write",
        arguments: [
            ("play", #"{"pattern":[100,50,100]}"#, "`pattern` must be a pattern's name or a pattern object", "[100, 50, 100]"),
            ("event", #"{"name":"a","feedback":[0.5]}"#, "`feedback` must be a pattern's name or a pattern object", "[0.5]"),
            (
                "play", #"{"pattern":[1,2,3,4,5,6,7,8,9]}"#, "`pattern` must be a pattern's name or a pattern object",
                "[100, 50, 100]"
            ),
            (
                "progress", #"{"value":1,"pattern":["a"]}"#, "`pattern` must be a pattern's name or a pattern object",
                "[100, 50, 100]"
            ),
            ("play", #"{"pattern":100}"#, "`pattern` must be a pattern's name or a pattern object", "[100]"),
            ("play", #"{"pulses":[20]}"#, "`pulses` is not a member of these params", "[100, 50, 100]"),
            ("pulse", "{}", "there is no method `pulse`", "[100, 50, 100]"),
            ("Rumble", "{}", "there is no method `Rumble`", "[100, 50, 100]"),
        ])
    func pulses(method: String, members: String, start: String, pulses: String) {
        let (error, _) = fault(params(method, members))
        let member = members.contains("pulses") ? "; did you mean `pattern`?" : ""
        let hint = "pulses and pauses in milliseconds are a pattern object, such as `{\"pulses\": \(pulses)}`"
        #expect(error?.message == start + (members == "{}" ? "; write `play`: " : "; ") + hint + member)
    }

    @Test(
        "Params that the contract allows are taken",
        arguments: [
            ("progress", #"{"value":0}"#),
            (
                "progress",
                #"{"value":1,"id":"upload-1","pattern":"soft","step":1,"mode":"grid","intensity":0,"atNs":9223372036854775807}"#
            ),
            ("progress", #"{"value":0.5,"id":null,"deadlineMs":0.5,"feedback":"off"}"#),
            ("release", "{}"),
            ("hold", #"{"state":"down","id":"\#(String(repeating: "x", count: 246))"}"#),
            ("event", #"{"name":"payment.succeeded","value":null,"class":"alarm"}"#),
            ("play", #"{"pattern":"soft","steps":75,"durationMs":0.5,"curve":"linear","repeat":10000,"wait":true}"#),
            ("play", #"{"pattern":"soft","wait":true,"ends":"itself"}"#),
            ("cancel", #"{"playback":9223372036854775807,"mode":"immediate"}"#),
            ("cancel", #"{"all":true,"untilResumed":true}"#),
            ("cancel", #"{"id":"a","untilResumed":false}"#),
            ("prepare", #"{"patterns":["soft"],"actuators":[]}"#),
            ("settings", "{}"),
            ("subscribe", #"{"topics":[]}"#),
            ("hello", #"{"app":"shop","scope":"page 7","methods":["event","event","none"]}"#),
            ("rpc.discover", "{}"),
        ]) func contractAllowsIsTaken(method: String, members: String)
    {
        #expect(fault(params(method, members)).error == nil)
    }

    @Test("A mistyped name is answered with the right one")
    func mistypedNameIsAnswered() {
        #expect(fault(params("progress", #"{"valeu":0.5}"#)).error?.data?.didYouMean == "value")
        #expect(fault(params("play", #"{"pattern":"soft","class":"texure"}"#)).error?.data?.didYouMean == "texture")
        #expect(fault(params("progres", "{}")).error?.data?.didYouMean == "progress")
    }

    @Test("An event with the value null differs from one without a value")
    func eventsValueOfNull() throws {
        func value(_ members: String) throws -> Scalar? {
            guard case .single(let message) = ClientLine(Array(params("event", members).utf8)),
                message.error == nil
            else { return nil }
            return try EventParams(params: message.params).value
        }
        #expect(try value(#"{"name":"a","value":null}"#) == .null)
        #expect(try value(#"{"name":"a"}"#) == nil)
        #expect(try value(#"{"name":"a","value":1}"#) == .number(1))
        #expect(try value(#"{"name":"a","value":true}"#) == .bool(true))
    }

    @Test("Every item of a batch stands by itself")
    func everyItemOfABatch() {
        let items = [
            params("status", "{}"), "5", params("progress", #"{"value":2}"#), params("play", #"{"pattern":"soft","wait":true}"#),
            params("reload", "{}"), params("prepare", #"{"patterns":["soft"]}"#),
            #"{"jsonrpc":"2.0","method":"event","params":{"name":"a"}}"#,
        ]
        guard case .batch(let messages) = ClientLine(Array(" [\(items.joined(separator: ","))]".utf8)) else {
            Issue.record("not a batch")
            return
        }
        let codes = messages.map { Request($0).fault?.code ?? 0 }
        #expect(codes == [0, -32600, -32602, -32602, -32600, -32600, 0])
        #expect(messages.map(\.id) == [.integer(7), .null, .integer(7), .integer(7), .integer(7), .integer(7), nil])
    }

    @Test("A transaction is the first item of a batch, and nothing else; the error says what to do")
    func placeOfATransaction() throws {
        let transaction = params("transaction", #"{"feedback":"off","intensity":0.5,"app":"till","deadlineMs":20}"#)
        let (alone, id) = fault(transaction)
        #expect((alone?.code, id) == (ErrorCode.invalidRequest.rawValue, .integer(7)))
        #expect(alone?.message.contains("send an array with it as the first item") == true)
        let line = "[\(transaction),\(params("status", "{}")),\(transaction)]"
        guard case .batch(let messages) = ClientLine(Array(line.utf8)) else { return #expect(Bool(false)) }
        let first = try TransactionParams(params: messages[0].params)
        let later = try #require(Request(messages[2]).fault)
        #expect((first.feedback, first.intensity?.value) == (.off, 0.5))
        #expect((first.app, first.deadlineMs) == ("till", 20))
        #expect(later.code == ErrorCode.invalidRequest.rawValue)
        #expect(later.message.contains("must be the first item"))
    }

    @Test(
        "A transaction is recognised whatever is wrong with it",
        arguments: [
            #"{"method":"transaction"}"#, #"{"jsonrpc":"1.0","method":"transaction","id":1}"#,
            #"{"jsonrpc":"2.0","method":"transaction","id":{}}"#, #"{"jsonrpc":"2.0","method":"transaction","parms":{}}"#,
            #"{"jsonrpc":"2.0","method":"transaction","params":[]}"#,
        ]) func brokenTransaction(item: String)
    {
        guard case .batch(let messages) = ClientLine(Array("[\(item)]".utf8)) else { return #expect(Bool(false)) }
        #expect(Request(messages[0]).method is TransactionParams.Type)
        #expect(Request(messages[0]).fault != nil)
    }

    @Test("A notification has no id, even if its params are wrong")
    func notificationHasNoId() {
        let (error, id) = fault(#"{"jsonrpc":"2.0","method":"progress","params":{"value":7}}"#)
        #expect(error?.code == ErrorCode.invalidParams.rawValue)
        #expect(id == nil)
    }

    @Test(
        "An answer has the id of its request, whatever that is",
        arguments: [
            ("9223372036854775807", RequestID.integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9007199254740993", .integer(9_007_199_254_740_993)), ("1e3", .integer(1000)), ("-0.5", .number(-0.5)),
            ("-9223372036854775809", .numeral("-9223372036854775809")), ("9007199254740993.0", .numeral("9007199254740993.0")),
            ("1e400", .numeral("1e400")), ("0.30000000000000004", .numeral("0.30000000000000004")), ("null", .null),
            (#""7""#, .string("7")),
        ]) func idBecomesAnother(id: String, expected: RequestID)
    {
        #expect(fault(#"{"jsonrpc":"2.0","id":\#(id),"method":"status"}"#).id == expected)
    }
}

extension Request {
    /// What is wrong with it.
    fileprivate var fault: WireError? { if case .failure(let error) = call { error } else { nil } }
}
