// SPDX-License-Identifier: MIT

#if canImport(Glibc)
    import Glibc
#endif

/// How hot a motor gets, with an arithmetic of the walk's own: as docs/motors.md has it. 1 is what the rated drive comes to in the end.
struct Heat {
    /// What the motor bears; times in nanoseconds.
    struct Model: Sendable {
        var winding: Int64
        var housing: Int64
        var continuous: Double
        var soft: Double
        var floor: Double

        var limit: Double { continuous * continuous }
    }

    /// By how much the engine's whole numbers, and its looks, may differ from this.
    static let tolerance = 0.03

    private var winding = 0.0
    private var housing = 0.0

    var total: Double { winding + housing }

    /// The same after `time` at `level`.
    func after(_ time: Int64, at level: Double, _ model: Model) -> Heat {
        func approach(_ end: Double, _ start: Double, _ tau: Int64) -> Double {
            end + (start - end) * exp(-Double(time) / Double(tau))
        }
        var heat = self
        heat.winding = approach(0.25 * level * level, winding, model.winding)
        heat.housing = approach(0.75 * level * level, housing, model.housing)
        return heat
    }
}

extension Heat.Model {
    /// How far `heat` is from the soft limit to the limit; below 0, or above 1.
    private func way(_ heat: Double) -> Double { (heat / limit - soft) / (1 - soft) }

    /// The least and the most that may be left of the strength, where it was as hot as that.
    func strengths(_ heat: Double) -> (least: Double, most: Double) {
        func strength(_ way: Double) -> Double { 1 - (1 - floor) * min(max(way, 0), 1) }
        let most = strength((way(heat * (1 - Heat.tolerance)) * 16).rounded(.down) / 16)
        return (strength(way(heat * (1 + Heat.tolerance))), most)
    }

    /// By how much it may be hotter than it may be: what comes within a look and the executor's jitter.
    func slack(_ jitter: Int64, most: Double) -> Double {
        let time = Double(12_000_000 + 2 * jitter)
        return most * most * time * (0.25 / Double(winding) + 0.75 / Double(housing))
    }
}
