// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import TestSupport

/// Random patterns, each played by itself on a motor without limits: what was planned is what is felt, to its end.
enum PatternSweep {
    /// What is wrong with the first of `count` patterns that is not played to its end; the seeds are `first` and those after it.
    static func failure(of count: Int, from first: UInt64) -> String? {
        for seed in first..<first + UInt64(count) {
            if let failure = failure(ofPattern: seed) { return "pattern of seed \(seed): \(failure)" }
        }
        return nil
    }

    static func failure(ofPattern seed: UInt64) -> String? {
        var random = SplitMix64(seed: seed)
        var shape = Shape.random("random", using: &random)
        while shape.length > 60_000_000_000 { shape = Shape.random("random", using: &random) }
        return failure(of: shape, seed: seed)
    }

    static func failure(of shape: Shape, seed: UInt64 = 1) -> String? {
        let board = Board([Motor.Limits(interval: 1_000_000)], [shape])
        var world = World(.calm, board, seed: seed)
        world.oracle.samples = 12
        let client = ClientIdentity(connection: 1, user: 0)
        let pattern = board.playable.first { $0.name == shape.name }!
        let input = PlayInput(pattern: pattern, feedbackClass: .alarm)
        world.send(
            [.input(Input(client: client, at: world.now, kind: .play(input)))], [Request(pattern: shape.name)])
        world.run(until: .zero + Nanoseconds(shape.length) + .seconds(1))
        world.oracle.require(world.oracle.playing == 0, "it has not ended")
        world.oracle.require(world.drivers[0].level == 0, "the motor is on after its end")
        return world.oracle.failure
    }
}
