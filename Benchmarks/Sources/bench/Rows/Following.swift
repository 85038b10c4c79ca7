// SPDX-License-Identifier: MIT
internal import Glibc
internal import Measuring

/// 1,000 values a second in all, of 8 levers that are followed.
struct Following {
    let site: Site

    private static let levers = 8

    func rows() throws -> [Row] { try [instructions(), share()] }

    private func instructions() throws -> Row {
        site.say("instructions of a value that is followed")
        let value = try Instructions(site: site).each(["follow"], times: 1000)
        return Row(
            "follow-instructions", "engine alone, instructions of a value that is followed, planning included", .count, [value])
    }

    /// Of the daemon as it is shipped: socket, engine, executor.
    private func share() throws -> Row {
        let daemon = try Daemon(.levers(Self.levers), site)
        defer { daemon.stop() }
        guard let line = Line(to: daemon.socket) else { throw Failure("nobody listens at \(daemon.socket)") }
        var used: [Double] = []
        let rounds = min(site.plan.rounds, 3)
        for round in 1...rounds {
            site.say("following: round \(round) of \(rounds)")
            try pull(line, values: 500)
            let before = try daemon.processes.reduce(0) { $0 + (try ProcessTable.cpuTime(of: $1)) }
            let start = now()
            try pull(line, values: 5000)
            let time = Double(now() - start)
            let after = try daemon.processes.reduce(0) { $0 + (try ProcessTable.cpuTime(of: $1)) }
            used.append(Double(after - before) / time * 1e6)
        }
        // 3 % of a core.
        return Row("follow-cpu", "1,000 values a second of 8 levers: CPU", .microsecondsPerSecond, used, wanted: .atMost(30_000))
    }

    /// One value each millisecond, of one lever after the other, up and down in 2 s.
    private func pull(_ line: Line, values: Int) throws {
        let start = now()
        for number in 0..<values {
            let late = start + Int64(number) * 1_000_000 - now()
            if late > 0 { usleep(UInt32(late / 1000)) }
            let place = Double(number % 2000) / 1000
            let value = place < 1 ? place : 2 - place
            try line.send(
                #"{"jsonrpc":"2.0","method":"progress","params":{"id":"lever-\#(number % Self.levers)","value":\#(value)}}"#)
        }
    }
}
