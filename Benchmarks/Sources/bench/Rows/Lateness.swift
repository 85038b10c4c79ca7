// SPDX-License-Identifier: MIT
internal import Glibc
internal import Measuring

/// How late a schedule of 5 ms is kept, against cyclictest.
struct Lateness {
    let site: Site

    /// What busy processes at ordinary priority do to it.
    enum Load: String { case idle, load }

    private static let shares = [(name: "p50", share: 0.5, most: 1.1), ("p99", 0.99, 1.1), ("p99.9", 0.999, 1.25)]

    func rows() throws -> [Row] { try measure(.idle) + measure(.load) }

    private func measure(_ load: Load) throws -> [Row] {
        var own: [[Double]] = []
        var reference: [[Double]] = []
        for round in 1...site.plan.scheduleRounds {
            site.say("lateness, \(load.rawValue): round \(round) of \(site.plan.scheduleRounds)")
            let busy = try load == .load ? busyProcesses() : []
            defer { for program in busy { program.stop() } }
            own.append(try ofDaemon())
            reference.append(try ofCyclictest())
        }
        return Self.shares.map { name, share, most in
            Row(
                "lateness-\(load.rawValue)-\(name)",
                "lateness of a 5 ms schedule, \(load == .idle ? "idle" : "under CPU load"), \(name)",
                .microseconds, own.map { percentile(share, of: $0) / 1000 }, against: "cyclictest",
                reference.map { percentile(share, of: $0) / 1000 }, wanted: .ratioAtMost(most))
        }
    }

    private func busyProcesses() throws -> [Program] {
        try (0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))).map { _ in
            try Program("/bin/sh", ["-c", "while :; do :; done"], in: try site.newFolder())
        }
    }

    /// Real minus planned time of each actuation, in ns.
    private func ofDaemon() throws -> [Double] {
        let daemon = try Daemon(.simulated(motors: 1), site)
        defer { daemon.stop() }
        guard daemon.fifoPriority == Self.priority else {
            throw Failure("hapticd got no SCHED_FIFO of \(Self.priority): run this as root, or with LimitRTPRIO")
        }
        let line = try daemon.connect()
        _ = try answer(on: line, to: #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":["actuations"]}}"#)
        let steps = site.plan.schedule * 100
        // 5 ms on, 5 ms off.
        _ = try answer(
            on: line,
            to:
                #"{"jsonrpc":"2.0","id":2,"method":"play","params":{"class":"alarm","steps":\#(steps),"durationMs":\#(steps * 10),"curve":"linear","#
                + #""pattern":{"tracks":[{"keyframes":[{"atMs":0,"intensity":0.8},{"atMs":5,"intensity":0,"curve":"step"}]}]}}}"#)
        var times: [Double] = []
        let end = now() + Int64(site.plan.schedule + 2) * 1_000_000_000
        while times.count < 2 * steps, now() < end {
            // Seldom, so that reading disturbs little.
            sleep(milliseconds: 500)
            while let notice = try line.readIfThere() {
                guard let at = notice.number("atNs"), let planned = notice.number("plannedNs") else { continue }
                times.append(Double(at - planned))
            }
        }
        // What was left out as too late.
        times += repeatElement(.infinity, count: 2 * steps - times.count)
        return times
    }

    static let priority = 40

    /// The same of cyclictest: one thread, the same priority and interval, as many of them. Like the daemon, it leaves the processors'
    /// sleep states as they are.
    private func ofCyclictest() throws -> [Double] {
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
            // It counts whole microseconds: those that fell into one are taken to lie evenly in it.
            times += (0..<numbers[1]).map { (Double(numbers[0]) + (Double($0) + 0.5) / Double(numbers[1])) * 1000 }
        }
        times += repeatElement(.infinity, count: max(0, loops - times.count))
        return times
    }

    /// Of the histogram, in µs.
    private static let longest = 100_000
}
