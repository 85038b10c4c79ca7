// SPDX-License-Identifier: MIT
import HapticCore
import HapticText
import HapticWire
import TestSupport
import Testing

/// `HapticServiceTests` has every position of a request.
@Suite("The worst text in a line")
struct WorstTextTests {
    @Test("Keys that differ in their order of marks alone are two, and the same bytes are one")
    func keys() {
        func code(_ a: String, _ b: String) -> Int? {
            let line = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status\",\"\(a)\":1,\"\(b)\":1}"
            switch ClientLine(Array(line.utf8)) {
            case .unusable(let error): return error.code
            case .single(let message): return message.error?.code
            case .batch: return nil
            }
        }
        #expect(code("\u{e9}", "e\u{301}") == ErrorCode.invalidRequest.rawValue)
        #expect(code("\u{e9}", "\u{e9}") == ErrorCode.parse.rawValue)
    }

    /// All that a daemon says by itself, with every member.
    private static let notices = [
        """
        {"jsonrpc":"2.0","method":"decision","params":{"seq":1,"atNs":1,"input":"event","origin":"client","source":"a","app":"d","user":1,\
        "process":1,"name":"b","value":"c","inserted":1,"removed":1,"kept":1,"class":"alarm","rule":"r","outcome":"played","reason":"stale","pattern":"p","intensity":1,\
        "actuators":["m"],"playback":1,"felt":true,"feltPeak":1,"ageMs":1,"mistake":"m"}}
        """,
        #"{"jsonrpc":"2.0","method":"playback","params":{"playback":1,"ended":"completed","reason":"maxOn","atNs":1}}"#,
        #"{"jsonrpc":"2.0","method":"interruption","params":{"playback":1,"state":"interrupted","atNs":1}}"#,
        """
        {"jsonrpc":"2.0","method":"actuation","params":{"atNs":1,"plannedNs":1,"actuator":"m","playback":1,"intensity":1,\
        "sharpness":0.5,"drive":1.5,"felt":0.5}}
        """,
        #"{"jsonrpc":"2.0","method":"actuator","params":{"actuator":"m","available":false,"error":"e"}}"#,
        #"{"jsonrpc":"2.0","method":"hold","params":{"id":"h","origin":"client","user":1,"state":"progress","value":0.5,"atNs":1}}"#,
        """
        {"jsonrpc":"2.0","method":"settings","params":{"atNs":1,"changed":["off"],"deciding":"off","off":{"remainingMs":1},\
        "quiet":true,"quietUntil":"07:00","conditions":["c"],"kept":true,"trouble":"t","user":1,"process":1}}
        """,
        #"{"jsonrpc":"2.0","method":"missed","params":{"count":1}}"#,
    ]
    private static let refusal = """
        {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"m","data":{"path":"p","didYouMean":"d","diagnostics":["x"],\
        "limit":"l","most":1,"retryAfterMs":1}}}
        """

    /// Written again, they have the same members.
    @Test("The unchanged lines of a daemon are accepted, and have every member", arguments: notices)
    func lines(line: String) throws {
        guard case .notice(let notice) = try ServerLine(Array(line.utf8)) else { return #expect(Bool(false)) }
        let again = try JSONReader.node(WireWriter.notification(notice)).keys()
        #expect(try JSONReader.node(Array(line.utf8)).keys() == again)
    }

    @Test("A program that claims to be a daemon cannot delay its client by such a text, either", .timeLimit(.minutes(20)))
    func fromADaemon() throws {
        for line in Self.notices + [Self.refusal] {
            for hostile in WorstText.everywhere(in: line) {
                if case .notice(.decision(let notice))? = try? ServerLine(Array(hostile.utf8)) {
                    #expect((notice.outcome, notice.input) == (.played, .event))
                }
            }
        }
    }
}
