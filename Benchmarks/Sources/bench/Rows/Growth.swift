// SPDX-License-Identifier: MIT
internal import Measuring

/// What an event costs where there is more of everything, relative to the least.
struct Growth {
    let site: Site

    func rows() throws -> [Row] {
        let lines = site.plan.growthLines
        return try compare("sources", [1, 100, 10_000], "through the daemon") { sources in
            try self.cost(Flood(lines: lines, sources: sources))
        }
            + compare("sources", [1, 100, 10_000], "engine alone") { sources in
                try EngineCost.measure(["sources", "\(sources)", "\(self.site.plan.engineEvents)"], self.site).nanoseconds / 1000
            }
            + compare("clients", [1, 100, 1000], "through the daemon, one of them speaking") { clients in
                try self.cost(Flood(lines: lines, sources: 4), clients: clients)
            }
            + compare("actuators", [1, 8, 64], "through the daemon, progress felt on one of them") { motors in
                try self.cost(Flood(lines: lines, sources: 4), motors: motors)
            }
            + compare("actuators", [1, 8, 64], "engine alone, a play on one of them in turn") { motors in
                try EngineCost.measure(["actuators", "\(motors)", "\(self.site.plan.engineEvents / 10)"], self.site).nanoseconds
                    / 1000
            }
    }

    /// Each size in turn, as many times as there are rounds. `cost` is in µs.
    private func compare(_ what: String, _ sizes: [Int], _ how: String, cost: (Int) throws -> Double) throws -> [Row] {
        var costs = sizes.map { _ in [Double]() }
        for round in 1...site.plan.rounds {
            site.say("growth with \(what), \(how): round \(round) of \(site.plan.rounds)")
            for (place, size) in sizes.enumerated() { costs[place].append(try cost(size)) }
        }
        return zip(sizes, costs).dropFirst().map { size, grown in
            Row(
                "growth-\(what)-\(size)-\(how.hasPrefix("engine") ? "engine" : "daemon")",
                "cost of an event with \(size) \(what), \(how)",
                .microseconds, grown, against: "with \(sizes[0])", costs[0], wanted: .ratioAtMost(1.5))
        }
    }

    private func cost(_ flood: Flood, clients: Int = 1, motors: Int = 1) throws -> Double {
        let daemon = try Daemon(.simulated(motors: motors), site)
        defer { daemon.stop() }
        let silent = try (1..<clients).map { _ in try daemon.connect() }
        let line = try daemon.connect()
        // Once to make the sources known and all pages touched.
        _ = try flood.rate(of: daemon, on: line)
        let rate = try flood.rate(of: daemon, on: line)
        return withExtendedLifetime(silent) { 1e6 / rate }
    }
}
