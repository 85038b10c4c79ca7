// SPDX-License-Identifier: MIT
import HapticCore
import HapticRuntime
import TestSupport
import Testing

extension ActuationQueue {
    fileprivate mutating func popAll(until now: MonotonicInstant = ms(1_000_000)) -> [Actuation] {
        var popped: [Actuation] = []
        while let actuation = popDue(now) { popped.append(actuation) }
        return popped
    }

    /// Whether each was taken.
    fileprivate mutating func insert(all actuations: [Actuation]) -> [Bool] {
        var taken: [Bool] = []
        for actuation in actuations { taken.append(insert(actuation)) }
        return taken
    }
}

/// As it is meant; lengthened, braking, with nothing meant.
private let waysOn = [DrivenLevel(on), DrivenLevel(.off, drive: .rated), DrivenLevel(.off, drive: Drive(-1))]

private func randomlyOn(_ random: inout SplitMix64) -> DrivenLevel { waysOn[Int.random(in: 0..<waysOn.count, using: &random)] }

@Suite struct ActuationQueueTests {
    @Test("A full queue refuses a new vibration, and takes the off of an accepted one")
    func roomForOffs() {
        var queue = ActuationQueue(capacity: 4, actuatorCount: 2)
        // Each on needs a slot for itself and one for its off: the second level of actuator 0 still fits, no more.
        let taken = queue.insert(all: [
            actuation(1, on), actuation(1, on, actuator: 1), actuation(2, on), actuation(3, .off),
            actuation(3, .off, actuator: 1),
        ])
        let after = queue.insert(actuation(4, on))
        let popped = queue.popAll()
        #expect(taken == [true, true, false, true, true])
        #expect(!after)
        #expect(popped.suffix(2) == [actuation(3, .off), actuation(3, .off, actuator: 1)])
    }

    @Test(
        "After a revocation the off of what is on still has its room, also where nothing is meant to be felt",
        arguments: waysOn)
    func roomAfterARevocation(_ driven: DrivenLevel) {
        var queue = ActuationQueue(capacity: 3, actuatorCount: 2)
        _ = queue.insert(all: [actuation(1, driven: driven), actuation(2, .off)])
        let popped = queue.popAll(until: ms(1))
        queue.revoke(PlaybackID(1), ActuatorIndex(0), from: ms(2))
        let others = queue.insert(all: [
            actuation(3, on, actuator: 1), actuation(4, on, actuator: 1), actuation(4, .off, actuator: 1),
        ])
        let off = queue.insert(actuation(5, .off))
        #expect(popped == [actuation(1, driven: driven)])
        #expect(others == [true, false, true])
        #expect(off)
    }

    @Test("Room that was kept for an off is free again after it")
    func roomComesBack() {
        var queue = ActuationQueue(capacity: 2, actuatorCount: 1)
        for time in stride(from: Int64(0), to: 100, by: 2) {
            let taken = queue.insert(all: [actuation(time, on), actuation(time + 1, on), actuation(time + 1, .off)])
            let popped = queue.popAll()
            #expect(taken == [true, false, true])
            #expect(popped == [actuation(time, on), actuation(time + 1, .off)])
        }
    }

    @Test("A queue from which everything was dropped has room for everything")
    func removeAll() {
        var queue = ActuationQueue(capacity: 2, actuatorCount: 1)
        _ = queue.insert(actuation(1, on))
        queue.removeAll()
        let nextDue = queue.nextDue
        let taken = queue.insert(all: [actuation(1, on), actuation(2, .off)])
        #expect(nextDue == .distantFuture)
        #expect(taken == [true, true])
    }

    /// A sorted array with the same rules, as plain as can be.
    private struct Model {
        var entries: [Actuation] = []

        mutating func insert(_ actuation: Actuation) {
            entries.insert(actuation, at: entries.firstIndex { $0.planned > actuation.planned } ?? entries.count)
        }

        mutating func revoke(_ playback: PlaybackID, _ actuator: ActuatorIndex, from: MonotonicInstant) {
            entries.removeAll { $0.playback == playback && $0.actuator == actuator && $0.planned >= from }
        }
    }

    @Test("The queue agrees with a sorted array for random operations", arguments: 1...4 as ClosedRange<UInt64>)
    func againstAModel(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var queue = ActuationQueue(capacity: 32, actuatorCount: 3)
        var model = Model()
        var now: Int64 = 0
        for _ in 0..<1000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let wanted = actuation(
                    now + Int64.random(in: 0...50, using: &random),
                    driven: Bool.random(using: &random) ? randomlyOn(&random) : .off,
                    actuator: Int.random(in: 0..<3, using: &random), playback: UInt64.random(in: 1...4, using: &random))
                if queue.insert(wanted) { model.insert(wanted) }
            case 6:
                let (playback, actuator) = (
                    PlaybackID(UInt64.random(in: 1...4, using: &random)), ActuatorIndex(Int.random(in: 0..<3, using: &random))
                )
                let from = ms(now + Int64.random(in: -5...50, using: &random))
                queue.revoke(playback, actuator, from: from)
                model.revoke(playback, actuator, from: from)
            default:
                now += Int64.random(in: 0...20, using: &random)
                while let popped = queue.popDue(ms(now)) { #expect(popped == model.entries.removeFirst(), "seed \(seed)") }
                #expect((model.entries.first?.planned ?? .distantFuture) > ms(now), "seed \(seed)")
            }
            let (count, nextDue) = (queue.count, queue.nextDue)
            #expect(count == model.entries.count, "seed \(seed)")
            #expect(nextDue == model.entries.first?.planned ?? .distantFuture, "seed \(seed)")
        }
    }

    @Test("Every accepted vibration gets its off, however full the queue is", arguments: 1...4 as ClosedRange<UInt64>)
    func noOffIsLost(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let actuatorCount = 4
        var queue = ActuationQueue(capacity: 9, actuatorCount: actuatorCount)
        // What each actuator last took, and what it last got; its own time runs on, as a scheduler's does.
        var isOn = Array(repeating: false, count: actuatorCount)
        var gotOn = isOn
        var time = Array(repeating: Int64(0), count: actuatorCount)
        var (now, refused) = (Int64(0), 0)
        for _ in 0..<2000 {
            let index = Int.random(in: 0..<actuatorCount, using: &random)
            time[index] = max(time[index], now) + Int64.random(in: 0...10, using: &random)
            let wantsOn = Bool.random(using: &random)
            let taken = queue.insert(actuation(time[index], driven: wantsOn ? randomlyOn(&random) : .off, actuator: index))
            if !wantsOn, isOn[index] { #expect(taken, "seed \(seed): an off was lost") }
            if taken { isOn[index] = wantsOn } else { refused += 1 }
            if Int.random(in: 0..<8, using: &random) == 0 {
                now += Int64.random(in: 0...20, using: &random)
                for popped in queue.popAll(until: ms(now)) { gotOn[popped.actuator.value] = popped.isOn }
            }
            if Int.random(in: 0..<20, using: &random) == 0 {
                // The scheduler ends a playback now: what it still had to do goes. The off of what is on may come after others' levels.
                queue.revoke(PlaybackID(1), ActuatorIndex(index), from: ms(now))
                (isOn[index], time[index]) = (gotOn[index], now)
            }
        }
        #expect(refused > 20)
    }
}
