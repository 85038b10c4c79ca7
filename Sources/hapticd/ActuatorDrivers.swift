// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticConfig
internal import HapticCore
internal import HapticRuntime

/// Makes the drivers of a configuration, in its order: an `ActuatorIndex` is a place in them.
enum ActuatorDrivers {
    /// By how much the lateness of a real clock may break a simulated motor's limits unnoticed.
    private static let tolerance = Nanoseconds.milliseconds(5)

    static func make(_ actuators: [ActuatorConfiguration]) -> [any ActuatorDriver] {
        actuators.map { actuator in
            switch actuator.backend {
            case .simulated(let simulated):
                SimulatedDriver(
                    name: actuator.name, capabilities: simulated.capabilities, limits: actuator.motor.limits,
                    tolerance: tolerance,
                    faults: simulated.faults.map { .lost(after: $0.failAfter, for: $0.recoverAfter) } ?? .none)
            case .gpio, .pwm, .evdev, .led:
                preconditionFailure("`ConfigurationSource.load` lets no backend through that is not built")
            }
        }
    }
}

extension ExecutorConfiguration {
    /// Room for as much as the engine plans ahead on each actuator.
    init(_ configuration: Configuration) {
        let realtime = configuration.realtime
        self.init(
            priority: realtime.priority, locksMemory: realtime.lockMemory, cpu: realtime.cpu,
            minGaps: configuration.actuators.map(\.motor.limits.minGap),
            queueCapacity: 8192 + 512 * configuration.actuators.count)
    }
}
