// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticCore
internal import HapticThreads

/// The devices of a board: those of the plan in force, and those of plans before that have not been given back yet.
struct DeviceTable {
    private var all: [String: DeviceKeeper] = [:]
    /// By `ActuatorIndex`; none between two executors.
    private(set) var keepers: [DeviceKeeper] = []

    var isEmpty: Bool { all.isEmpty }

    /// Nil where there is none, as between two executors.
    func keeper(of actuator: ActuatorIndex) -> DeviceKeeper? {
        keepers.indices.contains(actuator.value) ? keepers[actuator.value] : nil
    }

    /// The executor has ended. Returns all of its devices, and what came before.
    mutating func uninstall() -> [DeviceKeeper] {
        keepers = []
        return Array(all.values)
    }

    /// There is an executor for `plan`. A device that is still being given back keeps its keeper.
    mutating func install(_ plan: BoardPlan, _ drivers: [any ActuatorDriver], on board: Board) {
        for (index, (device, driver)) in zip(plan.devices, drivers).enumerated() {
            let actuator = ActuatorIndex(index)
            if let keeper = all[device.device] {
                keeper.install(device, actuator, driver)
                keepers.append(keeper)
            } else {
                let keeper = DeviceKeeper(device, actuator, driver, on: board)
                all[device.device] = keeper
                keepers.append(keeper)
            }
        }
    }

    /// It has been given back for good.
    mutating func forget(_ keeper: DeviceKeeper) {
        if all[keeper.device] === keeper { all[keeper.device] = nil }
    }
}

/// Actuators that are tried for the first time, and what waits for that.
struct FirstTries {
    var untried: Set<ActuatorIndex>
    /// Clients are not served yet.
    let isStart: Bool
    /// Called once all have been tried, or have had their time; then nil.
    var finish: (() -> Void)?
    var cancelTimer: Cancellation?
}
