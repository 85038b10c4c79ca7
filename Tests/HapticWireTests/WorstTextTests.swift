// SPDX-License-Identifier: MIT
import HapticCore
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
            case .single(let message): if case .failure(let error) = message.call { return error.code } else { return nil }
            case .batch: return nil
            }
        }
        #expect(code("\u{e9}", "e\u{301}") == ErrorCode.invalidRequest.rawValue)
        #expect(code("\u{e9}", "\u{e9}") == ErrorCode.parse.rawValue)
    }

    @Test("What claims to be a daemon cannot send its client such a text either", .timeLimit(.minutes(2)))
    func fromADaemon() throws {
        let decision = """
            {"jsonrpc":"2.0","method":"decision","params":{"seq":1,"atNs":1,"input":"event","source":"a","app":"d","name":"b",\
            "value":"c","class":"alarm","rule":"r","outcome":"played","reason":"stale","pattern":"p","intensity":1,"actuators":["m"],"playback":1}}
            """
        let refusal = """
            {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"m","data":{"path":"p","didYouMean":"d","diagnostics":["x"],\
            "limit":"l","most":1,"retryAfterMs":1}}}
            """
        for worst in WorstText.all {
            for line in [decision, refusal] {
                for hostile in WorstText.everywhere(in: line, worst) {
                    if case .notice(.decision(let notice))? = try? ServerLine(Array(hostile.utf8)) {
                        #expect(notice.outcome == "played" && notice.input == "event")
                    }
                }
            }
        }
    }
}
