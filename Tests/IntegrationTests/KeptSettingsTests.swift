// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("Settings on disk, over restarts", .ownThreads)
struct KeptSettingsTests {
    /// Why an alarm is not felt; `nil` if it is.
    private func reason(_ daemon: Daemon) throws -> String? {
        try daemon.connect().result("play", #"{"pattern":"heavy","class":"alarm"}"#).object("decision").text("reason")
    }

    private func set(_ daemon: Daemon, _ settings: String) throws -> [String: Any] {
        try daemon.connect().request("settings", #"{"set":\#(settings)}"#)
    }

    @Test("Settings are in force again after SIGKILL, and only this user may enter their folder")
    func killed() throws {
        let daemon = try Daemon()
        let answer = try set(
            daemon,
            #"{"profile":"quiet","strength":0.5,"classes":{"texture":0},"apps":{"org.mail":1.2,"a":0.1},"#
                + #""quietHours":[{"from":"22:00","to":"07:00","days":["mon"]}],"off":true}"#)
        #expect(answer.object("result")["kept"] as? Bool == true)
        _ = try daemon.stop(SIGKILL)
        let next = try Daemon(in: daemon.folder)
        let settings = try next.connect().result("settings")
        #expect((settings.object("profile").text("value"), settings.object("profile").text("by")) == ("quiet", "settings"))
        #expect(settings.object("strength").number("value") == 0.5)
        #expect(settings.object("classes").object("texture").number("value") == 0)
        #expect(settings.object("apps").object("org.mail").number("value") == 1.2)
        #expect((settings.object("quietHours")["value"] as? [Any])?.count == 1)
        #expect(try reason(next) == "off")
        let permissions = ["state", "state/settings.json"].map {
            try? FileManager.default.attributesOfItem(atPath: daemon.folder.path($0))[.posixPermissions] as? Int
        }
        #expect(permissions == [0o700, 0o600])
        _ = try set(next, #"{"profile":null,"off":{"forMs":3600000}}"#)
        _ = try next.stop(SIGKILL)
        let last = try Daemon(in: daemon.folder)
        let inForce = try last.connect().result("settings")
        #expect(inForce.object("profile").text("by") == "configuration")
        let left = try #require(inForce.object("off").number("remainingMs"))
        #expect((3_500_000...3_601_000).contains(left))
    }

    @Test("Quiet hours that several clients add at the same time are all stored")
    func addedAtOnce() throws {
        let daemon = try Daemon()
        let adding = try (0..<4).map { try daemon.start(["quiet", "0\($0):00-0\($0):30", "--add"]) }
        for program in adding { #expect(try program.wait().status == 0) }
        let hours = try daemon.connect().result("settings").object("quietHours")["value"] as? [[String: Any]] ?? []
        #expect(Set(hours.compactMap { $0.text("from") }) == ["00:00", "01:00", "02:00", "03:00"])
    }

    @Test("A damaged file is set aside and named, and does not undo off")
    func damaged() throws {
        let daemon = try Daemon()
        _ = try set(daemon, #"{"off":true}"#)
        _ = try set(daemon, #"{"strength":0.5}"#)
        #expect(try daemon.stop().status == 0)
        let (folder, damage) = (daemon.folder, String(repeating: "\0", count: 90))
        try folder.write(damage, to: "state/settings.json")
        let next = try Daemon(in: folder)
        #expect(try reason(next) == "off")
        #expect(try folder.read("state/settings.damaged-1.json") == damage)
        let log = try next.stop().errors
        for text in [
            " error hapticd: \(folder.path("state/settings.json")) cannot be used (1:1: not JSON:",
            "; it is now settings.damaged-1.json\n", " error hapticd: what was stored before it is in force\n",
        ] { #expect(log.contains(text), "\(log)") }
    }

    @Test(
        "A trial leaves nothing behind: with --state none, and with --simulate if no folder is named", arguments: [true, false])
    func nothingKept(isNamed: Bool) throws {
        let folder = try TemporaryFolder()
        let bare = ["/usr/bin/env", "-u", "STATE_DIRECTORY", "HOME=\(folder.url.path)", "XDG_STATE_HOME=\(folder.url.path)"]
        let daemon = try isNamed ? Daemon(["--state", "none"], in: folder) : Daemon(through: bare, in: folder)
        #expect(try set(daemon, #"{"strength":0.5}"#).object("result")["kept"] as? Bool == false)
        #expect(try !daemon.stop().errors.contains("settings"))
        for name in ["state", "hapticd", ".local"] { #expect(!folder.has(name)) }
    }

    @Test("Quiet hours go by the time zone of the daemon", arguments: [0, 5, -11])
    func zone(hoursAhead: Int) throws {
        // In POSIX's notation what is east of Greenwich is negative.
        let zone = ["/usr/bin/env", "TZ=XYZ\(hoursAhead > 0 ? "-" : "+")\(abs(hoursAhead))"]
        let daemon = try Daemon(through: zone)
        let now = Int(Date().timeIntervalSince1970) / 60 + hoursAhead * 60
        func time(_ minutes: Int) -> String {
            let ofDay = ((now + minutes) % 1440 + 1440) % 1440
            return String(format: "%02d:%02d", ofDay / 60, ofDay % 60)
        }
        for (from, to, expected) in [(-30, 30, "quietHours"), (30, 90, nil), (-90, -30, nil)] as [(Int, Int, String?)] {
            _ = try set(daemon, #"{"quietHours":[{"from":"\#(time(from))","to":"\#(time(to))"}]}"#)
            #expect(try reason(daemon) == expected)
        }
    }
}
