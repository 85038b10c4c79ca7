// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors

/// A motor that is fitted to, and those that the fitting is judged on: others, as no motor is as its model says.
struct Judged {
    let name: String
    let model: MotorModel
    let abilities: ActuatorCapabilities
    let truths: [MotorModel]

    /// A model of the library, perhaps with more; its time constants off by 30 % either way, and the start level of an ERM by 0.1.
    private init(
        _ name: String, _ named: String, abilities: ActuatorCapabilities = .full, _ change: (inout MotorModel) -> Void = { _ in }
    ) {
        // trap: the library has it; the page is made by a test as well.
        var model = MotorLibrary.motor(named: named)!.model
        change(&model)
        truths = Self.truths(of: model)
        (self.name, self.model, self.abilities) = (name, model, abilities)
    }

    /// Its time constants off by 30 % either way, and the start level of an ERM by 0.1.
    static func truths(of model: MotorModel) -> [MotorModel] {
        let starts = model.kind == .erm ? [-0.1, 0.1] : [0]
        return [0.7, 1.3].flatMap { factor in
            starts.map { start in
                var truth = model
                truth.rise = model.rise.scaled(by: factor)
                truth.fall = model.fall.scaled(by: factor)
                truth.start = Share(clamping: model.start.value + start)
                truth.hold = min(truth.start, Share(clamping: model.hold.value + start / 2))
                return truth
            }
        }
    }

    static let slow = Judged("slow ERM", "coin")
    static let fast = Judged("fast ERM", "fast-erm")
    static let lra = Judged("LRA", "pixel-lra")
    static let overdriven = Judged(
        "slow ERM, overdriven", "coin", abilities: ActuatorCapabilities.full.with(mostDrive: Drive(clamping: 1.2))
    ) { $0.overdrive = .init(level: Drive(clamping: 1.2), time: .milliseconds(100)) }
    static let braked = Judged(
        "slow ERM, braked", "coin",
        abilities: ActuatorCapabilities(variesIntensity: true, variesSharpness: true, reverses: true)
    ) {
        $0.brake = true
    }
    static let brakedLRA = Judged(
        "LRA, braked", "pixel-lra", abilities: ActuatorCapabilities(variesIntensity: true, variesSharpness: true, reverses: true)
    ) {
        $0.brake = true
    }
    static let line = Judged("slow ERM on an on/off line", "coin", abilities: .onOff)

    /// Each motor that has a name, with a driver that can do all that its model has.
    static let library = MotorLibrary.motors.map { motor in
        let most = motor.model.overdrive?.level ?? .rated
        return Judged(
            "`\(motor.name)`", motor.name,
            abilities: ActuatorCapabilities(
                variesIntensity: true, variesSharpness: true, mostDrive: most, reverses: motor.model.brake,
                shapesItself: motor.shapesItself))
    }

    /// What fitting sends for `shape`.
    func drives(for shape: Shape) -> [DriveChange] {
        // trap: a model of the library does not contradict itself, as its tests say.
        Fitter(model, abilities)!.drives(for: shape.frames)
    }

    /// Those that this driver can carry out: no levels on an on/off line.
    var opponents: [Opponent] { abilities.variesIntensity ? Opponent.allCases : [.onOff, .android, .lofeltOnOff] }
}
