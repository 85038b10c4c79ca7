// SPDX-License-Identifier: MIT
import Glibc
public import HapticCore

/// How a motor moves under a drive, in closed form: exact from one change of the drive to the next, whatever lies between.
///
/// ERM: ω′ = (u − ω)/τ, acceleration ω² (Precision Microdrives AB-004, AB-027). LRA: the envelope a′ = (u − a)/τ. It starts at
/// `start` or more, goes on down to `hold`, and runs down undriven below that.
public struct MotorMotion: Hashable, Sendable {
    /// Below this speed an ERM stands still: friction has the last word. A constant of ours; an acceleration of 0.0025 is not felt.
    static let standstill = 0.05
    /// An LRA has no friction; below this its envelope counts as 0.
    private static let silence = 1e-6

    public let model: MotorModel
    /// Those of the model.
    let tauUp: Nanoseconds
    let tauDown: Nanoseconds
    /// The speed of an ERM, the amplitude of an LRA; 1 at rated drive, negative when it turns backwards or against its phase.
    public private(set) var speed = 0.0
    /// It is in motion, if only just.
    public private(set) var moves = false

    /// At rest. The model's times are more than 0, see `MotorModel.mistakes`.
    public init(_ model: MotorModel) {
        self.model = model
        (tauUp, tauDown) = (model.tauUp, model.tauDown)
    }

    /// What is felt: 1 at rated drive.
    public var acceleration: Double { model.kind == .erm ? speed * speed : abs(speed) }

    /// Goes on for `time` under `drive`.
    public mutating func advance(by time: Nanoseconds, at drive: Drive) {
        var left = time.inSeconds
        let down = tauDown.inSeconds
        // At most three stretches: against the motion to a stop, and from there backwards.
        while left > 0 {
            if !moves {
                guard drive.isOn, abs(drive.value) >= model.start.value else { return }
                moves = true
            }
            let backwards = speed < 0 || (speed == 0 && drive < .zero)
            let (x, u) = backwards ? (-speed, -drive.value) : (speed, drive.value)
            if u > 0, u >= model.hold.value {
                let tau = u > x ? tauUp.inSeconds : down
                let after = u + (x - u) * exp(-left / tau)
                speed = backwards ? -after : after
                return
            }
            let pull = min(u, 0)
            let stop = u < 0 ? 0 : model.kind == .erm ? Self.standstill : Self.silence
            let needed = x > stop ? down * log((x - pull) / (stop - pull)) : 0
            guard needed < left else {
                let after = pull + (x - pull) * exp(-left / down)
                speed = backwards ? -after : after
                return
            }
            left -= needed
            (speed, moves) = (0, false)
            // What is too weak to keep it in motion and strong enough to start it cannot be: `hold` is not above `start`.
        }
    }

    /// How long it takes from the present speed, forwards, to `goal` under `drive`; nil where it never gets there.
    func time(to goal: Double, at drive: Drive) -> Nanoseconds? {
        let pull = drive.value > 0 && drive.value < model.hold.value ? 0 : drive.value
        let ratio = (speed - pull) / (goal - pull)
        guard ratio >= 1, ratio.isFinite else { return nil }
        let tau = goal > speed ? tauUp : tauDown
        return tau.scaled(by: log(ratio))
    }
}
