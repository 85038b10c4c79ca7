// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticConfig
import HapticCore
import HapticJSON
import HapticMotors
import HapticPatterns

/// What `render`, `lint` and `try` take to know the motor.
struct MotorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("On this actuator of the configuration.", valueName: "name"), completion: .actuator,
        transform: Values.name)
    var actuator: String?

    @Option(
        help: ArgumentHelp(
            "On this motor, with a driver that can do all that it can: \(MotorLibrary.motors.map(\.name).joined(separator: ", ")).",
            valueName: "motor"), completion: .list(MotorLibrary.motors.map(\.name)), transform: Self.motor)
    var motor: NamedMotor?

    func validate() throws {
        guard actuator == nil || motor == nil else {
            throw ValidationError("--actuator and --motor both say which motor; give one of them")
        }
    }

    /// Nil: no motor was named. `config`: nil is the daemon's own.
    func choice(config: String?) throws(Failure) -> MotorChoice? {
        if let motor { return MotorChoice(motor) }
        guard let actuator else { return nil }
        let path = config ?? ConfigurationFile.standardPath
        let configuration = try ConfigurationFile.read(path)
        guard let found = configuration.actuators.first(where: { Text($0.name) == Text(actuator) }) else {
            let meant = closestMatch(to: actuator, in: configuration.actuators.map(\.name)).map {
                "; did you mean \(quoted($0))?"
            }
            throw Failure("\(path) has no actuator \(quoted(actuator))\(meant ?? "")", code: .unknownName)
        }
        return try MotorChoice(found, in: path)
    }

    @Sendable private static func motor(_ text: String) throws -> NamedMotor {
        if let motor = MotorLibrary.motor(named: text) { return motor }
        throw ValidationError(unknownMessage("motor", text, candidates: MotorLibrary.motors.map(\.name)))
    }
}

/// A motor, and what its driver can do.
struct MotorChoice {
    /// Of the actuator or the motor.
    let name: String
    let model: MotorModel
    let abilities: DriverAbilities
    /// Patterns are fitted to it.
    let isFitted: Bool

    init(_ motor: NamedMotor) {
        name = motor.name
        model = motor.model
        abilities = DriverAbilities(levels: true, mostDrive: model.overdrive?.level ?? Drive(.one), reverses: model.brake)
        isFitted = true
    }

    /// As the configuration at `path` has it.
    init(_ actuator: ActuatorConfiguration, in path: String) throws(Failure) {
        guard let model = actuator.motor.model else {
            throw Failure(
                "\(path) does not say how the motor of \(quoted(actuator.name)) moves; add what `hapticctl tune \(actuator.name)` finds out to its `motor:`, or name a motor by --motor",
                code: .noActuator)
        }
        name = actuator.name
        self.model = model
        abilities = DriverAbilities(actuator.capabilities)
        isFitted = actuator.fittedModel != nil
    }

    func course(of pattern: Pattern) throws(Failure) -> MotorCourse {
        if let course = MotorCourse(pattern, on: model, abilities, fitted: isFitted) { return course }
        throw Failure(
            lines: ["the motor of \(quoted(name)) contradicts itself"] + model.mistakes.map { "\($0)" }, code: .invalidFile)
    }
}
