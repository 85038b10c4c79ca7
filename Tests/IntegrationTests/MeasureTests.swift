// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("Measurements, as a person and a collector see them", .ownThreads)
struct MeasureTests {
    @Test("Ctrl-C shows the figures of `latency` so far, and stops its plays")
    func interrupted() throws {
        let daemon = try Daemon()
        let watcher = try daemon.connect()
        try watcher.subscribe("actuations")
        let program = try daemon.start(["latency", "--count", "10", "--pattern", "ring"])
        // The first is the one that warms up: with the second the measuring has begun.
        let first = try watcher.notification("actuation").number("playback")
        while try watcher.notification("actuation").number("playback") == first {}
        program.signal(SIGINT)
        let ended = try program.wait()
        #expect(ended.status == 130, "\(ended)")
        #expect(ended.output.contains("ROUND TRIP"))
        #expect(try watcher.result("status").number("playbacks") == 0)
    }

    @Test("Metrics go to standard output or, as a whole, to a file that all may read")
    func prometheus() throws {
        let daemon = try Daemon()
        #expect(try daemon.ctl("play", "--pattern", "soft").status == 0)
        let shown = try daemon.ctl("status", "--prometheus", "-")
        #expect(shown.output.contains("\nhapticd_actuator_available{actuator=\"main\"} 1\n"), "\(shown)")
        let path = daemon.folder.path("hapticd.prom")
        let written = try daemon.ctl("status", "--prometheus", path)
        #expect((written.quietStatus, written.output) == (0, ""))
        let metrics = try daemon.folder.read("hapticd.prom")
        #expect(metrics.contains("\nhapticd_decisions_total{outcome=\"played\",reason=\"\"} 1\n"), "\(metrics)")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o644)
        let refused = try daemon.ctl("status", "--prometheus", daemon.folder.path("no/such/folder.prom"))
        #expect(refused.status == 1)
        #expect(refused.errors.contains("make its directory first"), "\(refused)")
        #expect(try runCtl(["status", "--prometheus", path, "--socket", "/tmp/no-such-hapticd.sock"]).status == 3)
        #expect(try daemon.folder.read("hapticd.prom") == metrics)
    }
}
