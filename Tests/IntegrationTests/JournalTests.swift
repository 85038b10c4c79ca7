// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import HapticEngine
import HapticReplay
import Testing

@Suite("The journal of the real daemon", .ownThreads)
struct JournalTests {
    private static func configuration(rule: String) -> String {
        """
        version: 1
        actuators:
          - { name: main, backend: simulated, faults: { failAfter: 40, recoverAfter: 300ms } }
          - { name: side, backend: simulated, fallback: main }
        events: [{ match: 'door.*', pattern: \(rule), class: notification }, { match: '*', pattern: tick }]
        """
    }

    /// What a client does in one turn; it may vanish in the middle of it.
    private static func turn(_ turn: Int) -> String {
        let frames = #"{"atMs":0,"intensity":0.\#(1 + turn % 9)},{"atMs":\#(20 + turn % 50),"intensity":0,"curve":"step"}"#
        let inline = #"{"tracks":[{"keyframes":[\#(frames)]}]}"#
        let lines = [
            #"{"jsonrpc":"2.0","method":"progress","params":{"id":"up","value":\#(Double(turn % 101) / 100)}}"#,
            #"[{"jsonrpc":"2.0","method":"event","params":{"name":"door.\#(turn % 5)","value":\#(turn)}},{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"soft","class":"alarm"}}]"#,
            #"{"jsonrpc":"2.0","id":2,"method":"play","params":{"pattern":\#(inline),"steps":3,"durationMs":90,"wait":true}}"#,
            #"{"jsonrpc":"2.0","id":3,"method":"settings","params":{"set":{"profile":"\#(turn % 2 == 0 ? "reduced" : "full")"}}}"#,
            #"{"jsonrpc":"2.0","id":4,"method":"cancel","params":{"all":true}}"#,
            #"{"jsonrpc":"2.0","method":"event","params":{"name":7}}"#,
            #"{"jsonrpc":"2.0","id":5,"method":"play","params":{"pattern":"success","class":"notification","actuators":["side"]}}"#,
        ]
        return lines[turn % lines.count]
    }

    @Test("The journal replays to the same decisions, whatever clients, devices and reloads did")
    func replay() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.configuration(rule: "tick"), to: "hapticd.yaml")
        let journal = folder.path("journal")
        let daemon = try Daemon(["--config", file, "--journal", journal], simulate: false, in: folder)
        let owner = try daemon.connect()
        var rule = "tick"
        try wait(for: "a device to be lost and back, among many turns") { () -> Bool in
            for turn in 0..<70 {
                let client = try daemon.connect()
                try client.send(Self.turn(turn))
                // It has gone before its answer comes, or it waits for another client's turn.
                if turn % 3 != 0 { _ = try owner.result("status") }
            }
            rule = rule == "tick" ? "warning" : "tick"
            _ = try folder.write(Self.configuration(rule: rule), to: "hapticd.yaml")
            _ = try owner.result("reload")
            let text = try folder.read("journal")
            return text.contains(#""isAvailable":false"#) && text.contains(#""isAvailable":true"#)
        }
        #expect(try daemon.stop().status == 0)

        let attributes = try FileManager.default.attributesOfItem(atPath: journal)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let lines = try Data(contentsOf: URL(fileURLWithPath: journal)).split(separator: UInt8(ascii: "\n")).map(Array.init)
        var replay = try Replay(lines[0])
        var (results, ends, actuations) = (0, 0, 0)
        for line in lines.dropFirst() {
            let came = try replay.take(line)
            results += came.results.count
            for action in came.actions {
                switch action {
                case .ended: ends += 1
                case .order(.actuate): actuations += 1
                case .order(.revoke), .interruption, .held: break
                }
            }
        }
        #expect(replay.end == .stopped)
        #expect(results > 60)
        #expect(ends > 5)
        #expect(actuations > 150)
        let text = try folder.read("journal")
        for event in ["commands", "refusal", "connectionClosed", "actuator", "configuration", "shutdown", "time"] {
            #expect(text.contains(#","event":{"\#(event)":"#), "the journal has none of \(event)")
        }
    }

    @Test("A journal is never written over a file that is there, and is refused with an option that records nothing")
    func refused() throws {
        let folder = try TemporaryFolder()
        let journal = try folder.write("mine", to: "journal")
        let arguments = ["--simulate", "--socket", folder.path("socket"), "--journal", journal]
        let ended = try Program("hapticd", arguments, in: folder).wait()
        #expect(ended.status == 1)
        #expect(ended.errors.contains("it is there already, and hapticd overwrites no file; name a new file"), "\(ended.errors)")
        #expect(try folder.read("journal") == "mine")
        // A socket that cannot be made shows which of them comes first. Neither leaves a file behind.
        let elsewhere = ["--simulate", "--socket", folder.path("missing/socket"), "--journal"]
        let first = try Program("hapticd", elsewhere + [journal], in: folder).wait()
        #expect(first.status == 1)
        #expect(first.errors.contains("it is there already, and hapticd overwrites no file; name a new file"), "\(first.errors)")
        let second = try Program("hapticd", elsewhere + [folder.path("new")], in: folder).wait()
        #expect(second.status == 1)
        #expect(!second.errors.contains("--journal"), "\(second.errors)")
        #expect(!folder.has("new"))
        let useless = try Program("hapticd", ["--check", "--journal", folder.path("new")], in: folder).wait()
        #expect(useless.status == 2)
        #expect(useless.errors.contains("there is nothing to record with --check"), "\(useless.errors)")
    }
}
