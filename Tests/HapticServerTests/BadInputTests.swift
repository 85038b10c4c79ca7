// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticJSON
import HapticServer
import HapticService
import HapticWire
import Testing

/// Whatever a client does, it gets a clear error or is bounded, and others notice nothing.
@Suite(.serialized) struct BadInputTests {
    @Test(
        "A bad line costs an error without an id, never the connection",
        arguments: [
            ("\u{1}\u{2}garbage", -32700), ("{", -32700), (String(repeating: "[", count: 60_000), -32700),
            (#"{"jsonrpc":"2.0","id":1,"method":"progress","params":{"value":NaN}}"#, -32700), ("{}", -32600), ("[]", -32600),
        ]) func badLineCosts(line: String, code: Double) throws
    {
        let client = try TestDaemon().connect()
        client.write(line + "\n")
        let answer = try client.readLine()
        #expect(answer?["error"]?["code"] == .number(code))
        #expect(answer?["id"] == .null)
        #expect(try client.ask("profile")?["result"] != nil)
    }

    @Test("A bad line within a set spoils it, for it may have been a part of it")
    func badLineOfSet() throws {
        var configuration = try TestDaemon.configuration()
        let rule = CollectionRule(
            match: Glob("*"), patterns: ThingPatterns(inserted: "soft"),
            feedback: RuleFeedback(pattern: "soft", feedbackClass: .interaction))
        configuration.engine = try EngineConfiguration(
            actuators: configuration.engine.actuators, collectionRules: [rule], patterns: configuration.engine.patterns)
        let client = try TestDaemon(configuration).connect()
        _ = try client.ask("present", #"{"name":"cart","ids":["a"],"more":true}"#)
        client.write(#"{"jsonrpc":"2.0","method":"present","params":{"name":"cart","ids":["b"],"more":true}"# + "\n")
        #expect(try client.readLine()?["error"]?["code"] == .number(-32700))
        #expect(try client.ask("present", #"{"name":"cart","ids":["c"]}"#)?["result"]?["reason"] == "invalidParams")
    }

    @Test("Bytes that are no text are refused like any garbage")
    func bytesThatAreNoText() throws {
        let client = try TestDaemon().connect()
        client.write(bytes: [0xff, 0xfe, 0x00, 0x80, 0x0a])
        #expect(try client.readLine()?["error"]?["code"] == .number(-32700))
        #expect(try client.ask("profile")?["result"] != nil)
    }

    @Test(
        "A name that nothing has is answered with the nearest one",
        arguments: [
            ("play", #"{"pattern":"sofd"}"#, "pattern", "soft"),
            ("play", #"{"pattern":"soft","actuators":["mian"]}"#, "actuators[0]", "main"),
            ("progress", #"{"value":0.5,"feedback":"of"}"#, "feedback", nil),
            ("prepare", #"{"patterns":["soft","ticks"]}"#, "patterns[1]", "tick"),
        ]) func nameThatNothing(
            method: String, params: String, path: String, meant: String?
        ) throws
    {
        let error = try TestDaemon().connect().ask(method, params)?["error"]
        #expect(error?["code"] == .number(-32602))
        #expect(error?["data"]?["path"] == .string(path))
        #expect(error?["data"]?["didYouMean"] == meant.map { .string($0) })
    }

    @Test("A pattern that would take long to render is refused")
    func patternThatWouldTake() throws {
        let springs = (0..<61).map { #"{"atMs":\#($0 * 1000),"intensity":\#($0 % 2),"curve":"bouncy"}"# }
        let params = #"{"pattern":{"tracks":[{"keyframes":[\#(springs.joined(separator: ","))]}]}}"#
        let error = try TestDaemon().connect().ask("play", params)?["error"]
        #expect(error?["data"]?["path"] == "pattern")
    }

    @Test(
        "A line that is too long is answered with an error, and the connection is closed",
        arguments: [WireLimit.clientLine + 1, 1024 * 1024])
    func lineThatIsTooLongIsTold(
        length: Int
    ) throws {
        let client = try TestDaemon().connect()
        client.write(String(repeating: "x", count: length) + "\n")
        #expect(try client.readLine()?["error"]?["code"] == .number(-32001))
        #expect(try client.readLine() == nil)
    }

    @Test("A client that hangs up in the middle of a line leaves nothing behind")
    func hangsUpInTheMiddle() throws {
        let daemon = try TestDaemon()
        let watcher = try daemon.connect()
        for _ in 0..<20 { try daemon.connect().write(#"{"jsonrpc":"2.0","id":1,"meth"#) }
        // Each ask is a turn of the event loop; the others are gone after a few.
        var clients: JSONValue?
        for _ in 0..<1000 where clients != .number(1) { clients = try watcher.ask("status")?["result"]?["clients"] }
        #expect(clients == .number(1))
    }

    @Test("Two hundred clients are all served")
    func twoHundredClients() throws {
        let daemon = try TestDaemon()
        let clients = try (0..<200).map { _ in try daemon.connect() }
        for client in clients { #expect(try client.ask("progress", #"{"value":0}"#)?["result"] != nil) }
        #expect(try clients[0].ask("status")?["result"]?["clients"] == .number(200))
    }

    @Test("A rush of clients is not turned away while the daemon is busy")
    func rushOfClients() throws {
        let daemon = try TestDaemon()
        // Connecting does not wait: a queue that is full is an error.
        let clients = try daemon.whileBusy { try (0..<300).map { _ in try RawClient(daemon, waits: false) } }
        for client in clients { #expect(try client.ask("profile")?["result"] != nil) }
    }

    @Test("A client too many gets an error and is closed, and the others stay")
    func clientTooManyIsTold() throws {
        let daemon = try TestDaemon(TestDaemon.configuration(clientLimit: 2))
        let (first, second) = (try daemon.connect(), try daemon.connect())
        _ = (try first.ask("profile"), try second.ask("profile"))
        let third = try daemon.connect()
        #expect(try third.readLine()?["error"]?["code"] == .number(-32000))
        #expect(try third.readLine() == nil)
        #expect(try first.ask("profile")?["result"] != nil)
    }

    @Test("Past the bound on sources the newest is refused, and the others go on")
    func pastTheBound() throws {
        // By a clock that goes on, a busy machine forgets the first sources, or finds the last input stale.
        let clock = HeldClock()
        let bounds = EngineBounds(sources: 500, sourcesPerUser: 400, playbacks: 8, sourceTimeout: .seconds(60))
        let daemon = try TestDaemon(TestDaemon.configuration(bounds: bounds), now: { clock.now() })
        let client = try daemon.connect()
        var outcomes: [JSONValue: Int] = [:]
        for first in stride(from: 0, to: 1000, by: 250) {
            let items = (first..<first + 250).map {
                #"{"jsonrpc":"2.0","id":1,"method":"progress","params":{"id":"s\#($0)","value":0}}"#
            }
            client.write("[\(items.joined(separator: ","))]\n")
            guard case .array(let answers) = try client.readLine() else { return #expect(Bool(false)) }
            for answer in answers { outcomes[answer["result"]?["reason"] ?? .null, default: 0] += 1 }
        }
        #expect(outcomes["quota"] == 1000 - 400)
        #expect(try client.ask("status")?["result"]?["sources"] == .number(400))
        #expect(try client.ask("progress", #"{"id":"s0","value":0.5}"#)?["result"]?["outcome"] == "played")
    }

    @Test("A subscriber that does not read learns how much it missed, and nobody waits for it")
    func subscriberThatDoesNotRead() throws {
        let daemon = try TestDaemon()
        let sleeper = try daemon.connect()
        _ = try sleeper.ask("subscribe", #"{"topics":["decisions"]}"#)
        let client = try daemon.connect()
        let item = #"{"jsonrpc":"2.0","method":"progress","params":{"id":"a","value":0}}"#
        let batch = "[\(Array(repeating: item, count: 250).joined(separator: ","))]\n"
        let rounds = 40
        for _ in 0..<rounds { client.write(batch) }
        let missed = try client.ask("status")?["result"]?["missed"]
        #expect(missed != .number(0))
        var (heard, lost) = (0.0, 0.0)
        while heard + lost < Double(rounds * 250) {
            let notice = try sleeper.readLine()
            if case .number(let count)? = notice?["params"]?["count"] { lost += count } else { heard += 1 }
        }
        #expect(.number(lost) == missed)
    }

    @Test("A client that asks and never reads is not read from any more, and gets all its answers once it reads")
    func asksAndNever() throws {
        let daemon = try TestDaemon()
        let greedy = try daemon.connect()
        let line = #"{"jsonrpc":"2.0","id":1,"method":"patterns"}"# + "\n"
        var asked = 0
        var rest = ""
        while rest.isEmpty {
            let taken = greedy.write(line, waits: false)
            if taken > 0 { asked += 1 }
            rest = String(line.dropFirst(taken))
            #expect(asked < 200_000, "the daemon takes questions without end")
            // A full buffer may only mean that the daemon had no time yet.
            if !rest.isEmpty, try daemon.connect().ask("status") != nil, greedy.write(rest, waits: false) == rest.utf8.count {
                rest = ""
            }
        }
        #expect(try daemon.connect().ask("profile")?["result"] != nil)
        for _ in 0..<(asked - 1) { #expect(try greedy.readLine()?["result"] != nil) }
    }

    @Test("The inline patterns of a batch are rendered up to a bound, and those after it refused")
    func inlinePatternsOfABatch() throws {
        let client = try TestDaemon().connect()
        let minute =
            #"{"tracks":[{"keyframes":[{"atMs":0,"intensity":1},{"atMs":60000,"intensity":0}]}]}"#
        let play = #"{"jsonrpc":"2.0","id":1,"method":"play","params":{"feedback":"off","pattern":\#(minute)}}"#
        client.write("[\(Array(repeating: play, count: 100).joined(separator: ","))]\n")
        guard case .array(let answers) = try client.readLine() else {
            Issue.record("not a batch")
            return
        }
        let refused = answers.map { $0["error"]?["code"] == .number(-32000) }
        // A glide of 60 s is 12,000 frames of 10 units, and the line has 600,000 less what reading it takes.
        #expect(refused == (0..<100).map { $0 >= 3 })
        #expect(try client.ask("play", #"{"pattern":\#(minute),"feedback":"off"}"#)?["result"] != nil)
    }

    @Test("Answers beyond what a line may be are not made, and each is an error that says so")
    func answersBeyondWhatALine() throws {
        let client = try TestDaemon().connect()
        let ask = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#
        client.write("[\(Array(repeating: ask, count: 256).joined(separator: ","))]\n")
        guard case .array(let answers) = try client.readLine() else {
            Issue.record("not a batch")
            return
        }
        let codes = answers.map { $0["error"]?["code"] }
        #expect(codes.count == 256 && codes.first == .some(nil) && codes.last == .number(-32002))
    }
}
