// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire
import TestSupport
import Testing

/// A line is at most 64 KiB; none may hold the daemon up, whatever stands where in it.
@Suite("The worst text in a line of a client")
struct WorstTextTests {
    /// Everything that an inline pattern may have.
    private static let pattern = """
        {"version":1,"name":"x","description":"y","tracks":[{"keyframes":[{"atMs":0,"intensity":0.5,"sharpness":0.5,"curve":"easeIn"},\
        {"atMs":20,"intensity":1,"curve":{"spring":{"response":"200ms","dampingFraction":0.8}}},\
        {"atMs":40,"intensity":1,"curve":{"spring":{"duration":"0.2s","bounce":0.1}}}]},\
        {"events":[{"atMs":0,"type":"transient","intensity":1},{"atMs":30,"type":"continuous","intensity":1,"sharpness":0.2,\
        "durationMs":100,"sustained":true,"attackMs":1,"decayMs":1,"releaseMs":1}]}],\
        "parameterCurves":[{"parameter":"intensity","points":[{"atMs":0,"value":0.5}]},\
        {"parameter":"attackTime","points":[{"atMs":0,"value":"10ms"}]}]}
        """

    private static func example(_ kind: Member.Kind) -> String {
        switch kind {
        case .text, .app: "\"a\""
        case .share: "0.5"
        case .number(let range, _): "\(range.upperBound)"
        case .integer(let range): "\(range.lowerBound)"
        case .boolean: "true"
        case .scalar: "\"x\""
        case .choice(let names): "\"\(names[0])\""
        case .pattern, .feedback: pattern
        case .list(let kind): "[\(example(kind))]"
        }
    }

    /// A request with all that its method takes, but for what excludes the others.
    private static func line(_ method: HapticWire.Method) -> String {
        let members = method.members.map { "\"\($0.name)\":\(example($0.kind))" }.joined(separator: ",")
        return "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"\(method.rawValue)\",\"params\":{\(members)}}"
    }

    /// Seconds for one of these places alone where it compares characters; for all of them in sum that is many minutes.
    @Test(
        "A line is read or refused at once, wherever such text stands in it", .timeLimit(.minutes(2)),
        arguments: HapticWire.Method.allCases)
    func everywhere(method: HapticWire.Method) {
        let line = Self.line(method)
        for worst in WorstText.all {
            for hostile in WorstText.everywhere(in: line, worst) {
                guard case .single(let message) = ClientLine(Array(hostile.utf8)) else { continue }
                if case .success = message.call { #expect(hostile.contains("\"description\":")) }
            }
        }
    }

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
