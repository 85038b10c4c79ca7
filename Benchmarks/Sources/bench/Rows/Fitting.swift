// SPDX-License-Identifier: MIT
internal import Measuring

/// What fitting to a motor adds to deciding and planning a play, in instructions, which are the same in each run.
struct Fitting {
    let site: Site

    static let valgrind = "/usr/bin/valgrind"

    func rows() throws -> [Row] {
        try [("ramp", "a ramp of 0.5 s"), ("train", "75 steps of the charge")].map { shape, what in
            site.say("instructions of a play: \(what)")
            return Row(
                "fitting-\(shape)", "engine alone, instructions of a play fitted to a slow motor, \(what)", .count,
                [try instructions("fitted-\(shape)")], against: "not fitted", [try instructions(shape)],
                wanted: .ratioAtMost(2))
        }
    }

    /// Of one play: what a run of many takes more than a run of few.
    private func instructions(_ shape: String) throws -> Double {
        let (few, many) = (20, 120)
        // Each run warms up with a tenth as many.
        let plays = Double(many + many / 10 - few - few / 10)
        return (try total(shape, many) - total(shape, few)) / plays
    }

    private func total(_ shape: String, _ count: Int) throws -> Double {
        let program = try Program(
            Self.valgrind,
            ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-fd=1", "\(site.tools)/engine-cost", shape, "\(count)"],
            in: try site.newFolder())
        let lines = try program.finish(within: 120)
        let counted = lines.first { $0.contains("Collected : ") }?.split(separator: " ").last.flatMap { Double($0) }
        guard let counted else { throw Failure("callgrind counted nothing: \(lines)") }
        return counted
    }
}
