// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors

#if canImport(Glibc)
    import Glibc
#endif

/// How hot a motor is, by the formula of docs/motors.md: 1 is what the rated drive comes to in the end.
struct Heat {
    private var winding = 0.0
    private var housing = 0.0

    var total: Double { winding + housing }

    /// The same after `time` at `level`; nanoseconds.
    func after(_ time: Int64, at level: Double, _ model: ThermalModel) -> Heat {
        func approach(_ end: Double, _ start: Double, _ tau: Int64) -> Double {
            end + (start - end) * exp(-Double(time) / Double(tau))
        }
        var heat = self
        heat.winding = approach(0.25 * level * level, winding, model.winding.count)
        heat.housing = approach(0.75 * level * level, housing, model.housing.count)
        return heat
    }

    /// What a motor may come to: 3 % for the engine's whole numbers, and what its strongest drive adds in 12 ms, between two looks.
    static func most(_ model: ThermalModel, jitter: Int64, mostDrive: Double) -> Double {
        let look = mostDrive * mostDrive * Double(12_000_000 + 2 * jitter)
        let limit = model.continuous.value * model.continuous.value
        return 1.03 * limit + look * (0.25 / Double(model.winding.count) + 0.75 / Double(model.housing.count))
    }
}
