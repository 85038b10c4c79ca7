// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import Testing

@testable import HapticEngine
@testable import HapticPlanning

@Suite("Spreads")
struct SpreadTests {
    @Test("From the centre, an even number begins with two; a single actuator begins immediately")
    func center() {
        let stagger = Stagger(interval: .milliseconds(10), origin: .center)
        let delays: [Nanoseconds] = (0..<4).map { stagger.delay(at: $0, of: 4) }
        #expect(delays == [.milliseconds(10), .zero, .zero, .milliseconds(10)])
        #expect([0, 1, 4].map { stagger.length(over: $0) } == [.zero, .zero, .milliseconds(10)])
        #expect(Stagger(interval: .milliseconds(10), origin: .last).length(over: 4) == .milliseconds(30))
    }

    @Test("A hand-over has constant power: the squares of the two shares add up to 1")
    func constantPower() {
        let duration = Nanoseconds.milliseconds(200)
        let (from, to) = (CrossFade(takes: false, duration: duration), CrossFade(takes: true, duration: duration))
        for ms in stride(from: -10 as Int64, to: 300, by: 7) {
            let (a, b) = (from.share(after: .milliseconds(ms)), to.share(after: .milliseconds(ms)))
            #expect(abs(a.value * a.value + b.value * b.value - 1) < 1e-12)
            #expect(a.rate <= 0)
            #expect(b.rate >= 0)
        }
        #expect(from.share(after: duration).value == 0)
        #expect(to.share(after: duration).value == 1)
    }

    @Test("The second check of a hand-over is charged, and refused if the line may cost no more")
    func refusingCost() {
        let onOff = ActuatorCapabilities(variesIntensity: false, variesSharpness: false)
        let motors = [EngineActuator(name: "a"), EngineActuator(name: "b", capabilities: onOff)]
        let faint = PlayInput(
            pattern: .pulse("faint", 400, intensity: 0.2), feedbackClass: .alarm, actuators: [ActuatorIndex(0)],
            spread: .handOver(HandOver(to: ActuatorIndex(1), duration: .milliseconds(200))))
        func left(of work: Int) -> (reason: Reason?, work: Int) {
            var bench = Bench(.bench(actuators: motors))
            bench.take(.batch([.play(faint, at: bench.now)], work: WorkBudget(work)))
            return (bench.decisions[0].reason, bench.engine.work.left)
        }
        let cost = WorkBudget.line - left(of: WorkBudget.line).work
        #expect(left(of: cost).reason == nil)
        #expect(left(of: cost - 1).reason == .quota)
    }
}
