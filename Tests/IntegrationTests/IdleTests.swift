// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// How often the kernel has switched to or from any thread of these processes.
private func switches(_ processes: [Int32]) -> Int {
    var sum = 0
    for process in processes {
        let folder = "/proc/\(process)/task"
        for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let status = (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)) ?? ""
            for line in status.split(separator: "\n") where line.contains("voluntary_ctxt_switches:") {
                sum += Int(line.split(separator: "\t").last ?? "") ?? 0
            }
        }
    }
    return sum
}

/// The processes that `process` has started.
private func children(of process: Int32) throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter { child in
        let status = (try? String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8)) ?? ""
        return status.split(separator: "\n").contains("PPid:\t\(process)")
    }
}

@Suite("Idle")
struct IdleTests {
    @Test("with nothing to do, before and after something was felt, no thread of the daemon or its guard wakes up")
    func sleepsForGood() throws {
        let folder = try TemporaryFolder()
        // A line has a guard, also while its chip is not there.
        let configuration = try folder.write(
            """
            version: 1
            actuators:
              - { name: main, backend: simulated }
              - { name: line, backend: gpio, chip: hapticd-test-without-this-chip, line: 1 }

            """, to: "hapticd.yaml")
        let daemon = try Daemon(["--config", configuration], simulate: false, in: folder)
        let process = daemon.program.process.processIdentifier
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

    /// The least number of switches in two seconds. Looked for several times: at first it still settles, and what other tests do in /dev wakes it.
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
