// SPDX-License-Identifier: MIT
internal import Glibc
internal import Measuring

/// What one motor on 200 Hz pulse-width modulation by software costs, against a C loop that does nothing else.
struct SoftwarePWM {
    let site: Site

    private static let percent = 40

    func rows() throws -> [Row] {
        var own: [Double] = []
        var reference: [Double] = []
        for round in 1...site.plan.rounds {
            site.say("software PWM: round \(round) of \(site.plan.rounds)")
            own.append(try ofDaemon())
            reference.append(try ofReference())
        }
        return [
            Row(
                "pwm", "CPU of one motor on 200 Hz software PWM, null line; daemon and guard", .microsecondsPerSecond, own,
                against: "a C loop", reference, wanted: .ratioAtMost(1.3))
        ]
    }

    /// Processor time of all these, user and system, in µs a second.
    private func cpu(of processes: [pid_t]) throws -> Double {
        sleep(milliseconds: 500)
        let (start, before) = (now(), try processes.map(ProcessTable.cpuTime))
        sleep(milliseconds: site.plan.motor * 1000)
        let (end, after) = (now(), try processes.map(ProcessTable.cpuTime))
        return Double(zip(after, before).reduce(0) { $0 + $1.0 - $1.1 }) / 1000 / (Double(end - start) / 1e9)
    }

    private func ofDaemon() throws -> Double {
        let daemon = try Daemon(.nullGPIO, site)
        let line = try daemon.connect()
        let length = (site.plan.motor + 1) * 1000
        _ = try answer(
            on: line,
            to: #"{"jsonrpc":"2.0","id":1,"method":"play","params":{"class":"alarm","pattern":{"tracks":[{"keyframes":["#
                + #"{"atMs":0,"intensity":0.\#(Self.percent)},{"atMs":\#(length),"intensity":0,"curve":"step"}]}]}}}"#)
        let time = try cpu(of: daemon.processes)
        sleep(milliseconds: 700)
        daemon.stop()
        // An edge that comes later than the next one is left out, so some are missing on a machine that stands still now and then.
        let wanted = length * 4 / 10
        guard let edges = daemon.edges, abs(edges - wanted) < wanted / 20 else {
            throw Failure("the motor's line was set \(daemon.edges ?? 0) times in \(length) ms: \(daemon.program.errors)")
        }
        return time
    }

    private func ofReference() throws -> Double {
        let program = try site.start("reference-pwm", ["\(site.plan.motor + 1)", "\(Self.percent)"])
        guard try program.firstLine(within: 5) == "fifo" else { throw Failure("the reference got no SCHED_FIFO") }
        let time = try cpu(of: [program.process])
        guard let edges = try program.finish(within: 20).last.flatMap({ Int($0) }), edges == (site.plan.motor + 1) * 400 else {
            throw Failure("the reference did not set its line 400 times a second")
        }
        return time
    }
}
