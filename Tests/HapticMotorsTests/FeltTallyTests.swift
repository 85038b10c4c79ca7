// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@testable import HapticMotors

@Suite("The tally of a fitter")
struct FeltTallyTests {
    /// Drives in turn, each with its length.
    private static func curve(_ drives: [(Double, Nanoseconds)], _ model: MotorModel) -> (
        tally: FeltTally, curve: SampledEnvelope
    ) {
        var fitter = Fitter(model, .full)!
        var (changes, at) = ([DriveChange](), Nanoseconds.zero)
        fitter.begin(isTrain: false)
        for (drive, length) in drives {
            changes.append(DriveChange(at: at, drive: Drive(clamping: drive)))
            fitter.follow(Drive(clamping: drive), at: .zero + at)
            at = at + length
        }
        fitter.follow(.zero, at: .zero + at)
        changes.append(DriveChange(at: at, drive: .zero))
        let end = at + .milliseconds(300)
        return (fitter.tally(until: .zero + end), SampledEnvelope(model, driven: changes, length: end))
    }

    @Test("The peak is that of the curve to a hundredth", arguments: MotorLibrary.motors.map(\.name))
    func peak(name: String) throws {
        let model = try #require(MotorLibrary.motor(named: name)).model
        var random = SplitMix64(seed: 7)
        for _ in 0..<200 {
            let drives = (0..<5).map { _ in
                (Double.random(in: 0...1, using: &random), Nanoseconds.milliseconds(Int64.random(in: 3...80, using: &random)))
            }
            let (tally, curve) = Self.curve(drives, model)
            #expect(abs(tally.peak - curve.peak) < 0.03, "\(drives)")
        }
    }

    @Test("A drive that does not start the motor leaves no peak")
    func tooWeak() throws {
        let model = try #require(MotorLibrary.motor(named: "pinephone")).model
        #expect(Self.curve([(0.5, .milliseconds(500))], model).tally.peak == 0)
    }

    @Test(
        "Pulses run together if the motor does not slow down between them",
        arguments: [(60, 60, 0), (60, 20, 0), (20, 2, 3)] as [(Int64, Int64, Int)])
    func together(on: Int64, off: Int64, count: Int) throws {
        let model = try #require(MotorLibrary.motor(named: "fast-erm")).model
        let drives = (0..<4).flatMap { _ in [(1.0, Nanoseconds.milliseconds(on)), (0.0, Nanoseconds.milliseconds(off))] }
        #expect(Self.curve(drives, model).tally.pulsesRunTogether == count)
    }

    @Test("The rundown of an earlier playback is no peak of a weak drive, whose own level counts")
    func runningDown() throws {
        for (drive, peak) in [(0.0, 0.0), (0.1, 0.0), (0.5, 0.25)] {
            var fitter = try #require(Fitter(MotorLibrary.motor(named: "fast-erm")!.model, .full))
            fitter.follow(.rated, at: .zero)
            fitter.follow(.zero, at: .zero + .milliseconds(100))
            fitter.begin(isTrain: false)
            fitter.follow(Drive(clamping: drive), at: .zero + .milliseconds(105))
            #expect(abs(fitter.tally(until: .zero + .milliseconds(125)).peak - peak) < 1e-9)
        }
    }
}
