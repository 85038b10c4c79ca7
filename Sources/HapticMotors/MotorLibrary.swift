// SPDX-License-Identifier: MIT
internal import HapticCore

/// A motor that people can buy, or a kind of motor, with what is known of it.
public struct NamedMotor: Hashable, Sendable {
    /// As in `motor: precision-310-103`.
    public let name: String
    /// What it is, in a few words.
    public let summary: String
    /// Where its figures are from, and which of them are assumed.
    public let source: String
    public let model: MotorModel
    /// Its driver is part of it, and kicks and brakes by itself: patterns are sent as they are.
    public let shapesItself: Bool

    init(name: String, summary: String, source: String, model: MotorModel, shapesItself: Bool = false) {
        self.name = name
        self.summary = summary
        self.source = source
        self.model = model
        self.shapesItself = shapesItself
    }
}

/// The motors that have names.
///
/// Data sheets give a time to speed and a starting voltage, hardly ever more. Two things are assumed for all ERMs, by constants of ours: a
/// motor runs down as fast as it gets going, and goes on turning down to half of what starts it. `hapticctl tune` finds out better.
public enum MotorLibrary {
    /// In alphabetical order.
    public static let motors: [NamedMotor] = [
        closedLoopLRA, coin,
        // A general small coin or cylinder motor: the faster of the two that docs/feel.md judges.
        NamedMotor(
            name: "fast-erm", summary: "a fast eccentric rotating mass, where nothing more is known",
            source: "assumed: τ 30 ms, starts at 40 %, as the fastest reading of the Precision Microdrives 310-103",
            model: erm(tau: .milliseconds(30), start: 0.4)),
        pad,
        // Pine64-Arch issue 44: 15 ms is not felt, 70 ms hardly, 100 ms is good; it hangs on a GPIO line.
        NamedMotor(
            name: "pinephone", summary: "the motor of the PinePhone",
            source: "Pine64-Arch issue 44: 70 ms is hardly felt, 100 ms well; τ 65 ms and a start at 60 % are assumed",
            model: erm(tau: .milliseconds(65), start: 0.6, minPulse: .milliseconds(70))),
        // The defaults of the vibrator HAL of Pixel phones: f0 145 Hz, Q 15.5, so τ = Q/(π·f0) = 34 ms and 0 to 90 % in 78 ms.
        NamedMotor(
            name: "pixel-lra", summary: "a linear resonant actuator as in phones, driven at its resonance",
            source: "the defaults of Android's vibrator HAL for Pixel: 145 Hz, Q 15.5",
            model: MotorModel(
                kind: .lra, rise: .milliseconds(78), fall: .milliseconds(78), resonance: 145, q: 15.5)),
        // Rated 1.3 V, 0.4 g after 180 ms, which is a τ of about 49 ms. Its makers overdrive it at 1.7 V to 90 % and brake it by reversal:
        // 1.31 times the rated drive, for 49 ms · ln(1.31/(1.31 − √0.9)) = 63 ms.
        NamedMotor(
            name: "precision-305-000", summary: "Precision Microdrives 305-000, 5 mm",
            source: "its data sheet and AB-004: rated 1.3 V, overdriven at 1.7 V, braked by reversal; a start at 40 % is assumed",
            model: erm(
                tau: .milliseconds(49), start: 0.4, overdrive: .init(level: Drive(clamping: 1.31), time: .milliseconds(63)),
                brake: true)),
        // Rated 3.0 V, starts at 2.3 V.
        NamedMotor(
            name: "precision-310-101", summary: "Precision Microdrives 310-101, 10 mm",
            source: "its data sheet, second-hand: starts at 2.3 V of 3.0 V; τ 65 ms is assumed",
            model: erm(tau: .milliseconds(65), start: 0.77)),
        // Starts at 1.2 V of 3.0 V; lag 40 ms, rise 87 ms: τ is 29 to 71 ms, as one reads "rise". 45 ms is their geometric mean.
        NamedMotor(
            name: "precision-310-103", summary: "Precision Microdrives 310-103, 10 mm",
            source: "its data sheet, second-hand: starts at 1.2 V of 3.0 V; lag 40 ms and rise 87 ms, read as a τ of 45 ms",
            model: erm(tau: .milliseconds(45), start: 0.4)),
        // 170 Hz, 1.0 g, rise at most 12 ms (probably overdriven), fall at most 55 ms.
        NamedMotor(
            name: "vg0840001d", summary: "Vybronics VG0840001D, a linear resonant actuator",
            source: "its data sheet, second-hand: 170 Hz, rise 12 ms (probably overdriven), fall 55 ms",
            model: MotorModel(kind: .lra, rise: .milliseconds(12), fall: .milliseconds(55), resonance: 170)),
    ]

    /// The motor that most people have; it stands for one on a line or a channel that nobody has described.
    public static let coin = NamedMotor(
        name: "coin", summary: "a coin motor or a phone's cylinder of which nothing more is known",
        source:
            "assumed: τ 65 ms, starts at 60 %, between the Precision Microdrives 310-103 and 310-101; `minPulse` is that of TI's click",
        model: erm(tau: .milliseconds(65), start: 0.6, minPulse: .milliseconds(35)))

    /// The heavier of a game pad's two motors. All its figures are assumed.
    public static let pad = NamedMotor(
        name: "pad", summary: "the big rumble motor of a game pad",
        source: "assumed: τ 80 ms, starts at 20 %: slower than a coin motor, and easier to start",
        model: erm(tau: .milliseconds(80), start: 0.2, minPulse: .milliseconds(40)))

    /// TI's recipe for the click of an LRA drives it for 25 ms and brakes it for 35 ms.
    public static let closedLoopLRA = NamedMotor(
        name: "closed-loop-lra", summary: "a linear resonant actuator behind a haptic chip, which overdrives and brakes it",
        source: "assumed: rise 25 ms and fall 35 ms, as TI's recipe for a click (DRV2603) drives and brakes",
        model: MotorModel(kind: .lra, rise: .milliseconds(25), fall: .milliseconds(35)), shapesItself: true)

    /// The figures that stand for those that nobody has given of a motor of this kind.
    public static func typical(_ kind: MotorModel.Kind) -> MotorModel {
        switch kind {
        case .erm: coin.model
        // As `pixel-lra`. It says nothing of its resonance, which is each motor's own.
        case .lra: MotorModel(kind: .lra, rise: .milliseconds(78), fall: .milliseconds(78))
        }
    }

    /// The name of the motor that has this model, whatever its supply allows; `nil` if none has.
    public static func name(of model: MotorModel) -> String? {
        func withoutOverdrive(_ model: MotorModel) -> MotorModel {
            var model = model
            model.overdrive = nil
            return model
        }
        return motors.first { withoutOverdrive($0.model) == withoutOverdrive(model) }?.name
    }

    /// Nil where no motor has that name.
    public static func motor(named name: String) -> NamedMotor? { motors.first { $0.name.utf8.elementsEqual(name.utf8) } }

    /// `rise` and `fall` of a motor with the time constant `tau`, see `MotorModel.tauUp`.
    private static func erm(
        tau: Nanoseconds, start: Double, minPulse: Nanoseconds = .zero, overdrive: MotorModel.Overdrive? = nil,
        brake: Bool = false
    ) -> MotorModel {
        MotorModel(
            kind: .erm, rise: tau.scaled(by: 2.97), fall: tau.scaled(by: 1.15), start: Share(clamping: start),
            hold: Share(clamping: start / 2), minPulse: minPulse, overdrive: overdrive, brake: brake)
    }
}
