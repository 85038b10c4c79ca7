// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import Testing

@Suite("The motor library")
struct MotorLibraryTests {
    private typealias Mistake = MotorModel.Mistake

    @Test("A motor of the library does not contradict itself and has a source", arguments: MotorLibrary.motors)
    func library(motor: NamedMotor) {
        #expect(motor.model.mistakes.isEmpty)
        #expect(!motor.summary.isEmpty)
        #expect(!motor.source.isEmpty)
        #expect(MotorLibrary.motor(named: motor.name)?.model == motor.model)
    }

    @Test("The names are sorted, and an unknown name has no motor")
    func names() {
        let names = MotorLibrary.motors.map(\.name)
        #expect(names == Set(names).sorted())
        #expect(MotorLibrary.motor(named: "Coin") == nil)
    }

    @Test("The time constants are those of the data sheets")
    func dataSheets() throws {
        let precision = try #require(MotorLibrary.motor(named: "precision-305-000")).model
        #expect(abs(precision.tauUp.inMilliseconds - 49) < 0.01)
        #expect(abs(precision.tauDown.inMilliseconds - 49) < 0.01)
        let pixel = try #require(MotorLibrary.motor(named: "pixel-lra")).model
        // Q/(π·f0) = 34.03 ms.
        #expect(abs(pixel.tauUp.inMilliseconds - 34.03) < 0.2)
    }

    private static func erm(_ change: (inout MotorModel) -> Void) -> MotorModel {
        var model = MotorModel(kind: .erm, rise: .milliseconds(150), fall: .milliseconds(60), start: Share(clamping: 0.4))
        change(&model)
        return model
    }

    @Test(
        "A block that contradicts itself is not fitted to",
        arguments: [
            (erm { $0.rise = .zero }, [.time(.rise)]),
            (erm { $0.fall = .seconds(11) }, [.time(.fall)]),
            (erm { $0.minPulse = Nanoseconds(-1) }, [.time(.minPulse)]),
            (erm { $0.hold = Share(clamping: 0.5) }, [.holdAboveStart(hold: Share(clamping: 0.5), start: Share(clamping: 0.4))]),
            (erm { ($0.hold, $0.start) = (.one, .one) }, [.holdOfOne]),
            (erm { $0.overdrive = .init(level: Drive(clamping: 1.2), time: .milliseconds(450)) }, []),
            (
                // 150 ms/2.97 · ln 6 = 90.5 ms.
                erm { $0.overdrive = .init(level: Drive(clamping: 1.2), time: .milliseconds(451)) },
                [.overdriveTooLong(time: .milliseconds(451), rise: .milliseconds(150), enough: .milliseconds(91))]
            ),
            (erm { ($0.rise, $0.overdrive) = (.zero, .init(level: Drive(clamping: 1.2), time: .seconds(1))) }, [.time(.rise)]),
            (erm { $0.resonance = 170 }, [.resonanceOfERM]), (erm { $0.q = 15 }, [.qOfERM]),
            (erm { $0.overdrive = .init(level: Drive(.one), time: .milliseconds(50)) }, [.overdriveLevel(Drive(.one))]),
            (erm { $0.overdrive = .init(level: Drive(clamping: 1.2), time: .zero) }, [.time(.overdriveFor)]),
            (erm { ($0.rise, $0.q) = (.zero, 3) }, [.time(.rise), .qOfERM]),
            (erm { ($0.kind, $0.resonance) = (.lra, 3) }, [.resonanceOutOfRange(3)]),
            (erm { ($0.kind, $0.resonance, $0.q) = (.lra, 170, 0.1) }, [.qOutOfRange(0.1)]),
            (erm { ($0.kind, $0.q) = (.lra, 15) }, [.qWithoutResonance]),
            (erm { ($0.kind, $0.resonance, $0.q) = (.lra, .nan, 15) }, nil),
            // 2.30 · 15.5/(π · 145) = 78.3 ms.
            (erm { ($0.kind, $0.resonance, $0.q, $0.rise) = (.lra, 145, 15.5, .milliseconds(78)) }, []),
            (
                erm { ($0.kind, $0.resonance, $0.q, $0.rise) = (.lra, 145, 15.5, .milliseconds(8)) },
                [.riseAgainstQ(rise: .milliseconds(8), expected: .microseconds(78_300))]
            ),
        ] as [(MotorModel, [MotorModel.Mistake]?)])
    func contradictions(model: MotorModel, mistakes: [MotorModel.Mistake]?) {
        if let mistakes { #expect(model.mistakes == mistakes) } else { #expect(!model.mistakes.isEmpty) }
        #expect((Fitter(model, .full) == nil) == !model.mistakes.isEmpty)
    }

    @Test("A mistake has a remedy")
    func remedies() {
        let hold = Mistake.holdAboveStart(hold: Share(clamping: 0.5), start: Share(clamping: 0.4))
        #expect(
            "\(hold)"
                == "`hold` (0.5) is above `start` (0.4), but a motor keeps turning with less than it starts with; lower `hold`")
        #expect("\(Mistake.time(.rise))" == "`rise` must be more than 0 and at most 10s")
    }
}
