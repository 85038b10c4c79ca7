// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import Testing

@Suite("The motion of a driven motor")
struct DrivenMotionTests {
    @Test("It is that of the curve which is felt, however often it is asked", arguments: MotorLibrary.motors.map(\.name))
    func curve(name: String) throws {
        let model = try #require(MotorLibrary.motor(named: name)).model
        let drives: [(time: Int64, drive: Double)] = [(0, 1), (40, 0.3), (70, -1), (80, 0), (200, 1.2), (260, 0)]
        let changes = drives.map { DriveChange(at: .milliseconds($0.time), drive: Drive(clamping: $0.drive)) }
        let curve = SampledEnvelope(model, driven: changes, length: .milliseconds(400))
        for step in [1, 7, 50] {
            var motion = try #require(DrivenMotion(model))
            var next = changes[...]
            for time in stride(from: 0, to: curve.samples.count, by: step) {
                let now = MonotonicInstant.zero + SampledEnvelope.interval * time
                while let change = next.first, .zero + change.at <= now {
                    motion.follow(change.drive, at: .zero + change.at)
                    next = next.dropFirst()
                }
                motion.advance(to: now)
                #expect(abs(motion.acceleration - curve.samples[time]) < 1e-9, "at \(time) ms")
            }
        }
    }

    @Test("A motor at rest stays at rest until it is driven, and an earlier instant changes nothing")
    func rest() throws {
        var motion = try #require(DrivenMotion(MotorLibrary.coin.model))
        motion.advance(to: .zero + .seconds(1_000_000))
        motion.follow(.rated, at: .zero + .seconds(1_000_000))
        #expect(motion.acceleration == 0)
        motion.advance(to: .zero + .seconds(1_000_001))
        let reached = motion.acceleration
        #expect(reached > 0.99)
        motion.follow(.zero, at: .zero)
        #expect(motion.acceleration == reached)
    }

    @Test("A model that contradicts itself has no motion")
    func contradiction() {
        var model = MotorLibrary.coin.model
        model.rise = .zero
        #expect(DrivenMotion(model) == nil)
    }

    @Test("A level reaches its peak when it comes near to it, an impact when it ends")
    func peakTime() {
        let model = MotorLibrary.coin.model
        func peakTime(_ milliseconds: Int64) -> Nanoseconds {
            let changes = [
                DriveChange(at: .zero, drive: .rated), DriveChange(at: .milliseconds(milliseconds), drive: .zero),
            ]
            return SampledEnvelope(model, driven: changes, length: .seconds(3)).peakTime
        }
        #expect(peakTime(50) == .milliseconds(50))
        #expect(peakTime(2000) < .milliseconds(500))
        #expect(SampledEnvelope(samples: []).peakTime == .zero)
    }
}
