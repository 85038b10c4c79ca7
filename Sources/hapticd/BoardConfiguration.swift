// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticBoard
internal import HapticConfig
internal import HapticCore
internal import HapticEngine
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
    /// What every device is to have ready from the start, the most wanted first: the patterns of the rules.
    let preparations: [Timeline]

    init(_ configuration: Configuration, _ engine: EngineConfiguration) {
        actuators = configuration.actuators
        realtime = configuration.realtime
        runs = engine.runs
        var names: [String] = []
        for rule in engine.progressRules { names += [rule.feedback.pattern, rule.complete].compactMap { $0 } }
        names += engine.eventRules.map(\.feedback.pattern)
        var seen: Set<Text> = []
        preparations = names.map { Text($0) }.filter { seen.insert($0).inserted }.compactMap { engine.patterns[$0]?.timeline }
    }

    /// What the board is made of. `outputs`: where it is written down what is driven; what fails there is logged.
    func plan(_ outputs: DrivenOutputs, _ logger: Logger) -> BoardPlan {
        let (actuators, runs) = (actuators, runs)
        return BoardPlan(
            devices: actuators.map { actuator in
                let backend = actuator.backend
                return DevicePlan(
                    name: actuator.name, device: backend.device ?? "simulated \(actuator.name)",
                    isGuarded: actuator.isGuarded, mayHang: backend.mayHang, appearsInDev: backend.appearsInDev,
                    isDirect: backend.isDirect
                ) { Self.driver(actuator, runs: runs, outputGuard: $0) }
            },
            preparations: preparations, executor: executor,
            record: {
                do throws(DrivenOutputs.Failure) { try outputs.write(actuators) } catch { logger.warning("\(error)") }
            },
            seeOff: { outputs.switchOff(besides: actuators, by: SystemClock.now + DrivenOutputs.shortestSwitchOff) })
    }

    /// What a daemon that was killed may have left on. The kernel stops what a pad plays.
    static func leftovers(_ actuators: [ActuatorConfiguration]) -> [DrivenOutput] {
        actuators.compactMap { actuator in
            let output: any Leftover
            switch actuator.backend {
            case .gpio(let gpio): output = GPIOLeftover(GPIOAddress(gpio))
            case .pwm(let pwm): output = PWMChannel(chip: pwm.chip, channel: pwm.channel, period: pwm.period)
            case .led(let led): output = LEDLight(led.name)
            case .evdev, .simulated: return nil
            }
            return DrivenOutput(actuator: actuator, output: output)
        }
    }

    /// By how much the lateness of a real clock may break a simulated motor's limits unnoticed.
    private static let simulatedTolerance = Nanoseconds.milliseconds(5)

    private static func driver(
        _ actuator: ActuatorConfiguration, runs: [Run], outputGuard: any OutputGuard
    ) -> any ActuatorDriver {
        let maxOn = actuator.motor.limits.maxOn
        switch actuator.backend {
        case .simulated(let simulated):
            return SimulatedDriver(
                name: actuator.name, capabilities: simulated.capabilities, limits: actuator.motor.limits,
                tolerance: simulatedTolerance,
                faults: simulated.faults.map { .lost(after: $0.failAfter, for: $0.recoverAfter) } ?? .none)
        case .gpio(let gpio):
            return GPIODriver(GPIOAddress(gpio), pwmPeriod: gpio.pwmPeriod, maxOn: maxOn, outputGuard: outputGuard)
        case .pwm(let pwm):
            return LevelDriver(
                PWMChannel(chip: pwm.chip, channel: pwm.channel, period: pwm.period), maxOn: maxOn, outputGuard: outputGuard)
        case .led(let led):
            return LevelDriver(
                LEDLight(led.name, colour: led.colour.map(LEDColour.init)), maxOn: maxOn, outputGuard: outputGuard)
        case .evdev(let match):
            return EvdevDriver(match, runs: runs, maxOn: maxOn)
        }
    }

    /// Room for several times what the engine plans ahead on each actuator, and no more: all of it is in memory from the start.
    private var executor: ExecutorConfiguration {
        let count = actuators.count
        return ExecutorConfiguration(
            priority: realtime.priority, locksMemory: realtime.lockMemory, cpu: realtime.cpu,
            minGaps: actuators.map(\.motor.limits.minGap), orderCapacity: 512 + 128 * count, queueCapacity: 512 + 512 * count,
            reportCapacity: 1024 + 128 * count)
    }
}

/// The output of an actuator that keeps its level where the daemon dies.
struct DrivenOutput: Sendable {
    let actuator: ActuatorConfiguration
    let output: any Leftover

    var name: String { actuator.name }
}

extension GPIOAddress {
    fileprivate init(_ gpio: ActuatorConfiguration.GPIO) {
        let line: Line =
            switch gpio.line {
            case .offset(let offset): .offset(offset)
            case .name(let name): .name(name)
            }
        self.init(chip: gpio.chip, line: line, isActiveLow: gpio.activeLow)
    }
}

extension LEDColour {
    /// 0xRRGGBB.
    fileprivate init(_ colour: UInt32) {
        func share(_ shift: UInt32) -> Share { Share(clamping: Double(colour >> shift & 0xff) / 255) }
        self.init(red: share(16), green: share(8), blue: share(0))
    }
}

extension ActuatorConfiguration {
    /// Whether its output would keep its level where the daemon dies.
    var isGuarded: Bool {
        switch backend {
        case .gpio, .pwm, .led: true
        // The kernel stops a device's effects with the descriptor that they came by.
        case .evdev, .simulated: false
        }
    }
}

extension ActuatorConfiguration.Backend {
    /// Whether opening it may take seconds, for what the device does about it.
    fileprivate var mayHang: Bool { if case .evdev = self { true } else { false } }

    /// Whether the executor drives it itself, without a thread of the device between them.
    fileprivate var isDirect: Bool {
        switch self {
        case .gpio, .simulated: true
        case .pwm, .led, .evdev: false
        }
    }

    /// Whether its devices have nodes in the folders that are watched.
    fileprivate var appearsInDev: Bool {
        switch self {
        case .gpio, .evdev: true
        case .pwm, .led, .simulated: false
        }
    }
}
