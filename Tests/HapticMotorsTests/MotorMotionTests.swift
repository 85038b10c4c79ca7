// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import TestSupport
import Testing

@Suite("The motion of a motor")
struct MotorMotionTests {
    /// A motor of the time constant `tau`, up and down.
    private func erm(tau: Nanoseconds, start: Double = 0, hold: Double = 0) -> MotorModel {
        MotorModel(
            kind: .erm, rise: tau.scaled(by: 2.97), fall: tau.scaled(by: 1.15), start: Share(clamping: start),
            hold: Share(clamping: hold))
    }

    private func acceleration(_ model: MotorModel, after milliseconds: Double, at drive: Double = 1) throws -> Double {
        var motion = MotorMotion(model)
        motion.advance(by: try #require(Nanoseconds(seconds: milliseconds / 1000)), at: Drive(clamping: drive))
        return motion.acceleration
    }

    @Test("An ERM at full drive passes 10, 50 and 90 % as in AB-004", arguments: [(0.38, 0.10), (1.23, 0.50), (2.97, 0.90)])
    func published(taus: Double, share: Double) throws {
        let reached = try acceleration(erm(tau: .milliseconds(100)), after: taus * 100)
        #expect(abs(reached - share) < 0.003)
    }

    /// Drive, pulse in ms, peak for a τ of 60 ms and of 30 ms: the table of motors.md, which is rounded to 0.01.
    @Test(
        "A pulse from rest reaches the published peak",
        arguments: [
            (1.0, 20.0, 0.08, 0.24), (1, 35, 0.20, 0.47), (1, 50, 0.32, 0.66), (1, 70, 0.47, nil), (1, 100, 0.66, nil),
            (1.2, 20, 0.12, 0.34), (1.2, 35, 0.28, 0.68), (1.2, 50, 0.46, 0.95), (1.2, 70, 0.68, nil), (1.2, 100, 0.95, nil),
        ] as [(Double, Double, Double, Double?)])
    func peaks(drive: Double, pulse: Double, slow: Double, fast: Double?) throws {
        #expect(abs(try acceleration(erm(tau: .milliseconds(60)), after: pulse, at: drive) - slow) < 0.011)
        guard let fast else { return }
        #expect(abs(try acceleration(erm(tau: .milliseconds(30)), after: pulse, at: drive) - fast) < 0.011)
    }

    @Test("A reversed drive stops a motor after τ ln(2 − e^(−t∕τ))", arguments: [30, 65, 200])
    func reversed(milliseconds: Int64) {
        // 60 ms · ln(2 − e^(−t/60 ms)) for t of 30, 65 and 200 ms.
        let times: [Int64: Double] = [30: 19.90, 65: 30.51, 200: 40.50]
        // It does not start backwards, as that takes 1.
        let reversed = Drive(clamping: -0.999_999)
        var motion = MotorMotion(erm(tau: .milliseconds(60), start: 1))
        motion.advance(by: .milliseconds(milliseconds), at: Drive(.one))
        let needed = Nanoseconds.microseconds(Int64(times[milliseconds, default: 0] * 1000))
        motion.advance(by: needed - .microseconds(200), at: reversed)
        #expect(motion.moves)
        motion.advance(by: .microseconds(400), at: reversed)
        #expect(!motion.moves)
        #expect(motion.speed == 0)
    }

    @Test("A motor that is braked for too long turns backwards, which is felt as well")
    func backwards() {
        var motion = MotorMotion(erm(tau: .milliseconds(60), start: 0.4))
        motion.advance(by: .milliseconds(30), at: Drive(.one))
        motion.advance(by: .milliseconds(120), at: Drive(clamping: -1))
        #expect(motion.speed < -0.5)
        #expect(motion.acceleration > 0.25)
    }

    @Test("A motor needs `start` to get going and no more than `hold` to go on")
    func startAndHold() {
        let model = erm(tau: .milliseconds(30), start: 0.4, hold: 0.2)
        var motion = MotorMotion(model)
        motion.advance(by: .seconds(1), at: Drive(clamping: 0.39))
        #expect(motion.speed == 0)
        #expect(!motion.moves)
        motion.advance(by: .milliseconds(50), at: Drive(clamping: 0.41))
        motion.advance(by: .seconds(1), at: Drive(clamping: 0.2))
        #expect(abs(motion.speed - 0.2) < 1e-6)
        motion.advance(by: .seconds(1), at: Drive(clamping: 0.19))
        #expect(motion.speed == 0)
        #expect(!motion.moves)
    }

    @Test("An LRA follows its drive linearly, with its own time constants")
    func lra() throws {
        let model = MotorModel(kind: .lra, rise: .milliseconds(23), fall: .milliseconds(46))
        #expect(abs(try acceleration(model, after: 23) - 0.9) < 0.001)
        #expect(abs(try acceleration(model, after: 23, at: 0.5) - 0.45) < 0.001)
        var motion = MotorMotion(model)
        motion.advance(by: .seconds(1), at: Drive(.one))
        motion.advance(by: .milliseconds(46), at: .zero)
        #expect(abs(motion.acceleration - 0.1) < 0.001)
    }

    @Test("The closed form agrees with small steps", arguments: MotorLibrary.motors)
    func closedForm(motor: NamedMotor) {
        let model = motor.model
        var random = SplitMix64(seed: 7)
        var (exact, speed, moves) = (MotorMotion(model), 0.0, false)
        let step = 0.000_01
        for _ in 0..<60 {
            let drive = Drive(clamping: [0, 0, 1, 1.2, .random(in: 0..<1, using: &random)].randomElement(using: &random) ?? 0)
            let steps = Int.random(in: 100..<4000, using: &random)
            for _ in 0..<steps {
                if !moves, drive.isOn, drive.value >= model.start.value { moves = true }
                guard moves else { continue }
                let pull = drive.value >= model.hold.value ? drive.value : 0
                speed += (pull - speed) / (pull > speed ? model.tauUp : model.tauDown).inSeconds * step
                if pull == 0, speed <= (model.kind == .erm ? 0.05 : 0) { (speed, moves) = (0, false) }
            }
            exact.advance(by: .microseconds(Int64(steps) * 10), at: drive)
            #expect(abs(exact.speed - speed) < 0.002)
        }
    }

    @Test("A stretch in two parts is the same stretch", arguments: MotorLibrary.motors)
    func parts(motor: NamedMotor) {
        for drive in [1.0, 0.5, 0, -1] {
            var (whole, parts) = (MotorMotion(motor.model), MotorMotion(motor.model))
            for drive in [Drive(.one), Drive(clamping: drive)] {
                whole.advance(by: .milliseconds(90), at: drive)
                for _ in 0..<9 { parts.advance(by: .milliseconds(10), at: drive) }
            }
            #expect(abs(whole.speed - parts.speed) < 1e-9)
            #expect(whole.moves == parts.moves)
        }
    }
}
