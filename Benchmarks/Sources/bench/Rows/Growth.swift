// SPDX-License-Identifier: MIT
internal import Measuring

/// What an event costs where there is more of everything, relative to the least.
struct Growth {
    let site: Site

    func rows() throws -> [Row] {
        try throughDaemon("sources", [1, 100, 10_000], "") { Load(sources: $0) }
            + engineAlone("sources", [1, 100, 10_000], "", events: site.plan.engineEvents)
            + throughDaemon("clients", [1, 100, 1000], ", one of them speaking") { Load(clients: $0) }
            + throughDaemon("actuators", [1, 8, 64], ", progress felt on one of them") { Load(motors: $0) }
            + engineAlone("actuators", [1, 8, 64], ", a play on one of them in turn", events: site.plan.engineEvents / 5)
    }

    private struct Load {
        var sources = 4
        var clients = 1
        var motors = 1
    }

    /// Each size has a daemon of its own. All of them run side by side and are asked in turn. CPU time is what counts: the time that
    /// passes depends on where the kernel puts a daemon and its client.
    private func throughDaemon(_ what: String, _ sizes: [Int], _ how: String, _ load: (Int) -> Load) throws -> [Row] {
        var daemons: [(daemon: Daemon, line: Line, silent: [Line], flood: Flood)] = []
        defer { for each in daemons { each.daemon.stop() } }
        for load in sizes.map(load) {
            let daemon = try Daemon(.simulated(motors: load.motors), site)
            let silent = try (1..<load.clients).map { _ in try daemon.connect() }
            let flood = Flood(lines: Plan.growthLines, sources: load.sources)
            daemons.append((daemon, try daemon.connect(), silent, flood))
            // Makes the sources known.
            _ = try flood.send(to: daemon, on: daemons.last!.line)
        }
        return try compare(what, sizes, "daemon", "through the daemon\(how)") { index in
            try daemons[index].flood.send(to: daemons[index].daemon, on: daemons[index].line).cpu
        }
    }

    private func engineAlone(_ what: String, _ sizes: [Int], _ how: String, events: Int) throws -> [Row] {
        try compare(what, sizes, "engine", "engine alone\(how)") { index in
            try EngineCost.measure([what, "\(sizes[index])", "\(events)"], site).nanoseconds / 1000
        }
    }

    /// Each size in turn, as often as there are rounds. `cost` is that of an event in µs.
    private func compare(_ what: String, _ sizes: [Int], _ key: String, _ how: String, cost: (Int) throws -> Double) throws
        -> [Row]
    {
        var costs = sizes.map { _ in [Double]() }
        for round in 1...site.plan.growthRounds {
            site.say("growth with \(what), \(how): round \(round) of \(site.plan.growthRounds)")
            for index in sizes.indices { costs[index].append(try cost(index)) }
        }
        return zip(sizes, costs).dropFirst().map { size, grown in
            Row(
                "growth-\(what)-\(size)-\(key)", "cost of an event with \(size) \(what), \(how)", .microseconds, grown,
                against: "with \(sizes[0])", costs[0], wanted: .ratioAtMost(1.5))
        }
    }
}
