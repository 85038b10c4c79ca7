// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The real daemon: what people set outlasts it, however it ends.
@Suite("Settings that are kept")
struct KeptSettingsTests {
    private static let notStored = -32006

    /// Where a daemon in `folder` keeps what people set.
    private func file(_ name: String = "settings.json", in folder: TemporaryFolder) -> String { folder.path("state/\(name)") }

    private func stored(in folder: TemporaryFolder) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(fileURLWithPath: file(in: folder)))
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    private func kill(_ daemon: Daemon) throws {
        daemon.program.signal(SIGKILL)
        #expect(try daemon.program.wait().endedBySignal)
    }

    /// Why an alarm is not felt; nil: it is.
    private func reason(_ daemon: Daemon) throws -> String? {
        try daemon.connect().result("play", #"{"pattern": "heavy", "class": "alarm"}"#).object("decision").text("reason")
    }

    @Test("What is set is in force again after SIGKILL, and in a folder for nobody else")
    func killed() throws {
        let daemon = try Daemon()
        let client = try daemon.connect()
        let answer = try client.result(
            "settings",
            #"""
            {"set": {"profile": "quiet", "strength": 0.5, "classes": {"texture": 0}, "apps": {"org.mail": 1.2, "a": 0.1},
            "quietHours": [{"from": "22:00", "to": "07:00", "days": ["mon"]}], "off": true}}
            """#.replacingOccurrences(of: "\n", with: " "))
        #expect(answer["kept"] as? Bool == true)
        try kill(daemon)
        let next = try Daemon(in: daemon.folder)
        let settings = try next.connect().result("settings")
        #expect(settings.object("profile").text("value") == "quiet" && settings.object("profile").text("by") == "settings")
        #expect(settings.object("strength").number("value") == 0.5)
        #expect(settings.object("classes").object("texture").number("value") == 0)
        #expect(settings.object("apps").object("org.mail").number("value") == 1.2)
        #expect((settings.object("quietHours")["value"] as? [Any])?.count == 1)
        #expect(settings.text("deciding") == "off")
        #expect(try reason(next) == "off")
        let permissions = [daemon.folder.path("state"), file(in: daemon.folder)].map {
            try? FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
        }
        #expect(permissions == [0o700, 0o600])
        try next.connect().result("settings", #"{"set": {"profile": null, "apps": null, "off": null}}"#)
        try kill(next)
        let last = try Daemon(in: daemon.folder)
        #expect(try last.connect().result("settings").object("profile").text("by") == "configuration")
        #expect(try reason(last) == nil)
    }

    @Test("What somebody has been answered is stored, whenever the daemon ends and whoever else sets something")
    func manyWriters() throws {
        let daemon = try Daemon()
        let clients = try (0..<4).map { _ in try daemon.connect() }
        for round in 1...5 {
            for (index, client) in clients.enumerated() {
                try client.send(
                    #"{"jsonrpc":"2.0","id":\#(round),"method":"settings","params":{"set":{"apps":{"app-\#(index)":0.\#(round)}}}}"#
                )
            }
            for client in clients { #expect(try client.readObject()["result"] != nil) }
        }
        try kill(daemon)
        let apps = try Daemon(in: daemon.folder).connect().result("settings").object("apps")
        #expect(apps.count == 4)
        for index in 0..<4 { #expect(apps.object("app-\(index)").number("value") == 0.5) }
    }

    @Test("Of several who add quiet hours at once all are there")
    func addedAtOnce() throws {
        let daemon = try Daemon()
        let adding = try (0..<4).map { number in
            try Program(
                "hapticctl", ["quiet", "0\(number):00-0\(number):30", "--add", "--socket", daemon.socket], in: daemon.folder)
        }
        for program in adding { #expect(try program.wait().status == 0) }
        let result = try runCtl(["settings", "--json", "--socket", daemon.socket])
        for number in 0..<4 { #expect(result.output.contains("\"from\":\"0\(number):00\""), "\(result)") }
    }

    @Test("Of two who set the same at once each is answered with what was in force then, and the file holds the last, whole")
    func sameKey() throws {
        let daemon = try Daemon()
        let clients = try (0..<2).map { _ in try daemon.connect() }
        func set(_ number: Int) -> String {
            let hours = #"[{"from":"0\#(number):00","to":"1\#(number):00"},{"from":"2\#(number):00","to":"2\#(number):30"}]"#
            return #"{"strength":0.\#(number + 1),"quietHours":\#(hours)}"#
        }
        for round in 1...5 {
            for (number, client) in clients.enumerated() {
                try client.send(#"{"jsonrpc":"2.0","id":\#(round),"method":"settings","params":{"set":\#(set(number))}}"#)
            }
            for (number, client) in clients.enumerated() {
                let answer = try client.readObject().object("result")
                #expect(answer.object("strength").number("value") == Double(number + 1) / 10)
                #expect((answer.object("quietHours")["value"] as? [[String: Any]])?.first?.text("from") == "0\(number):00")
            }
        }
        let inForce = try daemon.connect().result("settings")
        try kill(daemon)
        let stored = try stored(in: daemon.folder)
        #expect(stored.number("strength") == inForce.object("strength").number("value"))
        // Both keys are one writer's.
        let number = stored.number("strength") == 0.1 ? 0 : 1
        let hours = stored["quietHours"] as? [[String: Any]]
        #expect(hours?.map { $0.text("from") } == ["0\(number):00", "2\(number):00"])
    }

    @Test("Off with an end outlasts a restart, and ends when it was to end")
    func offForATime() throws {
        let daemon = try Daemon()
        try daemon.connect().result("settings", #"{"set": {"off": {"forMs": 3600000}}}"#)
        #expect(try stored(in: daemon.folder).object("off").text("until") != nil)
        try kill(daemon)
        let next = try Daemon(in: daemon.folder)
        let left = try #require(try next.connect().result("settings").object("off").number("remainingMs"))
        #expect(left > 3_500_000 && left <= 3_601_000)
        #expect(try next.stop().status == 0)
        // So long that it is over now.
        let text = try String(contentsOfFile: file(in: daemon.folder), encoding: .utf8)
        let over = text.replacing(
            /"until": "[^"]*"/, with: #""until": "2026-01-01T00:00:01Z""#
        )
        .replacing(/"written": "[^"]*"/, with: #""written": "2026-01-01T00:00:00Z""#)
        try Data(over.utf8).write(to: URL(fileURLWithPath: file(in: daemon.folder)))
        #expect(try reason(Daemon(in: daemon.folder)) == nil)
    }

    @Test("A damaged file is set aside and named, and does not undo off")
    func damaged() throws {
        let daemon = try Daemon()
        let client = try daemon.connect()
        try client.result("settings", #"{"set": {"off": true}}"#)
        try client.result("settings", #"{"set": {"strength": 0.5}}"#)
        #expect(try daemon.stop().status == 0)
        try Data(repeating: 0, count: 90).write(to: URL(fileURLWithPath: file(in: daemon.folder)))
        let next = try Daemon(in: daemon.folder)
        #expect(try reason(next) == "off")
        let aside = try Data(contentsOf: URL(fileURLWithPath: file("settings.damaged-1.json", in: daemon.folder)))
        #expect(aside == Data(repeating: 0, count: 90))
        let log = try next.stop().errors
        #expect(log.contains(" error hapticd: \(file(in: daemon.folder)) cannot be used (1:1: not JSON:"), "\(log)")
        #expect(log.contains("; it is now settings.damaged-1.json\n"), "\(log)")
        #expect(log.contains(" error hapticd: what was stored before it is in force\n"), "\(log)")
    }

    @Test("A file of a later version is left alone; what is set counts, with the error that says until when")
    func newer() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("state"), withIntermediateDirectories: false)
        let text = #"{"version": 2, "off": true}"#
        _ = try folder.write(text, to: "state/settings.json")
        let daemon = try Daemon(in: folder)
        let client = try daemon.connect()
        #expect(try reason(daemon) == nil)
        let answer = try client.request("settings", #"{"set": {"strength": 0.5}}"#)
        #expect(answer.errorCode == Self.notStored)
        #expect(answer.errorMessage.contains("until hapticd is started again"), "\(answer)")
        #expect(answer.errorMessage.contains("settings.json is of a later hapticd (version 2 of the format)"), "\(answer)")
        #expect(try client.result("settings").object("strength").number("value") == 0.5)
        #expect(try String(contentsOfFile: file(in: folder), encoding: .utf8) == text)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("state")) == ["settings.json"])
        #expect(try daemon.stop().errors.contains("what people set counts until hapticd ends only"))
    }

    @Test("Where the folder cannot be had the daemon runs, and who sets something reads why it will not last")
    func noFolder() throws {
        let daemon = try Daemon(["--state", "/proc/nowhere"])
        let answer = try daemon.connect().request("settings", #"{"set": {"off": true}}"#)
        #expect(answer.errorCode == Self.notStored && answer.errorMessage.contains("mkdir of /proc/nowhere failed"), "\(answer)")
        let settings = try daemon.connect().result("settings")
        #expect(settings["kept"] as? Bool == false)
        #expect(settings.text("trouble")?.contains("mkdir of /proc/nowhere failed") == true)
        #expect(try reason(daemon) == "off")
        #expect(try daemon.stop().errors.contains("mkdir of /proc/nowhere failed"))
    }

    @Test("Of two daemons with one folder the second says so, and changes nothing in it")
    func twoDaemons() throws {
        let first = try Daemon()
        try first.connect().result("settings", #"{"set": {"off": true}}"#)
        let second = try Daemon(["--state", first.folder.path("state")])
        let answer = try second.connect().request("settings", #"{"set": {"strength": 0.5}}"#)
        #expect(
            answer.errorCode == Self.notStored && answer.errorMessage.contains("another hapticd keeps its settings in"),
            "\(answer)")
        #expect(try stored(in: first.folder)["strength"] == nil)
        try first.connect().result("settings", #"{"set": {"strength": 0.25}}"#)
        #expect(try stored(in: first.folder).number("strength") == 0.25)
    }

    @Test(
        "A trial leaves nothing behind: with --state none, and with --simulate where no folder is named",
        arguments: [true, false])
    func nothingKept(isNamed: Bool) throws {
        let folder = try TemporaryFolder()
        let bare = ["/usr/bin/env", "-u", "STATE_DIRECTORY", "HOME=\(folder.url.path)", "XDG_STATE_HOME=\(folder.url.path)"]
        let daemon = try isNamed ? Daemon(["--state", "none"], in: folder) : Daemon(through: bare, in: folder)
        let answer = try daemon.connect().result("settings", #"{"set": {"strength": 0.5}}"#)
        #expect(answer["kept"] as? Bool == false)
        #expect(try !daemon.stop().errors.contains("settings"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!names.contains { $0 == "state" || $0 == "hapticd" || $0 == ".local" }, "\(names)")
        #expect(try Daemon(["--state", "none"], in: folder).connect().result("settings").object("strength").number("value") == 1)
    }

    // MARK: The clock on the wall

    @Test("Quiet hours go by the time zone of the daemon", arguments: [0, 5, -11])
    func zone(hoursAhead: Int) throws {
        // In POSIX's notation what is east of Greenwich is negative.
        let zone = ["/usr/bin/env", "TZ=XYZ\(hoursAhead > 0 ? "-" : "+")\(abs(hoursAhead))"]
        let daemon = try Daemon(through: zone)
        let minute = Int(Date().timeIntervalSince1970) / 60 + hoursAhead * 60
        func time(_ minute: Int) -> String {
            let ofDay = (minute % 1440 + 1440) % 1440
            return String(format: "%02d:%02d", ofDay / 60, ofDay % 60)
        }
        func set(from: Int, to: Int) throws {
            let hours = #"[{"from": "\#(time(minute + from))", "to": "\#(time(minute + to))"}]"#
            try daemon.connect().result("settings", #"{"set": {"quietHours": \#(hours)}}"#)
        }
        try set(from: -30, to: 30)
        #expect(try reason(daemon) == "quietHours")
        try set(from: 30, to: 90)
        #expect(try reason(daemon) == nil)
        try set(from: -90, to: -30)
        #expect(try reason(daemon) == nil)
    }

    @Test("A reload puts other quiet hours and strengths in force, and says that the settings have changed")
    func reload() throws {
        let folder = try TemporaryFolder()
        let text = "version: 1\nactuators: [{ name: main, backend: simulated }]\n"
        let path = try folder.write(text, to: "hapticd.yaml")
        let daemon = try Daemon(["--config", path], in: folder)
        let client = try daemon.connect()
        #expect(try reason(daemon) == nil)
        _ = try folder.write(
            text + "settings: { strength: 50%, quietHours: [{ from: \"00:00\", to: \"24:00\" }] }\n", to: "hapticd.yaml")
        #expect(try client.result("reload")["changed"] as? [String] == ["settings"])
        #expect(try reason(daemon) == "quietHours")
        #expect(try client.result("settings").object("strength").text("by") == "configuration")
        try client.result("settings", #"{"set": {"quietHours": []}}"#)
        #expect(try reason(daemon) == nil)
        _ = try folder.write(
            text + "profile: quiet\nsettings: { strength: 50%, quietHours: [{ from: \"00:00\", to: \"24:00\" }] }\n",
            to: "hapticd.yaml")
        #expect(try client.result("reload")["changed"] as? [String] == ["profile"])
    }
}
