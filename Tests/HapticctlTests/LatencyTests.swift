// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticPlanning
import HapticWire
import TerminalTestSupport
import TestSupport
import Testing

@testable import hapticctl

@Suite("The pace of a measurement of latency")
struct LatencyTests {
    @Test(
        "Plays come no closer than the motor's limits allow",
        arguments: [
            (MotorLimits(), 8, 20), (MotorLimits(minGap: .milliseconds(50)), 8, 63),
            (MotorLimits(duty: Share(clamping: 0.1)), 8, 88), (MotorLimits(), 200, 205),
        ])
    func pace(limits: MotorLimits, length: Int64, milliseconds: Int64) {
        let actuator = ActuatorResult(EngineActuator(name: "main", limits: limits))
        let length = Nanoseconds.milliseconds(length)
        #expect(LatencyRun.pace(length: length, felt: length, on: actuator) == .milliseconds(milliseconds))
    }

    @Test("A passing reason is waited out, and a lasting one ends the measurement")
    func lasting() {
        let lasting = Reason.allCases.filter { reason in
            LatencyRun.isLasting(
                DecisionResult(Decision(sequence: 1, at: .zero, input: .play, outcome: .suppressed, reason: reason)))
        }
        #expect(
            Set(lasting) == [
                .profile, .off, .quietHours, .strength, .noActuator, .deviceLost, .tooSubtle, .silent, .shutdown,
            ])
    }

    @Test("Refused plays slow the pace, for as long as they continue and a little after")
    func paceAfterRefusals() {
        var pace = LatencyPace(.milliseconds(20))
        for expected in [40, 80, 160, 320, 500, 500, 500, 500, 500] as [Int64] {
            pace.refused()
            #expect(pace.wait == .milliseconds(expected))
            #expect(!pace.isHopeless)
        }
        pace.refused()
        #expect(pace.isHopeless)
        for expected in [250, 125] as [Int64] {
            pace.played()
            #expect(pace.wait == .milliseconds(expected))
            #expect(!pace.isHopeless)
        }
        for _ in 0..<9 { pace.played() }
        #expect(pace.wait == .milliseconds(20))
    }

    @Test("A pace that is slower than the slowest stays as it is")
    func slowPace() {
        var pace = LatencyPace(.seconds(2))
        pace.refused()
        #expect(pace.wait == .seconds(2))
        pace.played()
        #expect(pace.wait == .seconds(2))
    }
}
