// SPDX-License-Identifier: MIT
internal import Glibc
internal import Measuring

/// How late a schedule of 5 ms is kept, against cyclictest.
struct Lateness {
    let site: Site

    /// What busy processes at ordinary priority do to it.
    enum Load: String { case idle, load }

    /// In ns.
    private struct Percentiles {
        var p50: Double
        var p99: Double
        var p999: Double
    }

    func rows() throws -> [Row] { try measure(.idle) + measure(.load) }

    private func measure(_ load: Load) throws -> [Row] {
        var own: [Percentiles] = []
        var reference: [Percentiles] = []
        for round in 1...site.plan.scheduleRounds {
            site.say("lateness, \(load.rawValue): round \(round) of \(site.plan.scheduleRounds)")
            let busy = try load == .load ? busyProcesses() : []
            defer { for program in busy { program.stop() } }
            own.append(try ofDaemon())
            reference.append(try ofCyclictest())
        }
        let shares: [(String, KeyPath<Percentiles, Double>, Double)] = [
            ("p50", \.p50, 1.1), ("p99", \.p99, 1.1), ("p99.9", \.p999, 1.25),
        ]
        return shares.map { name, share, most in
            Row(
                "lateness-\(load.rawValue)-\(name)",
                "lateness of a 5 ms schedule, \(load == .idle ? "idle" : "under CPU load"), \(name)", .microseconds,
                own.map { $0[keyPath: share] / 1000 }, against: "cyclictest", reference.map { $0[keyPath: share] / 1000 },
                wanted: .ratioAtMost(most))
        }
    }

    private func busyProcesses() throws -> [Program] {
        try (0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))).map { _ in
            try Program("/bin/sh", ["-c", "while :; do :; done"], in: try site.newFolder())
        }
    }

    /// Real minus planned time of the actuations, from `status`. There is no subscriber, for that would keep the processors awake.
    private func ofDaemon() throws -> Percentiles {
        let daemon = try Daemon(.simulated(motors: 1), site)
        defer { daemon.stop() }
        guard daemon.fifoPriority == Self.priority else {
            throw Failure("hapticd got no SCHED_FIFO of \(Self.priority): run this as root, or with LimitRTPRIO")
        }
        let line = try daemon.connect()
        let steps = site.plan.schedule * 100
        // 5 ms on, 5 ms off.
        _ = try answer(
            on: line,
            to:
                #"{"jsonrpc":"2.0","id":2,"method":"play","params":{"class":"alarm","steps":\#(steps),"durationMs":\#(steps * 10),"curve":"linear","#
                + #""pattern":{"tracks":[{"keyframes":[{"atMs":0,"intensity":0.8},{"atMs":5,"intensity":0,"curve":"step"}]}]}}}"#)
        sleep(milliseconds: site.plan.schedule * 1000 + 200)
        let status = try daemon.status()
        // Where an on is left out as too late, its off is left out, too.
        let count = status.lateness.first?.count ?? 0
        let missed = 2 * steps - count
        guard let lateness = status.lateness.first, missed >= 0, missed <= 2 * status.missedActuations else {
            throw Failure("hapticd applied \(count) of \(2 * steps) actuations, and missed \(status.missedActuations)")
        }
        // The missed ones are not in its percentiles.
        func percentile(_ share: Double, _ value: Double?) -> Double {
            Double(missed) > (1 - share) * Double(2 * steps) ? .infinity : value ?? .nan
        }
        return Percentiles(
            p50: percentile(0.5, lateness.p50Ns), p99: percentile(0.99, lateness.p99Ns), p999: percentile(0.999, lateness.p999Ns))
    }

    static let priority = 40

    /// The same of cyclictest: one thread with the same priority, interval and count. Like the daemon, it leaves the processors' sleep
    /// states as they are.
    private func ofCyclictest() throws -> Percentiles {
        let loops = site.plan.schedule * 200
        let program = try Program(
            "/usr/bin/cyclictest",
            [
                "-q", "-m", "--default-system", "-t", "1", "-p", "\(Self.priority)", "-i", "5000", "-l", "\(loops)",
                "-h", "\(Self.longest)",
            ],
            in: try site.newFolder())
        let lines = try program.finish(within: site.plan.schedule + 20)
        var times: [Double] = []
        for line in lines where line.first?.isNumber == true {
            let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            guard numbers.count == 2 else { continue }
            // It counts whole microseconds. Those that fell into one are taken to lie evenly in it.
            times += (0..<numbers[1]).map { (Double(numbers[0]) + (Double($0) + 0.5) / Double(numbers[1])) * 1000 }
        }
        times += repeatElement(.infinity, count: max(0, loops - times.count))
        return Percentiles(p50: percentile(0.5, of: times), p99: percentile(0.99, of: times), p999: percentile(0.999, of: times))
    }

    /// Of the histogram, in µs.
    private static let longest = 100_000
}
