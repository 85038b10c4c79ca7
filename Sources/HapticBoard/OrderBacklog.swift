// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticRuntime

/// Orders that the executor has had no room for, or that wait for the next one or for a device.
struct OrderBacklog {
    /// More than the engine plans ahead on as many actuators as there can be.
    private static let most = 65_536

    /// Somebody will try again soon.
    var isRetrying = false
    /// What is to be felt, in order.
    private var planned: [ExecutorOrder] = []
    /// The same on those of `awaited`.
    private var held: [ExecutorOrder] = []
    /// Their devices are about to be there.
    private var awaited: Set<ActuatorIndex> = []
    /// What concerns devices, in order. It waits for nothing that is planned.
    private var control: [ExecutorOrder] = []

    /// False: there were too many, so that all are dropped, and every actuator will be switched off.
    mutating func plan(_ order: ExecutorOrder) -> Bool {
        let isFull = planned.count + held.count >= Self.most
        if isFull { (planned, held) = ([.allOff], []) }
        add(order)
        return !isFull
    }

    private mutating func add(_ order: ExecutorOrder) {
        if !awaited.isEmpty, let actuator = order.plannedFor, awaited.contains(actuator) {
            held.append(order)
        } else {
            planned.append(order)
        }
    }

    mutating func control(_ order: ExecutorOrder) { control.append(order) }

    /// What is planned for these waits for `release`.
    mutating func hold(_ actuators: Set<ActuatorIndex>) {
        awaited = actuators
        let all = planned
        planned = []
        for order in all { add(order) }
    }

    mutating func release(_ actuator: ActuatorIndex) {
        guard awaited.remove(actuator) != nil else { return }
        let all = held
        held = []
        for order in all { add(order) }
    }

    mutating func releaseAll() {
        awaited = []
        planned += held
        held = []
    }

    /// False where some had no room.
    mutating func flush(to executor: Executor) -> Bool {
        if !control.isEmpty {
            control.removeFirst(executor.submit(control))
            guard control.isEmpty else { return false }
        }
        planned.removeFirst(executor.submit(planned))
        return planned.isEmpty
    }

    /// They were for an executor that has ended.
    mutating func forget() { (planned, held, control, awaited) = ([], [], [], []) }
}

extension ExecutorOrder {
    /// The actuator on which it is to be felt.
    fileprivate var plannedFor: ActuatorIndex? {
        switch self {
        case .planned(let order): order.actuator
        case .allOff, .lose, .restore, .beat: nil
        }
    }
}
