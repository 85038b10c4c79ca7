// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

/// How often the kernel has switched from any thread of these processes, by the lines of its status that count that.
private func switches(
    _ processes: [Int32], counting prefixes: [String] = ["voluntary_ctxt_switches:", "nonvoluntary_ctxt_switches:"]
) -> Int {
    var sum = 0
    for process in processes {
        let folder = "/proc/\(process)/task"
        for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let status = (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)) ?? ""
            for line in status.split(separator: "\n") where prefixes.contains(where: line.hasPrefix) {
                sum += Int(line.split(separator: "\t").last ?? "") ?? 0
            }
        }
    }
    return sum
}

/// How often threads of these processes have gone to sleep, each after a wake-up. Without those switches that another program's turn made.
private func sleeps(_ processes: [Int32]) -> Int { switches(processes, counting: ["voluntary_ctxt_switches:"]) }

/// What else runs on the machine wakes these threads, too: for `make nightly`.
@Suite("Idle", .ownThreads, .enabled(if: isNightly))
struct IdleTests {
    /// A line has a guard, also while its chip is not there.
    private static let actuators =
        "[{ name: main, backend: simulated }, { name: line, backend: gpio, chip: hapticd-test-without-this-chip, line: 1 }]"

    @Test("With nothing to do, before and after something was felt, no thread of the daemon or its guard wakes up")
    func sleepsForGood() throws {
        let daemon = try Daemon(configuration: "", actuators: Self.actuators)
        let process = daemon.program.processIdentifier
        var all: [Int32] = []
        try wait(for: "the guard") {
            all = try [process] + children(of: process)
            return all.count == 2
        }
        #expect(switches(all) > 0, "the daemon has started without a single switch: they are not counted")
        #expect(try quietest(of: all) == 0)

        let before = switches(all)
        #expect(try daemon.ctl("play", "--pattern", "soft", "--actuator", "main").status == 0)
        #expect(switches(all) > before)
        #expect(try quietest(of: all) == 0)
        #expect(try children(of: process) == Array(all.dropFirst()))
    }

    @Test("Under a watchdog all threads of the daemon and its guard wake up twice a period in all, and the manager hears in time")
    func underWatchdog() throws {
        let folder = try TemporaryFolder()
        let manager = try ServiceManager(in: folder)
        let configuration = try folder.configure(actuators: Self.actuators)
        let program = try Program(
            "hapticd", ["--config", configuration, "--socket", folder.path("hapticd.sock")],
            environment: manager.environment(watchdog: 2), in: folder)
        _ = try manager.message(with: "READY=1")
        let process = program.processIdentifier
        let all = [process] + (try children(of: process))
        try #require(all.count == 2)
        // A sign of life every 1.5 s, so that four of them are three periods. Looked at several times: what other tests do in
        // /dev wakes it.
        var least = Int.max
        for _ in 0..<10 where least > 6 {
            let before = try afterSign(manager, all)
            for _ in 1...3 { #expect(try manager.message() == ["WATCHDOG=1"]) }
            least = min(least, try afterSign(manager, all) - before)
        }
        #expect((4...6).contains(least), "\(least) wake-ups in three periods")
        // Stopped it gives none, also not later for what it missed.
        program.signal(SIGSTOP)
        _ = manager.messagesNow()
        usleep(2_500_000)
        #expect(manager.messagesNow() == [])
    }

    /// The count some time after the next sign of life, when all are asleep again.
    private func afterSign(_ manager: ServiceManager, _ processes: [Int32]) throws -> Int {
        #expect(try manager.message() == ["WATCHDOG=1"])
        usleep(500_000)
        return sleeps(processes)
    }

    /// The least number of switches in two seconds. Looked for several times: at first it still settles, and what other tests do
    /// in /dev wakes it.
    private func quietest(of processes: [Int32]) throws -> Int {
        var least = Int.max
        for _ in 0..<10 where least > 0 {
            let before = switches(processes)
            usleep(2_000_000)
            least = min(least, switches(processes) - before)
        }
        return least
    }
}
