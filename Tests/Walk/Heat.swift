// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors

#if canImport(Glibc)
    import Glibc
#endif

/// The heat of a motor by the formula of docs/motors.md: 1 is the limit of the rated drive.
struct Heat {
    private var winding = 0.0
    private var housing = 0.0

    var total: Double { winding + housing }

    /// Returns the heat after `time`, in nanoseconds, at `level`.
    func after(_ time: Int64, at level: Double, _ model: ThermalModel) -> Heat {
        func approach(_ end: Double, _ start: Double, _ tau: Int64) -> Double {
            end + (start - end) * exp(-Double(time) / Double(tau))
        }
        var heat = self
        heat.winding = approach(0.25 * level * level, winding, model.winding.count)
        heat.housing = approach(0.75 * level * level, housing, model.housing.count)
        return heat
    }

    /// The most heat that is accepted: 3 % more for the engine's whole numbers, and the heat of the strongest drive for 12 ms,
    /// the time between two checks.
    static func most(_ model: ThermalModel, jitter: Int64, mostDrive: Double) -> Double {
        let look = mostDrive * mostDrive * Double(12_000_000 + 2 * jitter)
        let limit = model.continuous.value * model.continuous.value
        return 1.03 * limit + look * (0.25 / Double(model.winding.count) + 0.75 / Double(model.housing.count))
    }
}
