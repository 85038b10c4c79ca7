// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import HapticThreads
import Synchronization
import TestSupport
import Testing

/// What two threads share.
private final class Shared: Sendable {
    let ring = SPSCRing<Int>(capacity: 16)
}

@Suite struct SPSCRingTests {
    @Test("A ring gives back what it was given, in order, and says when it is full or empty", arguments: [1, 2, 3, 7, 64])
    func againstAModel(capacity: Int) {
        var random = SplitMix64(seed: UInt64(capacity))
        let ring = SPSCRing<Int>(capacity: capacity)
        var model: [Int] = []
        for value in 0..<1000 {
            if Bool.random(using: &random) {
                let isTaken = ring.push(value)
                #expect(isTaken == (model.count < capacity))
                if isTaken { model.append(value) }
            } else {
                let popped = ring.pop()
                #expect(popped == (model.isEmpty ? nil : model.removeFirst()))
            }
        }
    }

    @Test("Reserved slots are for those who reserve nothing")
    func reserve() {
        let ring = SPSCRing<Int>(capacity: 3)
        let taken = [ring.push(1, keeping: 2), ring.push(2, keeping: 2), ring.push(2), ring.push(3), ring.push(4)]
        #expect(taken == [true, false, true, true, false])
    }

    @Test("A value that was never taken is released with the ring")
    func releases() {
        final class Witness: Sendable {}
        weak var witness: Witness?
        do {
            let ring = SPSCRing<Witness>(capacity: 4)
            let value = Witness()
            witness = value
            let isTaken = ring.push(value)
            #expect(isTaken)
        }
        #expect(witness == nil)
    }

    @Test("Nothing is lost or reordered between two threads")
    func twoThreads() {
        let shared = Shared()
        let count = 20_000
        // On a thread of its own: a task of Swift's would wait until other tests leave it one, while this one spins.
        Thread { for value in 0..<count { while !shared.ring.push(value) { sched_yield() } } }.start()
        var expected = 0
        while expected < count {
            guard let value = shared.ring.pop() else {
                sched_yield()
                continue
            }
            guard value == expected else { break }
            expected += 1
        }
        #expect(expected == count)
        let rest = shared.ring.pop()
        #expect(rest == nil)
    }
}
