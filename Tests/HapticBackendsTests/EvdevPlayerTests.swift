// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticBackends

@Suite("Levels on a device that plays effects") struct EvdevPlayerTests {
    private let runs = [Examples.soft, Examples.success].map { $0.runs[0] }
    private let soft = RunIndex(0)
    private let success = RunIndex(1)

    private func makePlayer(_ abilities: FFAbilities, maxOn: Nanoseconds? = nil) throws -> EvdevPlayer {
        EvdevPlayer(try #require(FFMapping(abilities)), runs: runs, maxOn: maxOn)
    }

    /// Applies all levels of a run as the executor does, scaled, and returns the operations with their times.
    private func played(
        _ player: inout EvdevPlayer, _ index: RunIndex, scale: Double = 1, sharpness: Double? = nil, from start: Int64 = 0
    ) -> [(FFOperation, MonotonicInstant)] {
        var operations: [(FFOperation, MonotonicInstant)] = []
        for (number, frame) in runs[index.value].frames.enumerated() {
            let planned = at(start) + frame.offset
            let shown = level(frame.level.intensity.value * scale, sharpness ?? frame.level.sharpness.value)
            if let operation = player.apply(
                shown, run: number == 0 ? index : nil, planned: planned, at: planned + .microseconds(300))
            {
                operations.append((operation, planned))
            }
        }
        return operations
    }

    @Test("A pulse is one play and one stop, and nothing is due afterwards")
    func pulse() throws {
        var player = try makePlayer(Pads.periodic)
        let operations = played(&player, soft)
        #expect(operations.map(\.0) == [.play(player.mapping.effect(of: level(0.5, 0.2))), .stop])
        #expect(operations.map(\.1) == [at(0), at(8)])
        #expect(player.nextDeadline == .distantFuture)
    }

    @Test("A level that is already set is not set again")
    func same() throws {
        var player = try makePlayer(Pads.rumble)
        let first = player.apply(level(0.5, 0.2), run: nil, planned: at(0), at: at(0))
        let second = player.apply(level(0.501, 0.2), run: nil, planned: at(5), at: at(5))
        #expect(first != nil)
        #expect(second == nil)
        let off = player.apply(.off, run: nil, planned: at(10), at: at(10))
        let offAgain = player.apply(.off, run: nil, planned: at(15), at: at(15))
        #expect(off == .stop)
        #expect(offAgain == nil)
    }

    @Test("A level that goes on is played again well before its effect ends, until its longest on-time is over")
    func renewal() throws {
        var player = try makePlayer(Pads.periodic, maxOn: .milliseconds(1800))
        let play = player.apply(level(1, 0), run: nil, planned: at(0), at: at(0))
        for due in [500, 1000, 1500] as [Int64] {
            #expect(player.nextDeadline == at(due))
            let (operation, result) = player.advance(to: at(due))
            #expect((operation, result) == (play, .kept))
        }
        #expect(player.nextDeadline == at(1800))
        let (operation, result) = player.advance(to: at(1800))
        #expect((operation, result) == (.stop, .cutOff))
        let heldOff = player.apply(level(1, 0), run: nil, planned: at(1900), at: at(1900))
        #expect(heldOff == nil)
        #expect(player.nextDeadline == .distantFuture)
    }

    @Test("A pad with envelopes plays `success` by itself: one play, one stop", arguments: [1, 0.5, 0.1])
    func whole(scale: Double) throws {
        var player = try makePlayer(Pads.periodic)
        let operations = played(&player, success, scale: scale)
        try #require(operations.count == 2)
        guard case .play(let effect) = operations[0].0 else { return }
        #expect(effect.envelope.attackMs > 0)
        #expect(effect.envelope.fadeMs > 0)
        #expect(abs(felt([effect]).intensity.value - runs[1].peak.value * scale) < 0.01)
        #expect(operations[1].0 == .stop)
    }

    @Test("A level that differs from its run is played alone, and so are those after it")
    func leaves() throws {
        var player = try makePlayer(Pads.periodic)
        let frames = runs[1].frames
        _ = player.apply(frames[0].level, run: success, planned: at(0), at: at(0))
        let follows = player.apply(frames[1].level, run: nil, planned: at(0) + frames[1].offset, at: at(5))
        #expect(follows == nil)
        let other = player.apply(level(0.9, 0.4), run: nil, planned: at(10), at: at(10))
        #expect(other == .play(player.mapping.effect(of: level(0.9, 0.4))))
        let later = player.apply(frames[5].level, run: nil, planned: at(0) + frames[5].offset, at: at(30))
        #expect(later == .play(player.mapping.effect(of: frames[5].level)))
    }

    @Test("A frame that was dropped as late does not end the run")
    func leftOut() throws {
        var player = try makePlayer(Pads.periodic)
        let frames = runs[1].frames
        _ = player.apply(frames[0].level, run: success, planned: at(0), at: at(0))
        let next = player.apply(frames[9].level, run: nil, planned: at(0) + frames[9].offset, at: at(60))
        #expect(next == nil)
    }

    @Test("A run that the driver does not know is played level by level")
    func unknownRun() throws {
        var player = try makePlayer(Pads.periodic)
        let operation = player.apply(level(0.5, 0.5), run: RunIndex(99), planned: at(0), at: at(0))
        #expect(operation == .play(player.mapping.effect(of: level(0.5, 0.5))))
    }

    @Test("Off is always sent if something may be on, and ends a run")
    func switchOff() throws {
        var player = try makePlayer(Pads.periodic)
        _ = player.apply(runs[1].frames[0].level, run: success, planned: at(0), at: at(0))
        let operations = [player.switchOff(at: at(1)), player.switchOff(at: at(2))]
        #expect(operations == [.stop, .stop])
        #expect(player.nextDeadline == .distantFuture)
    }
}
