// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@Suite("Springs and curves")
struct SpringTests {
    /// Integrates x″ = −2ζω x′ − ω² x by the classic Runge-Kutta method: what the closed form must agree with.
    private func integrated(_ spring: Spring, to end: Double, from initial: Spring.State) -> Spring.State {
        let omega = 2 * Double.pi / spring.response.inSeconds
        func slope(_ s: Spring.State) -> Spring.State {
            Spring.State(
                displacement: s.velocity,
                velocity: -2 * spring.dampingFraction * omega * s.velocity - omega * omega * s.displacement)
        }
        func moved(_ s: Spring.State, _ d: Spring.State, _ h: Double) -> Spring.State {
            Spring.State(displacement: s.displacement + h * d.displacement, velocity: s.velocity + h * d.velocity)
        }
        var state = initial
        let steps = 20_000
        let h = end / Double(steps)
        for _ in 0..<steps {
            let k1 = slope(state)
            let k2 = slope(moved(state, k1, h / 2))
            let k3 = slope(moved(state, k2, h / 2))
            let k4 = slope(moved(state, k3, h))
            for (k, weight) in [(k1, 1.0), (k2, 2), (k3, 2), (k4, 1)] { state = moved(state, k, h * weight / 6) }
        }
        return state
    }

    @Test(
        "The closed form agrees with numerical integration, whatever the damping",
        arguments: [0, 0.2, 0.8, 0.9999, 0.9999995, 1, 1.0000005, 1.0001, 1.5, 10])
    func closedForm(dampingFraction: Double) throws {
        let spring = try #require(Spring(response: .milliseconds(200), dampingFraction: dampingFraction))
        let initial = Spring.State(displacement: 1, velocity: -3)
        for milliseconds in [1, 50, 130, 480] as [Int64] {
            let exact = spring.state(after: .milliseconds(milliseconds), from: initial)
            let reference = integrated(spring, to: Double(milliseconds) / 1000, from: initial)
            #expect(abs(exact.displacement - reference.displacement) < 1e-5)
            #expect(abs(exact.velocity - reference.velocity) < 1e-3)
        }
    }

    @Test("The spring of a wrong code rings out to 5 % in 0.48 s and not before 0.47 s")
    func wrongCode() throws {
        let spring = try #require(Spring(response: .milliseconds(200), dampingFraction: 0.2))
        func envelope(_ from: Int64, _ to: Int64) -> Double {
            (from...to).map { milliseconds in
                abs(spring.state(after: .milliseconds(milliseconds), from: .init(displacement: 1, velocity: 0)).displacement)
            }.max()!
        }
        #expect(envelope(480, 700) < 0.05)
        #expect(envelope(400, 480) > 0.05)
    }

    @Test("Duration and bounce are response and damping fraction in other words")
    func bounce() throws {
        #expect(Spring(duration: .milliseconds(500), bounce: 0) == .smooth)
        #expect(Spring(duration: .milliseconds(500), bounce: 0.15) == .snappy)
        #expect(Spring(duration: .milliseconds(500), bounce: 0.3) == .bouncy)
        let creeping = try #require(Spring(duration: .milliseconds(500), bounce: -0.5))
        #expect(creeping.dampingFraction == 2)
    }

    @Test(
        "A spring that makes no sense is refused",
        arguments: [(0, 0.5), (-1, 0.5), (200, -0.1), (200, 101), (200, .nan)] as [(Int64, Double)])
    func invalid(response: Int64, dampingFraction: Double) {
        #expect(Spring(response: .milliseconds(response), dampingFraction: dampingFraction) == nil)
    }

    @Test("Bounces that would never settle or make no sense are refused", arguments: [-1, 1.1, .nan])
    func invalidBounce(bounce: Double) {
        #expect(Spring(duration: .milliseconds(100), bounce: bounce) == nil)
    }
}
