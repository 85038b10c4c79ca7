// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticBoard
internal import HapticConfig
internal import HapticCore
internal import HapticEngine
internal import HapticPlanning
private import HapticRuntime
private import HapticThreads
internal import Logging

/// What the drivers and the executor are made from.
struct BoardConfiguration: Sendable {
    /// An `ActuatorIndex` is an index in this list.
    let actuators: [ActuatorConfiguration]
    let realtime: Configuration.Realtime
    /// A `RunIndex` is an index in this list.
    let runs: [Run]
    /// What every device is to have ready from the start, as far as it has room, the most wanted first: the patterns of the rules. Those
    /// for sets and tasks are left out, and uploaded when they are first played: with them the built-in rules took all slots of a pad with
    /// 16, and none was left for what clients prepare.
    let preparations: [Timeline]

    init(_ configuration: Configuration, _ engine: EngineConfiguration) {
        actuators = configuration.actuators
        realtime = configuration.realtime
        runs = engine.runs
        var names: [String] = []
        for rule in engine.progressRules { names += [rule.feedback.pattern, rule.complete].compactMap { $0 } }
        for rule in engine.eventRules { names += rule.transition?.names ?? [rule.feedback.pattern] }
        for rule in engine.holdRules { names += [rule.feedback.pattern, rule.complete].compactMap { $0 } }
        var seen: Set<Text> = []
        preparations = names.map { Text($0) }.filter { seen.insert($0).inserted }.compactMap { engine.patterns[$0]?.timeline }
    }

    /// What the board is made of. `outputs`: where it is written down what is driven; what fails there is logged.
    func plan(_ outputs: DrivenOutputs, _ logger: Logger) -> BoardPlan {
        let (actuators, runs) = (actuators, runs)
        return BoardPlan(
            devices: actuators.map { actuator in
                let backend = actuator.backend
                let kind = type(of: backend)
                return DevicePlan(
                    name: actuator.name, device: backend.device ?? "\(kind.name) \(actuator.name)",
                    isGuarded: actuator.isGuarded, mayHang: kind.mayHang, appearsInDev: kind.appearsInDev, isDirect: kind.isDirect
                ) {
                    backend.makeDriver(
                        DriverParts(
                            name: actuator.name, limits: actuator.limits, mostDrive: actuator.capabilities.mostDrive,
                            runs: kind.playsRuns ? runs : [], outputGuard: $0)
                    )
                }
            },
            preparations: preparations, executor: executor,
            record: {
                do throws(DrivenOutputs.Failure) { try outputs.write(actuators) } catch { logger.warning("\(error)") }
            },
            switchOffRemoved: { outputs.switchOff(besides: actuators, by: SystemClock.now + DrivenOutputs.shortestSwitchOff) })
    }

    /// What a daemon that was killed may have left on.
    static func leftovers(_ actuators: [ActuatorConfiguration]) -> [DrivenOutput] {
        actuators.compactMap { actuator in actuator.backend.leftover.map { DrivenOutput(actuator: actuator, output: $0) } }
    }

    /// Room for several times what the engine plans ahead on each actuator, and no more: all of it is in memory from the start.
    private var executor: ExecutorConfiguration {
        let count = actuators.count
        return ExecutorConfiguration(
            priority: realtime.priority, locksMemory: realtime.lockMemory, cpu: realtime.cpu,
            minGaps: actuators.map(\.limits.minGap), orderCapacity: 512 + 128 * count, queueCapacity: 512 + 512 * count,
            reportCapacity: 1024 + 128 * count)
    }
}

/// The output of an actuator that keeps its level where the daemon dies.
struct DrivenOutput: Sendable {
    let actuator: ActuatorConfiguration
    let output: any Leftover

    var name: String { actuator.name }
}
