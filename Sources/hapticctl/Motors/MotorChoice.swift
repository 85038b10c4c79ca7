// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticConfig
import HapticCore
import HapticEngine
import HapticMotors
import HapticPatterns
import HapticPlanning
import HapticService
import HapticTerminal
import HapticText
import HapticWire

/// What `try` takes to know the motor, and `render` and `lint` with the configuration that it is in.
struct MotorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("On this actuator of the running daemon, or of the file that --config names.", valueName: "name"),
        completion: .actuator,
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

    /// Nil: no motor was named. `config`: nil asks the daemon.
    func choice(config: String?, _ common: CommonOptions) throws -> MotorChoice? {
        if let motor { return MotorChoice(motor) }
        guard let actuator else { return nil }
        guard let path = config else { return try ask(for: actuator, common) }
        let configuration = try ConfigurationFile.read(path)
        guard let found = configuration.actuators.first(where: { Text($0.name) == Text(actuator) }) else {
            let unknown = unknownMessage("actuator", actuator, candidates: configuration.actuators.map(\.name))
            throw Failure("\(path): \(unknown)", code: .unknownName)
        }
        return try MotorChoice(found, in: path)
    }

    private func ask(for actuator: String, _ common: CommonOptions) throws -> MotorChoice {
        do {
            let known = try common.connect().call(ActuatorsParams()).actuators
            if let found = known.first(where: { Text($0.name) == Text(actuator) }) { return try MotorChoice(found) }
            let names = known.map(\.name)
            throw Failure("hapticd: \(unknownMessage("actuator", actuator, candidates: names))", code: .unknownName)
        } catch ClientError.noDaemon(let tried) {
            throw Failure(
                lines: [
                    "there is no hapticd to ask how the motor of \(quoted(actuator)) moves; name the configuration that describes it by --config, as in `--config \(ConfigurationFile.standardPath)`, or a motor by --motor",
                    NoDaemon(tried: tried).message,
                ], status: ExitStatus.noDaemon)
        }
    }

    @Sendable private static func motor(_ text: String) throws -> NamedMotor {
        if let motor = MotorLibrary.motor(named: text) { return motor }
        throw ValidationError(unknownMessage("motor", text, candidates: MotorLibrary.motors.map(\.name)))
    }
}

/// What `render` and `lint` take to know the motor.
struct ConfiguredMotorOptions: ParsableArguments {
    @OptionGroup var motor: MotorOptions

    @Option(
        help: ArgumentHelp(
            "With --actuator: it is described in this configuration, and no daemon is asked.", valueName: "file"),
        completion: .yamlFile)
    var config: String?

    func validate() throws {
        guard config == nil || motor.actuator != nil else {
            throw ValidationError("--config says where the actuator is described; give --actuator too, or leave it out")
        }
    }

    /// Nil: no motor was named.
    func choice(_ common: CommonOptions) throws -> MotorChoice? { try motor.choice(config: config, common) }

    /// The motors that were named: several if the name of the actuator is a glob. An actuator that matches one and whose motor is not known
    /// gives a warning.
    func choices(_ common: CommonOptions, _ console: Console) throws -> [MotorChoice] {
        guard let pattern = motor.actuator, pattern.contains("*") else { return [try choice(common)].compactMap { $0 } }
        let glob = Glob(pattern)
        let makers: [(name: String, make: () throws -> MotorChoice)] =
            if let config {
                try ConfigurationFile.read(config).actuators.map { actuator in
                    (actuator.name, { try MotorChoice(actuator, in: config) })
                }
            } else {
                try common.connect().call(ActuatorsParams()).actuators.map { actuator in
                    (actuator.name, { try MotorChoice(actuator) })
                }
            }
        let meant = makers.filter { glob.matches($0.name) }
        guard !meant.isEmpty else {
            throw Failure(
                "no actuator matches \(quoted(pattern)); there are \(makers.map(\.name).joined(separator: ", "))",
                code: .unknownName)
        }
        return meant.compactMap { one in
            do {
                return try one.make()
            } catch {
                console.warn((error as? Failure)?.lines.joined(separator: "\n") ?? "\(error)")
                return nil
            }
        }
    }
}

/// A motor, and what its driver can do.
struct MotorChoice {
    /// Of the actuator or the motor.
    let name: String
    let model: MotorModel
    let abilities: ActuatorCapabilities
    /// Patterns are fitted to it.
    let isFitted: Bool

    init(_ motor: NamedMotor) {
        name = motor.name
        model = motor.model
        abilities = ActuatorCapabilities(
            variesIntensity: true, variesSharpness: true, mostDrive: model.overdrive?.level ?? Drive(.one), reverses: model.brake,
            shapesItself: motor.shapesItself)
        isFitted = true
    }

    /// The same motor, with or without fitting.
    init(_ other: MotorChoice, isFitted: Bool) {
        (name, model, abilities, self.isFitted) = (other.name, other.model, other.abilities, isFitted)
    }

    /// As the configuration at `path` has it.
    init(_ actuator: ActuatorConfiguration, in path: String) throws(Failure) {
        guard let model = actuator.motor else {
            throw Failure(
                "\(path) does not say how the motor of \(quoted(actuator.name)) moves; an input device tells that once the daemon has opened it. Leave out --config to ask the daemon, add what `hapticctl tune \(actuator.name)` finds out to its `motor:`, or name a motor by --motor",
                code: .noActuator)
        }
        name = actuator.name
        self.model = model
        abilities = actuator.capabilities
        isFitted = actuator.isFitted
    }

    /// As a daemon lists it.
    init(_ actuator: ActuatorResult) throws(Failure) {
        let name = quoted(actuator.name)
        guard let motor = actuator.motor else {
            throw Failure(
                "the configuration of hapticd does not say how the motor of \(name) moves; add what `hapticctl tune \(actuator.name)` finds out to its `motor:` and run `hapticctl reload`, or name a motor by --motor",
                code: .noActuator)
        }
        guard let model = motor.model, let mostDrive = Drive(actuator.mostDrive) else {
            throw Failure(
                "hapticd describes the motor of \(name) in a way that this hapticctl does not know; use the hapticctl of its version, or name a motor by --motor",
                code: .notUnderstood)
        }
        self.name = actuator.name
        self.model = model
        abilities = ActuatorCapabilities(
            variesIntensity: actuator.variesIntensity, variesSharpness: actuator.variesSharpness, mostDrive: mostDrive,
            reverses: actuator.reverses, shapesItself: actuator.shapesItself)
        isFitted = actuator.fit == .auto
    }

    func course(of pattern: Pattern) throws(Failure) -> MotorCourse {
        if let course = MotorCourse(pattern, on: model, abilities, fitted: isFitted) { return course }
        throw Failure(
            lines: ["the motor of \(quoted(name)) contradicts itself"] + model.mistakes.map { "\($0)" }, code: .invalidFile)
    }

    /// A note on a pattern that is short enough for the step of a charge, if this motor does not keep such steps apart.
    func chargeNote(on linted: LintedPattern) -> Diagnostic? {
        let playable = PlayablePattern(linted.pattern)
        guard playable.phases.isEmpty, playable.timeline.felt <= Self.longestStep,
            let charge = StepTrain(steps: Self.chargeSteps)
        else { return nil }
        let actuator = EngineActuator(name: name, capabilities: abilities, motor: model, isFitted: isFitted)
        guard actuator.feel(of: playable, train: charge)?.runsTogether == true else { return nil }
        return Diagnostic(
            file: linted.origin,
            message:
                "on \(name), \(Self.chargeSteps) steps of it in a charge run together into one growing vibration: the motor takes \(model.fall.words) to run down"
        )
    }

    /// The steps of the standard charge, and the longest pattern that can be one of them.
    private static let (chargeSteps, longestStep) = (75, Nanoseconds.milliseconds(20))
}
