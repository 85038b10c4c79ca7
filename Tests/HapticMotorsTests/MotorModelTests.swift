// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import Testing

@Suite("Motor models")
struct MotorModelTests {
    @Test("The time constants follow from rise and fall by the kind of motor")
    func timeConstants() {
        let erm = MotorModel(kind: .erm, rise: .milliseconds(297), fall: .milliseconds(115))
        #expect(abs((erm.tauUp - .milliseconds(100)).count) < 10)
        #expect(abs((erm.tauDown - .milliseconds(100)).count) < 10)
        let lra = MotorModel(kind: .lra, rise: .milliseconds(23), fall: .milliseconds(46))
        #expect(abs((lra.tauUp - .milliseconds(10)).count) < 10)
        #expect(abs((lra.tauDown - .milliseconds(20)).count) < 10)
    }
}
