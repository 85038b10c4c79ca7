// SPDX-License-Identifier: MIT
private import Glibc

/// A damped harmonic oscillator of mass 1 that pulls a value to its target.
///
/// Closed form of x″ + 2ζω x′ + ω² x = 0 with x the displacement from the target and ω = 2π / response, so sampling at any
/// time costs the same, is exact and cannot diverge.
public struct Spring: Hashable, Sendable {
    /// Period of the undamped oscillation; more than 0.
    public let response: Nanoseconds
    /// ζ: 0 rings for ever, below 1 overshoots, 1 is critical, above 1 creeps. 0…100.
    public let dampingFraction: Double

    /// Nil where `response` is not positive or `dampingFraction` is outside 0…100.
    public init?(response: Nanoseconds, dampingFraction: Double) {
        guard response > .zero, dampingFraction >= 0, dampingFraction <= 100 else { return nil }
        self.response = response
        self.dampingFraction = dampingFraction
    }

    /// A spring by its perceptual duration and its bounce in −1…1: a bounce of b above 0 is a damping fraction of 1 − b,
    /// below 0 of 1 / (1 + b). Nil where `duration` is not positive, or `bounce` is outside −1…1 or −1 itself (endless damping).
    public init?(duration: Nanoseconds, bounce: Double) {
        guard bounce > -1, bounce <= 1 else { return nil }
        self.init(response: duration, dampingFraction: bounce >= 0 ? 1 - bounce : 1 / (1 + bounce))
    }

    private init(presetBounce bounce: Double) {
        response = .milliseconds(500)
        dampingFraction = 1 - bounce
    }

    /// No bounce.
    public static let smooth = Spring(presetBounce: 0)
    /// A small bounce.
    public static let snappy = Spring(presetBounce: 0.15)
    /// A clear bounce.
    public static let bouncy = Spring(presetBounce: 0.3)

    /// Where a spring is: its displacement from the target and the velocity of it per second.
    public struct State: Hashable, Sendable {
        public var displacement: Double
        public var velocity: Double

        public init(displacement: Double, velocity: Double) {
            self.displacement = displacement
            self.velocity = velocity
        }
    }

    /// The state `elapsed` after `initial`; `elapsed` before 0 counts as 0.
    public func state(after elapsed: Nanoseconds, from initial: State) -> State {
        let t = max(0, elapsed.inSeconds)
        let omega = 2 * Double.pi / response.inSeconds
        let zeta = dampingFraction
        let (x0, v0) = (initial.displacement, initial.velocity)
        // Near zeta = 1 both general forms divide by almost nothing; so close the critical form is right to seven digits.
        if abs(zeta - 1) < 1e-6 {
            let decay = exp(-omega * t)
            let c = v0 + omega * x0
            return State(displacement: (x0 + c * t) * decay, velocity: (v0 - omega * c * t) * decay)
        }
        if zeta < 1 {
            let damped = omega * (1 - zeta * zeta).squareRoot()
            let decay = exp(-zeta * omega * t)
            let (cosine, sine) = (cos(damped * t), sin(damped * t))
            let b = (v0 + zeta * omega * x0) / damped
            return State(
                displacement: decay * (x0 * cosine + b * sine),
                velocity: decay * (v0 * cosine - (zeta * omega * b + damped * x0) * sine))
        }
        let root = (zeta * zeta - 1).squareRoot()
        // omega(zeta − root) loses all digits for large zeta; omega / (zeta + root) is the same number without the subtraction.
        let (slow, fast) = (-omega / (zeta + root), -omega * (zeta + root))
        let a = (v0 - fast * x0) / (slow - fast)
        let b = x0 - a
        let (slowTerm, fastTerm) = (a * exp(slow * t), b * exp(fast * t))
        return State(displacement: slowTerm + fastTerm, velocity: slow * slowTerm + fast * fastTerm)
    }
}

extension Spring: Codable {
    private enum CodingKeys: CodingKey { case response, dampingFraction }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let spring = try Spring(
            response: container.decode(Nanoseconds.self, forKey: .response),
            dampingFraction: container.decode(Double.self, forKey: .dampingFraction))
        guard let spring else {
            throw DecodingError.dataCorruptedError(forKey: .response, in: container, debugDescription: "there is no such spring")
        }
        self = spring
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(response, forKey: .response)
        try container.encode(dampingFraction, forKey: .dampingFraction)
    }
}

/// How a value gets to a keyframe from the one before.
public enum Easing: Hashable, Sendable {
    /// Holds the value before and jumps at the keyframe's time.
    case step
    case linear
    /// Starts slowly: u².
    case easeIn
    /// Ends slowly: 1 − (1 − u)².
    case easeOut
    /// Starts and ends slowly: smoothstep, 3u² − 2u³.
    case easeInOut
    case spring(Spring)

    /// The share of the way that is done after the share `u` of the time, both 0…1. A spring has no share of its own:
    /// it goes by time and velocity, see `KeyframeTrack`.
    package func eased(_ u: Double) -> Double {
        switch self {
        case .step: u < 1 ? 0 : 1
        case .linear, .spring: u
        case .easeIn: u * u
        case .easeOut: 1 - (1 - u) * (1 - u)
        case .easeInOut: u * u * (3 - 2 * u)
        }
    }
}
