// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticService
import HapticText
import Testing

@testable import HapticServer

/// The user 1001 is a door.
@Suite("The first line of a door")
struct HelloTests {
    private static func hello(_ scope: String, methods: String = #""event","hold","subscribe""#) -> String {
        request("hello", #"{"app":"shop","scope":"\#(scope)","methods":[\#(methods)]}"#, id: 7)
    }

    private func rig() throws -> Rig {
        try Rig(
            Rig.configuration { configuration in
                configuration.access[.speakFor] = AccessList(users: [Account(name: "door", id: 1001)])
                let (plain, feedback) = (configuration.engine, RuleFeedback(pattern: "soft", feedbackClass: .texture))
                configuration.engine = try EngineConfiguration(
                    actuators: plain.actuators, holdRules: [HoldRule(match: .clients(Glob("*")), feedback: feedback)],
                    patterns: plain.patterns)
            })
    }

    private func enter(_ rig: Rig, _ scope: String, topics: String) throws -> Visitor {
        let visitor = try rig.visit()
        visitor.say(Self.hello(scope))
        #expect(visitor.receive()?["result"]?["scope"] == .string(scope))
        visitor.ask("subscribe", #"{"topics":["\#(topics)"]}"#)
        return visitor
    }

    @Test("Lines that come with the `hello`, in the same piece, are those of the scope")
    func onePiece() throws {
        let client = try rig().visit()
        client.say([Self.hello("page"), request("reload"), request("event", #"{"name":"a.b"}"#)].joined(separator: "\n"))
        #expect(client.receive()?["id"] == .number(7))
        #expect(client.receive()?["error"]?["data"]?["limit"] == "methods")
        #expect(client.receive()?["result"]?["app"] == "shop")
    }

    @Test(
        "A first line that may be a `hello` and cannot be read refuses all behind it",
        arguments: [
            Self.hello(#"\ud800"#), Self.hello("\t"), Self.hello(#"a"b"#), Self.hello("page") + "}",
            "[" + Array(repeating: Self.hello("page"), count: 257).joined(separator: ",") + "]",
        ])
    func unreadable(line: String) throws {
        let client = try rig().visit()
        client.say([line, request("event", #"{"name":"a.b"}"#), request("reload")].joined(separator: "\n"))
        #expect(client.receive()?["error"] != nil)
        for _ in 0..<2 { #expect(client.receive()?["error"]?["code"] == .number(-32600)) }
    }

    @Test("An empty line before a `hello` is none; after any other line the `hello` is refused, and all behind it")
    func firstLine() throws {
        let rig = try rig()
        let client = try rig.visit()
        client.say("", Self.hello("page"))
        #expect(client.receive()?["result"]?["scope"] == "page")
        for line in ["{", "[]", request("settings"), request("settings", id: nil)] {
            let late = try rig.visit()
            late.say(line, Self.hello("page"), request("event", #"{"name":"a.b"}"#, id: 8))
            var answers: [JSONValue] = []
            while let answer = late.receive() { answers.append(answer) }
            #expect(answers.suffix(2).map { $0["id"] } == [.number(7), .number(8)])
            #expect(answers.suffix(2).allSatisfy { $0["error"]?["code"] == .number(-32600) })
        }
    }

    @Test("Two clients of one door: neither reads the ids and values of the other's decisions and holds")
    func masked() throws {
        for topic in ["decisions", "holds"] {
            let rig = try rig()
            let (anna, bert) = (try enter(rig, "anna", topics: topic), try enter(rig, "bert", topics: topic))
            anna.say(request("hold", #"{"id":"pay","state":"down"}"#, id: nil))
            rig.advance(.seconds(1))
            let member = topic == "holds" ? "id" : "source"
            let (own, others) = (anna.receive()?["params"], bert.receive()?["params"])
            #expect((own?[member], others?[member]) == ("pay", .null))
            #expect(own?["value"] != .null)
            #expect(others?["value"] == .null)
        }
    }

    @Test("A client of a door that goes lets go of its own hold only")
    func disconnect() throws {
        let rig = try rig()
        let (anna, bert) = (try enter(rig, "anna", topics: "holds"), try enter(rig, "bert", topics: "holds"))
        for client in [anna, bert] { client.say(request("hold", #"{"id":"pay","state":"down"}"#, id: nil)) }
        bert.close()
        rig.advance(.seconds(4))
        var states: [JSONValue?] = []
        while let notice = anna.receive() {
            #expect(notice["params"]?["id"] == "pay")
            states.append(notice["params"]?["state"])
        }
        #expect(states.first == "began")
        #expect(states.last == "confirmed")
    }
}
