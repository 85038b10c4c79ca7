// SPDX-License-Identifier: MIT
internal import Measuring

/// The engine alone, in a process of its own.
struct EngineCost {
    let site: Site

    func rows() throws -> [Row] {
        var costs: [(nanoseconds: Double, allocations: Double)] = []
        for round in 1...site.plan.rounds {
            site.say("the engine alone: round \(round) of \(site.plan.rounds)")
            costs.append(try Self.measure(["progress", "\(site.plan.engineEvents)"], site))
        }
        return [
            Row(
                "engine", "engine alone, one progress input below its step", .nanoseconds, costs.map(\.nanoseconds),
                wanted: .atMost(150)),
            Row(
                "engine-allocations", "engine alone, allocations of one progress input below its step", .count,
                costs.map(\.allocations), wanted: .atMost(0)),
        ]
    }

    static func measure(_ arguments: [String], _ site: Site) throws -> (nanoseconds: Double, allocations: Double) {
        let lines = try site.start("engine-cost", arguments).finish(within: 120)
        let numbers = lines.first?.split(separator: " ").compactMap { Double($0) } ?? []
        guard numbers.count == 2 else { throw Failure("engine-cost printed \(lines)") }
        return (numbers[0], numbers[1])
    }
}
