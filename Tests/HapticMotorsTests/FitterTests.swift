// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import Testing

@Suite("Fitting to a motor")
struct FitterTests {
    /// τ 65 ms, starts at 0.6, holds at 0.3.
    private let slow = MotorLibrary.motor(named: "coin")?.model

    private func fitter() throws -> Fitter {
        let model = try #require(slow)
        return try #require(Fitter(model, .full))
    }

    private func frames(_ points: [(Int64, Double)]) -> [Timeline.Frame] {
        points.map {
            Timeline.Frame(
                offset: .milliseconds($0.0), level: Level(intensity: Intensity(clamping: $0.1), sharpness: .zero))
        }
    }

    /// Milliseconds and drive, to a tenth of a millisecond and a thousandth.
    private func drives(
        _ points: [(Int64, Double)], _ abilities: ActuatorCapabilities = .full, _ change: (inout MotorModel) -> Void = { _ in }
    ) throws -> [[Double]] {
        var model = try #require(slow)
        change(&model)
        return try #require(Fitter(model, abilities)).drives(for: frames(points)).map {
            [($0.at.inMilliseconds * 10).rounded() / 10, ($0.drive.value * 1000).rounded() / 1000]
        }
    }

    @Test("A level begins with a kick, is held at its root, and ends so that half of it has gone at its end")
    func level() throws {
        // The kick: 65 ms · ln(1/(1 − √0.5)) = 79.8 ms. The end: 65 ms · ln 2 / 2 = 22.5 ms before 300 ms.
        #expect(try drives([(0, 0.5), (300, 0)]) == [[0, 1], [79.8, 0.707], [277.5, 0]])
    }

    @Test("An impact goes on until it is felt")
    func impact() throws {
        // A peak of 0.35 takes 65 ms · ln(1/(1 − √0.35)) = 58.2 ms.
        #expect(try drives([(0, 0.8), (8, 0)]) == [[0, 1], [58.2, 0]])
        // A faint one is reached, held, and lengthened to a peak of 0.2, which takes 38.5 ms.
        #expect(try drives([(0, 0.1), (8, 0)]) == [[0, 1], [38.5, 0]])
    }

    @Test("An impact is as long as the shortest that is felt")
    func shortest() throws {
        #expect(try drives([(0, 1), (8, 0)]) { $0.minPulse = .milliseconds(90) } == [[0, 1], [90, 0]])
    }

    @Test("An impact does not grow into the gap before the next one")
    func gap() throws {
        // Half of it fades in 22.5 ms; 1.3 times that before the second begins at 60 ms.
        #expect(try drives([(0, 1), (8, 0), (60, 1), (68, 0)]).prefix(3) == [[0, 1], [30.7, 0], [60, 1]])
    }

    @Test("A pulse ends early if the gap after it would not be felt")
    func early() throws {
        #expect(try drives([(0, 1), (50, 0), (60, 1), (110, 0)]).prefix(3) == [[0, 1], [37.5, 0], [60, 1]])
    }

    @Test("A brake stops a motor that should have stopped")
    func brake() throws {
        let braking = ActuatorCapabilities(variesIntensity: true, variesSharpness: true, reverses: true)
        let drives = try drives([(0, 0.5), (300, 0)], braking) { $0.brake = true }
        // It falls to half in 65 ms · ln((√0.5 + 1)/(√0.25 + 1)) = 8.4 ms; the brake takes 0.85 · 65 ms · ln(√0.5 + 1) = 29.5 ms.
        #expect(drives == [[0, 1], [79.8, 0.707], [291.6, -1], [321.1, 0]])
        #expect(try self.drives([(0, 0.5), (300, 0)], braking).allSatisfy { $0[1] >= 0 })
    }

    @Test("Overdrive makes the kick shorter and ends after its time")
    func overdrive() throws {
        let overdriving = ActuatorCapabilities.full.with(mostDrive: Drive(clamping: 1.5))
        // 65 ms · ln(1.2/(1.2 − √0.5)) = 57.8 ms.
        let short = try drives([(0, 0.5), (300, 0)], overdriving) {
            $0.overdrive = .init(level: Drive(clamping: 1.2), time: .milliseconds(100))
        }
        #expect(short.prefix(2) == [[0, 1.2], [57.8, 0.707]])
        // To 1 − 0.2 … where it is after 20 ms at 1.2: ω = 0.318; from there 65 ms · ln(0.682/0.293) = 55.0 ms at 1.
        let long = try drives([(0, 0.5), (300, 0)], overdriving) {
            $0.overdrive = .init(level: Drive(clamping: 1.2), time: .milliseconds(20))
        }
        #expect(long.prefix(3) == [[0, 1.2], [20, 1], [75, 0.707]])
    }

    @Test("A line gets timing alone, and is silent instead of subtle")
    func line() throws {
        #expect(try drives([(0, 0.5), (300, 0)], .onOff) == [[0, 1], [300, 0]])
        #expect(try drives([(0, 0.8), (8, 0)], .onOff) == [[0, 1], [58.2, 0]])
        #expect(try drives([(0, 0.2), (8, 0)], .onOff).isEmpty)
    }

    @Test("A pulse that the limits put off ends later")
    func putOff() throws {
        var fitter = try fitter()
        let off = Fitter.Frame(at: .zero + .seconds(1), intensity: .zero)
        #expect(fitter.intend(Intensity(clamping: 0.5), next: off, afterNext: nil, at: .zero, overdriveLeft: .zero) == Drive(1))
        let kick = fitter.nextEvent
        fitter.follow(Drive(.one), at: .zero + .milliseconds(10))
        #expect(fitter.nextEvent == kick + .milliseconds(10))
    }

    @Test("A pulse that replaces one that has ended early is played")
    func replaced() throws {
        var fitter = try fitter()
        let off = Fitter.Frame(at: .zero + .milliseconds(300), intensity: .zero)
        _ = fitter.intend(.one, next: off, afterNext: nil, at: .zero, overdriveLeft: .zero)
        fitter.follow(Drive(.one), at: .zero)
        let ended = fitter.nextEvent
        #expect(fitter.elapse(at: ended, overdriveLeft: .zero) == .zero)
        fitter.follow(.zero, at: ended)
        let other = Fitter.Frame(at: .zero + .seconds(1), intensity: .zero)
        let drive = fitter.intend(.one, next: other, afterNext: nil, at: ended + .milliseconds(5), overdriveLeft: .zero)
        #expect(drive == Drive(.one))
    }

    @Test("A stop waits for nothing")
    func stop() throws {
        var fitter = try fitter()
        let off = Fitter.Frame(at: .zero + .milliseconds(8), intensity: .zero)
        _ = fitter.intend(.one, next: off, afterNext: nil, at: .zero, overdriveLeft: .zero)
        fitter.follow(Drive(.one), at: .zero)
        fitter.stop(at: .zero + .milliseconds(4))
        fitter.follow(.zero, at: .zero + .milliseconds(4))
        #expect(fitter.requested == .zero)
        #expect(fitter.nextEvent == .distantFuture)
        #expect(fitter.intend(.zero, next: nil, afterNext: nil, at: off.at, overdriveLeft: .zero) == nil)
    }
}
