// SPDX-License-Identifier: MIT
import HapticWire
import Testing

@testable import hapticctl

@Suite("The status for people")
struct StatusTextTests {
    private typealias Realtime = StatusResult.Realtime

    @Test(
        "One line says what the executor was given, or what to do",
        arguments: [
            (Realtime(), "real time: not asked for; see `realtime` in the configuration"),
            (
                Realtime(priority: 40, lockMemory: true, granted: .init(priority: true, lockMemory: true)),
                "real time: SCHED_FIFO 40, memory locked"
            ),
            (
                Realtime(priority: 40, cpu: 3, granted: .init(priority: true, cpu: true)),
                "real time: SCHED_FIFO 40, on processor 3"
            ),
            (Realtime(priority: 40, granted: .init(priority: false), remedies: ["do this"]), "real time: no - do this"),
            (
                Realtime(
                    priority: 40, lockMemory: true, cpu: 9, granted: .init(priority: false, lockMemory: true, cpu: false),
                    remedies: ["do this", "and that"]), "real time: memory locked - do this - and that"
            ),
        ])
    private func realtime(_ realtime: Realtime, line: String) {
        #expect(StatusText.realtime(realtime) == line)
    }

    @Test("Missed actuations are shown where there were any, and percentiles with the worst")
    func tables() {
        let lines = StatusText.lines(MetricsTests.status, socket: "/run/hapticd/hapticd.sock")
        let blanks = lines.map { $0.split(separator: " ").joined(separator: " ") }
        let expected = [
            "real time: SCHED_FIFO 40 - raise the limit", "INPUTS not felt in time",
            "came too late felt too late left out by the executor", "texture 2 1 3",
            "6 ACTUATIONS left out, because they came too late", "main 6", "p50 p90 p99 p99.9 worst",
            "main 0.05 ms 0.08 ms 0.12 ms 0.9 ms 1.5 ms of 1000", "REFUSED by `bounds` and `access` of the configuration",
            "8 requestsPerClient", "1 reload",
        ]
        for line in expected { #expect(blanks.contains(line), "\(line) in \(blanks)") }
        #expect(!blanks.contains { $0.hasPrefix("alarm") })
        #expect(!zip(blanks, blanks.dropFirst()).contains { $0.isEmpty && $1.isEmpty }, "two empty lines in \(blanks)")
    }
}
