import HapticService
// SPDX-License-Identifier: MIT
import HapticText
import HapticWire
import Testing

@testable import HapticServer

@Suite("Bad input, over a socket") struct BadInputTests {
    @Test("A bad line costs an error without an id, never the connection")
    func badLines() throws {
        let client = try TestDaemon().connect()
        for (line, code) in [
            ("\u{1}\u{2}garbage", -32700), ("{", -32700), (String(repeating: "[", count: 60_000), -32700),
            (#"{"jsonrpc":"2.0","id":1,"method":"progress","params":{"value":NaN}}"#, -32700), ("{}", -32600), ("[]", -32600),
        ] {
            client.write(line + "\n")
            let answer = try client.readLine()
            #expect(answer?["error"]?["code"] == .number(Double(code)), "\(line.prefix(80))")
            #expect(answer?["id"] == .null)
            #expect(try client.ask("settings")?["result"] != nil)
        }
    }

    @Test(
        "A line that is too long is answered with an error, and the connection is closed",
        arguments: [WireLimit.clientLine + 1, 1024 * 1024])
    func lineThatIsTooLong(length: Int) throws {
        let client = try TestDaemon().connect()
        client.write(String(repeating: "x", count: length) + "\n")
        #expect(try client.readLine()?["error"]?["code"] == .number(-32001))
        #expect(try client.readLine() == nil)
    }

    @Test("Clients that hang up within a line leave nothing behind, and a rush of clients is served")
    func hangsUpInTheMiddle() throws {
        let daemon = try TestDaemon()
        let watcher = try daemon.connect()
        for _ in 0..<20 { try daemon.connect().write(#"{"jsonrpc":"2.0","id":1,"meth"#) }
        // Connecting does not wait: a queue that is full is an error.
        let clients = try daemon.whileBusy { try (0..<200).map { _ in try RawClient(daemon, waits: false) } }
        for client in clients { #expect(try client.ask("settings")?["result"] != nil) }
        // Each ask is a turn of the event loop; the others are gone after a few.
        var count: JSONValue?
        for _ in 0..<1000 where count != .number(201) { count = try watcher.ask("status")?["result"]?["clients"] }
        #expect(count == .number(201))
    }

    @Test("A subscriber that does not read gets the number of missed notices, and others do not wait for it")
    func subscriberThatDoesNotRead() throws {
        let daemon = try TestDaemon()
        let sleeper = try daemon.connect()
        _ = try sleeper.ask("subscribe", #"{"topics":["decisions"]}"#)
        let client = try daemon.connect()
        let items = Array(repeating: request("progress", #"{"id":"a","value":0}"#, id: nil), count: 250)
        let rounds = 12
        for _ in 0..<rounds { client.write(batch(items) + "\n") }
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
        let (greedy, other) = (try daemon.connect(), try daemon.connect())
        let line = request("patterns") + "\n"
        var asked = 0
        var rest = ""
        while rest.isEmpty {
            let taken = greedy.write(line, waits: false)
            if taken > 0 { asked += 1 }
            rest = String(line.dropFirst(taken))
            try #require(asked < 200_000, "the daemon takes questions without end")
            // A full buffer may only mean that the daemon had no time yet.
            if !rest.isEmpty, try other.ask("status") != nil, greedy.write(rest, waits: false) == rest.utf8.count { rest = "" }
        }
        #expect(try other.ask("settings")?["result"] != nil)
        for _ in 0..<(asked - 1) { #expect(try greedy.readLine()?["result"] != nil) }
    }

    @Test("One client's flood delays another's request by no more than one read")
    func flood() throws {
        let daemon = try TestDaemon()
        let (flooding, other) = (try daemon.connect(), try daemon.connect())
        _ = try flooding.ask("status")
        _ = try other.ask("status")
        let line = request("progress", #"{"id":"a","value":0.001}"#, id: nil) + "\n"
        let taken = try daemon.whileBusy {
            // The kernel takes several times as much as one read for a daemon that does not read.
            let taken = flooding.write(String(repeating: line, count: 10_000), waits: false) / line.utf8.count
            other.write(request("status", id: 2) + "\n")
            return taken
        }
        let counts = try #require(try other.readLine()?["result"]?["decisions"]).items
        let decided = counts.reduce(0.0) { if case .number(let count) = $1["count"] { $0 + count } else { $0 } }
        let readAtOnce = Double(16 * 1024 / line.utf8.count + 1)
        #expect(Double(taken) > 3 * readAtOnce)
        #expect(decided <= readAtOnce)
    }
}
