// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticPatterns
import TestSupport

/// Random patterns, each played alone on a motor without limits. The motor is on and off as often as was decided, and off at the
/// end of the pattern.
enum PatternSweep {
    /// Returns the failure of the first of `count` patterns that is not played to its end. The seeds begin with `first`.
    static func failure(of count: Int, from first: UInt64) -> String? {
        for seed in first..<first + UInt64(count) {
            var random = SplitMix64(seed: seed)
            if let failure = failure(of: Pattern.random("random", using: &random)) {
                return "pattern of seed \(seed): \(failure)"
            }
        }
        return nil
    }

    static func failure(of pattern: Pattern) -> String? {
        let board = Board([Motor.Limits(limits: .none)], [pattern])
        var world = World(.calm, board, seed: 1)
        let input = PlayInput(pattern: board.pattern(pattern.name), feedbackClass: .alarm)
        world.send([.input(Input(client: ClientIdentity(connection: 1, user: 0), at: world.now, kind: .play(input)))])
        world.oracle.require(world.oracle.playing == 1, "it has not begun")
        world.run(until: .zero + pattern.duration + .seconds(1))
        let motor = world.oracle.motors[0]
        world.oracle.require(world.oracle.playing == 0 && !motor.isOn, "it has not ended")
        // At most two intervals late, and early by the silence at its end.
        let late = motor.lastChange - pattern.duration.count
        world.oracle.require(late <= 2_000_000, "the motor went off \(late) ns after the end")
        return world.oracle.failure
    }
}
