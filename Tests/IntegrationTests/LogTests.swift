// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("What the daemon logs")
struct LogTests {
    private func lines(_ daemon: Daemon) -> [Substring] { daemon.program.errors.split(separator: "\n") }

    @Test("At the default level nothing is logged of clients, events, playbacks and bad lines")
    func quiet() throws {
        let daemon = try Daemon()
        let client = try daemon.connect()
        _ = try client.result("status")
        try wait(for: "the line of its start") { daemon.program.errors.contains("listens on") }
        let before = lines(daemon)
        for number in 1...50 {
            let other = try daemon.connect()
            try other.request("event", #"{"name":"payment.succeeded"}"#)
            try other.request("progress", #"{"id":"a\#(number)","value":0.5}"#)
            try other.request("progress", #"{"value":7}"#)
            try other.send("no JSON")
        }
        #expect(
            try client.result("play", #"{"pattern":"soft","class":"alarm","wait":true}"#).object("ending").text("ended")
                == "completed")
        #expect(lines(daemon) == before)
        #expect(try daemon.stop().errors.split(separator: "\n").count == before.count + 1, "that it stops")
    }

    @Test("From debug on each decision and each ending is one line, whatever a client calls itself")
    func debug() throws {
        let daemon = try Daemon(["--log-level", "debug"])
        let client = try daemon.connect()
        let forged = #"x\n2026-11-21T06:30:36Z critical hapticd: forged"#
        // No id or name may hold the end of a line; a value may.
        try client.request("event", #"{"name":"nobody.knows","value":"\#(forged)\u001b[2J"}"#)
        try client.request("progress", #"{"id":"copy","value":0.5}"#)
        _ = try client.result("play", #"{"pattern":"soft","class":"alarm","wait":true}"#)
        let log = try daemon.stop().errors.split(separator: "\n").filter { $0.contains(" debug hapticd: ") }
        let texts = log.map { $0.split(separator: " ", maxSplits: 3).last ?? "" }
        #expect(texts.contains(#"event nobody.knows \#(forged)\u{1b}[2J: suppressed, noRule"#), "\(texts)")
        #expect(texts.contains { $0.hasPrefix("progress copy 0.5: played, soft at ") }, "\(texts)")
        #expect(texts.contains { $0.hasPrefix("play: played, soft at ") }, "\(texts)")
        #expect(texts.count { $0.hasPrefix("playback ") && $0.contains(": ") } == 2, "\(texts)")
        #expect(!daemon.program.errors.split(separator: "\n").contains { $0.hasPrefix("2026-11-21T06:30:36Z critical") })
    }

    @Test("What is left out of the pattern files is logged at the start and when a reload changes it, and not again")
    func leftOut() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("patterns"), withIntermediateDirectories: true)
        func write(sound: String) throws {
            let tap = #"{ "Event": { "Time": 0, "EventType": "HapticTransient", "EventParameters": [] } }"#
            let audio = #"{ "Event": { "Time": 0, "EventType": "AudioCustom", "EventWaveformPath": "\#(sound)" } }"#
            _ = try folder.write(#"{ "Version": 1, "Pattern": [\#(tap), \#(audio)] }"#, to: "patterns/pop.ahap")
        }
        try write(sound: "pop.wav")
        let file = try folder.write(
            "version: 1\npatterns: [patterns]\nactuators: [{ name: main, backend: simulated }]\n", to: "hapticd.yaml")
        let daemon = try Daemon(["--config", file], in: folder)
        func said(_ sound: String) -> Int { lines(daemon).count { $0.contains("patterns/pop.ahap:1:") && $0.contains(sound) } }
        try wait(for: "the note at the start") { said("pop.wav") == 1 }
        for _ in 0..<3 { #expect(try daemon.ctl("reload").status == 0) }
        try write(sound: "other.wav")
        #expect(try daemon.ctl("reload").status == 0)
        try wait(for: "the note of the reload") { said("other.wav") == 1 }
        #expect(said("pop.wav") == 1)
    }
}
