// SPDX-License-Identifier: MIT
internal import Glibc
internal import Measuring

/// From a client's `write` to the first actuation, against the least C program that does the same.
struct Latency {
    let site: Site

    private static let shares = [(name: "p50", share: 0.5, most: 1.4), ("p99", 0.99, 1.6)]
    private static let event = #"{"jsonrpc":"2.0","method":"event","params":{"name":"tap-0"}}"#

    func rows() throws -> [Row] {
        var own: [[Double]] = []
        var reference: [[Double]] = []
        for round in 1...site.plan.rounds {
            site.say("write to actuation: round \(round) of \(site.plan.rounds)")
            own.append(try ofDaemon())
            reference.append(try ofReference())
        }
        return Self.shares.map { name, share, most in
            Row(
                "latency-\(name)", "socket write to first actuation, \(name)", .microseconds,
                own.map { percentile(share, of: $0) / 1000 }, against: "C, epoll and eventfd",
                reference.map { percentile(share, of: $0) / 1000 }, wanted: .ratioAtMost(most))
        }
    }

    /// What has not been reported by then was left out.
    private static let patience: Int32 = 1000

    /// Sends events with pauses between them. `felt` is called after each: it waits until the event is over, and returns when it was
    /// felt; nil: it was not, which counts as infinitely late.
    private func measure(_ line: Line, felt: (_ sent: Int64) throws -> Int64?) throws -> [Double] {
        let bytes = Array((Self.event + "\n").utf8)
        var times: [Double] = []
        for event in 0..<site.plan.taps {
            // Pauses of many lengths, so that they meet no rhythm of the machine.
            usleep(UInt32(2000 + event * 7919 % 4000))
            let start = now()
            try line.send(bytes)
            times.append(try felt(start).map { Double($0 - start) } ?? .infinity)
        }
        return times
    }

    private func ofDaemon() throws -> [Double] {
        let daemon = try Daemon(.simulated(motors: 1), site)
        defer { daemon.stop() }
        let line = try daemon.connect()
        _ = try answer(on: line, to: #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":["actuations"]}}"#)
        return try measure(line) { sent in
            // What was left out may have been reported late: it is not this one.
            while try line.hasLine(within: Self.patience) {
                guard let on = try line.read().number("atNs") else { throw Failure("hapticd reported no actuation") }
                guard on >= sent else { continue }
                // The off, 1 ms later: the pause begins when everything is at rest.
                _ = try line.read()
                return on
            }
            return nil
        }
    }

    private func ofReference() throws -> [Double] {
        let path = try site.newFolder() + "/s"
        let program = try site.start("reference-line", [path, "hand-over"])
        defer { program.stop() }
        guard try program.firstLine(within: 5) == "fifo" else { throw Failure("the reference got no SCHED_FIFO") }
        guard let line = Line(to: path) else { throw Failure("the reference does not listen") }
        return try measure(line) { _ in
            guard let at = Int64(try line.readText()) else { throw Failure("the reference printed no time") }
            return at
        }
    }
}
