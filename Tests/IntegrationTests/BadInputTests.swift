// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Every bad input gets a clear error or is bounded, and a well-behaved client beside it notices nothing.
@Suite("Bad input harms nobody else", .serialized)
struct BadInputTests {
    private let daemon: Daemon
    private let witness: Connection

    init() throws {
        daemon = try Daemon()
        witness = try daemon.connect()
    }

    /// The witness is served, a pulse is felt, and nothing is left on.
    private func expectUnharmed() throws {
        let watcher = try daemon.connect()
        try watcher.request("subscribe", #"{"topics":["actuations"]}"#)
        // Long enough to be felt on a machine that is so busy that a short pulse would come too late, and be left out.
        let pattern = #"{"tracks":[{"keyframes":[{"atMs":0,"intensity":1},{"atMs":100,"intensity":0,"curve":"step"}]}]}"#
        // An alarm has no deadline: behind what the witness has sent itself, an interaction may be too old when its turn comes.
        let played = try witness.result("play", #"{"pattern":\#(pattern),"class":"alarm","wait":true}"#)
        #expect(played.object("ending").text("ended") == "completed")
        var counter = PulseCounter()
        while counter.pulses < 1 { counter.add(try watcher.notification("actuation")) }
        #expect(counter.endsOff)
        #expect(try witness.result("status").number("playbacks") == 0)
    }

    /// A row: a line as it is sent, the error's code, a word of its message, and the member that is to blame.
    @Test(
        "A bad line costs its sender an error, not its connection",
        arguments: [
            ("\u{1}\u{2}garbage", -32700, nil, nil),
            (#"{"jsonrpc":"2.0","id":1,"method":"status""#, -32700, nil, nil),
            (#"[]"#, -32600, nil, nil),
            (#"42"#, -32600, nil, nil),
            (#"{"id":1,"method":"status"}"#, -32600, "jsonrpc", nil),
            (#"{"jsonrpc":"2.0","id":1,"method":"fly"}"#, -32601, "fly", nil),
            (#"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"sofd"}}"#, -32602, "soft", "pattern"),
            (
                #"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"soft","actuators":["mian"]}}"#, -32602, "main",
                "actuators"
            ),
            (#"{"jsonrpc":"2.0","id":1,"method":"play","params":{"patern":"soft"}}"#, -32602, "pattern", "patern"),
            (#"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":""}}"#, -32602, nil, "pattern"),
            (
                #"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"soft","steps":3,"durationMs":-5}}"#, -32602, nil,
                "durationMs"
            ),
            (#"{"jsonrpc":"2.0","id":1,"method":"progress","params":{"id":"a","value":1.5}}"#, -32602, "1.5", "value"),
            (#"{"jsonrpc":"2.0","id":1,"method":"progress","params":{"id":"a","value":-0.1}}"#, -32602, nil, "value"),
            (#"{"jsonrpc":"2.0","id":1,"method":"progress","params":{"id":"a","value":"0.5"}}"#, -32602, nil, "value"),
            (#"{"jsonrpc":"2.0","id":1,"method":"progress","params":{"id":"","value":0.5}}"#, -32602, nil, "id"),
            (#"{"jsonrpc":"2.0","id":1,"method":"event","params":{"name":""}}"#, -32602, nil, "name"),
            (#"{"jsonrpc":"2.0","id":1,"method":"event","params":[1]}"#, -32602, nil, nil),
        ] as [(String, Int, String?, String?)])
    func badLines(line: String, code: Int, word: String?, path: String?) throws {
        let client = try daemon.connect()
        try client.send(line)
        let answer = try client.readObject()
        #expect(answer.errorCode == code, "\(answer)")
        if let word { #expect(answer.errorMessage.contains(word), "\(answer.errorMessage)") }
        #expect(answer.errorMessage.count > 10, "a sentence, not a word")
        if let path { #expect(answer.errorPath?.hasPrefix(path) == true, "\(answer)") }
        #expect(try client.result("status").text("version") != nil, "the connection goes on")
        try expectUnharmed()
    }

    @Test("Numbers that are none are refused", arguments: ["NaN", "1e400", "-1e400", "Infinity"])
    func notANumber(text: String) throws {
        let client = try daemon.connect()
        try client.send(#"{"jsonrpc":"2.0","id":1,"method":"progress","params":{"id":"a","value":\#(text)}}"#)
        let code = try #require(try client.readObject().errorCode)
        #expect([-32700, -32602].contains(code))
        #expect(try client.result("status").text("version") != nil)
        try expectUnharmed()
    }

    @Test("JSON nested without end is an error")
    func nested() throws {
        let client = try daemon.connect()
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            let depth = 10_000
            try client.send(String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth))
            #expect(try client.readObject().errorCode != nil)
        }
        try expectUnharmed()
    }

    @Test("JSON nested as deep as it may be is read, and what is wrong with it is answered")
    func deeplyNested() throws {
        let client = try daemon.connect()
        for depth in [50, 60, 62, 63, 64, 65, 66, 100, 500] {
            let list = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            for params in [#"{"id":"a","value":\#(list)}"#, #"{"value":0.5,"pattern":{"tracks":\#(list)}}"#] {
                let code = try client.request("progress", params).errorCode
                #expect(code == (depth <= 60 ? -32602 : -32700) || (61...66).contains(depth), "depth \(depth): \(code ?? 0)")
                #expect(code == -32602 || code == -32700)
            }
        }
        try expectUnharmed()
    }

    @Test("One client too many is refused, and the others notice nothing")
    func overTheLimit() throws {
        let folder = try TemporaryFolder()
        let text = "version: 1\nbounds: { clients: 2 }\nactuators:\n  - { name: main, backend: simulated }\n"
        let daemon = try Daemon(["--config", folder.write(text, to: "hapticd.yaml")], in: folder)
        let first = try daemon.connect()
        try wait(for: "the one that looked for the daemon to be forgotten") { try first.result("status").number("clients") == 1 }
        let second = try daemon.connect()
        #expect(try second.result("status").number("clients") == 2)
        let third = try daemon.connect()
        #expect(try third.readObject().errorCode == -32000)
        #expect(throws: Connection.Closed.self) { try third.readLine() }
        let ended = try daemon.ctl("status")
        #expect(ended.status == 1 && ended.errors.contains("2 clients"), "\(ended.errors)")
        for client in [first, second] { #expect(try client.result("status").number("clients") == 2) }
    }

    @Test("A line of 1 MiB is answered with an error, and the connection closed")
    func longLine() throws {
        let client = try daemon.connect()
        // The daemon may have closed before all of it is sent: that is no failure of the sender's.
        try? client.send(bytes: Data(repeating: UInt8(ascii: "a"), count: 1 << 20))
        let answer = try client.readObject()
        #expect(answer.errorMessage.contains("65536") || answer.errorMessage.contains("64 KiB"), "\(answer)")
        #expect(throws: (any Error).self) { while true { _ = try client.readLine() } }
        try expectUnharmed()
    }

    @Test("A client that hangs up in the middle of a line leaves nothing behind")
    func hangUp() throws {
        for _ in 1...20 {
            let client = try daemon.connect()
            try client.send(bytes: Data(#"{"jsonrpc":"2.0","id":1,"method":"pl"#.utf8))
        }
        try expectUnharmed()
        try wait(for: "the clients to be forgotten") { try witness.result("status").number("clients") == 1 }
    }

    @Test("10,000 sources of one user: the first 4,096 are kept, the others refused with quota")
    func manySources() throws {
        let client = try daemon.connect()
        var refused = 0
        for start in stride(from: 0, to: 10_000, by: 200) {
            let items = (start..<start + 200).map {
                #"{"jsonrpc":"2.0","id":\#($0),"method":"progress","params":{"id":"s\#($0)","value":0.001}}"#
            }
            try client.send("[" + items.joined(separator: ",") + "]")
            let answers = try JSONSerialization.jsonObject(with: Data(client.readLine().utf8)) as? [[String: Any]]
            refused += try #require(answers).count { $0.object("result").text("reason") == "quota" }
        }
        #expect(refused == 10_000 - 4096)
        #expect(try witness.result("status").number("sources") == 4096)
        try expectUnharmed()
    }

    @Test("200 clients at once are served")
    func manyClients() throws {
        let clients = try (1...200).map { _ in try daemon.connect() }
        for client in clients { try client.send(#"{"jsonrpc":"2.0","id":7,"method":"profile"}"#) }
        for client in clients { #expect(try client.readObject()["result"] != nil) }
        try expectUnharmed()
    }

    @Test("A client that subscribes and never reads learns how much it missed")
    func neverReads() throws {
        let deaf = try daemon.connect()
        try deaf.request("subscribe", #"{"topics":["decisions"]}"#)
        let line = (0..<200).map {
            #"{"jsonrpc":"2.0","method":"progress","params":{"id":"flood","value":0.\#($0 % 10)}}"#
        }
        let batch = "[" + line.joined(separator: ",") + "]"
        for _ in 1...200 { try witness.send(batch) }
        try expectUnharmed()
        let missed = try deaf.notification("missed")
        #expect(try #require(missed.number("count")) > 0)
        #expect(try deaf.result("status").text("version") != nil, "it reads again and is served")
    }

    @Test("A client that asks and never reads is no longer listened to, within bounds")
    func neverReadsAnswers() throws {
        let deaf = try daemon.connect()
        let request = Data((#"{"jsonrpc":"2.0","id":1,"method":"patterns"}"# + "\n").utf8)
        var sent = 0
        while deaf.trySend(bytes: request), sent < 1_000_000 { sent += 1 }
        #expect(sent < 1_000_000, "back-pressure has to stop it")
        try expectUnharmed()
    }

    @Test("A notification that cannot be used is shown on the monitor as failed, invalidParams")
    func badNotification() throws {
        let watcher = try daemon.connect()
        try watcher.request("subscribe", #"{"topics":["decisions"]}"#)
        try witness.send(#"{"jsonrpc":"2.0","method":"progress","params":{"id":"a","value":7}}"#)
        let decision = try watcher.notification("decision")
        #expect((decision.text("outcome"), decision.text("reason")) == ("failed", "invalidParams"))
        try expectUnharmed()
    }
}
