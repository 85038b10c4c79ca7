// SPDX-License-Identifier: MIT
internal import Glibc
internal import Measuring

/// What the daemon costs while nothing is asked of it, and how soon it is ready, against feedbackd.
struct Rest {
    let site: Site

    func rows() throws -> [Row] { try idle() + footprint() }

    /// Both are measured in the same seconds: neither does anything, so neither disturbs the other.
    private func idle() throws -> [Row] {
        let rounds = min(site.plan.rounds, 3)
        var wakeUps: [[Double]] = [[], []]
        var cpu: [[Double]] = [[], []]
        let daemon = try Daemon(.nullGPIO, site)
        let feedbackd = try Feedbackd(site)
        defer {
            daemon.stop()
            feedbackd.stop()
        }
        sleep(milliseconds: 2000)
        let families = [daemon.processes, [feedbackd.process]]
        guard families[0].count > 1 else { throw Failure("hapticd runs without its guard: \(daemon.program.errors)") }
        for round in 1...rounds {
            site.say("idle: round \(round) of \(rounds)")
            let before = try families.map(usage)
            sleep(milliseconds: site.plan.idle * 1000)
            let after = try families.map(usage)
            for side in 0..<2 {
                let woken = self.wakeUps(from: before[side].wakeUps, to: after[side].wakeUps)
                wakeUps[side].append(Double(woken) / Double(site.plan.idle))
                cpu[side].append(Double(after[side].cpu - before[side].cpu) / 1000 / Double(site.plan.idle))
            }
        }
        return [
            Row(
                "idle-wakeups", "idle, with a guard: wake-ups a second", .perSecond, wakeUps[0], against: "feedbackd", wakeUps[1],
                wanted: .atMost(0)),
            Row(
                "idle-cpu", "idle, with a guard: CPU", .microsecondsPerSecond, cpu[0], against: "feedbackd", cpu[1],
                wanted: .atMost(0)),
        ]
    }

    private func usage(of processes: [pid_t]) throws -> (wakeUps: [pid_t: Int], cpu: Int64) {
        // The CPU first: reading the counters must not be in it.
        let cpu = try processes.reduce(0) { $0 + (try ProcessTable.cpuTime(of: $1)) }
        return (processes.reduce(into: [:]) { $0.merge(ProcessTable.contextSwitches(of: $1)) { $1 } }, cpu)
    }

    /// Of all threads together; one that has ended meanwhile is not counted.
    private func wakeUps(from before: [pid_t: Int], to after: [pid_t: Int]) -> Int {
        after.reduce(0) { $0 + $1.value - before[$1.key, default: 0] }
    }

    private struct Footprint {
        var start: [Double] = []
        var dirty: [Double] = []
        var proportional: [Double] = []

        mutating func add(_ readyAfter: Int64, _ processes: [pid_t]) {
            start.append(Double(readyAfter) / 1e6)
            // Until all that follows the start is done.
            sleep(milliseconds: 500)
            let memory = processes.map(ProcessTable.memory)
            dirty.append(Double(memory.reduce(0) { $0 + $1.privateDirty }) / 1e6)
            proportional.append(Double(memory.reduce(0) { $0 + $1.proportional }) / 1e6)
        }
    }

    private func footprint() throws -> [Row] {
        var simulated = Footprint()
        var guarded = Footprint()
        var feedbackds = Footprint()
        for round in 0...site.plan.starts {
            site.say("start and memory: round \(round) of \(site.plan.starts)")
            // The first one only brings the files into memory.
            if round == 1 { (simulated, guarded, feedbackds) = (Footprint(), Footprint(), Footprint()) }
            let daemon = try Daemon(.simulated(motors: 1), site)
            simulated.add(daemon.readyAfter, daemon.processes)
            daemon.stop()
            let withGuard = try Daemon(.nullGPIO, site)
            guarded.add(withGuard.readyAfter, withGuard.processes)
            withGuard.stop()
            let feedbackd = try Feedbackd(site)
            feedbackds.add(feedbackd.readyAfter, [feedbackd.process])
            feedbackd.stop()
        }
        return [("", "simulated motor", simulated), ("-guarded", "GPIO motor, with the guard process", guarded)].flatMap {
            key, board, own in
            [
                Row(
                    "private-dirty\(key)", "idle memory, private dirty (\(board))", .megabytes, own.dirty, against: "feedbackd",
                    feedbackds.dirty, wanted: .atMost(2)),
                Row(
                    "pss\(key)", "idle memory, PSS (\(board))", .megabytes, own.proportional, against: "feedbackd",
                    feedbackds.proportional, wanted: .atMost(15)),
                Row(
                    "start\(key)", "start to ready (\(board))", .milliseconds, own.start, against: "feedbackd", feedbackds.start,
                    wanted: .atMost(30)),
            ]
        }
    }
}
