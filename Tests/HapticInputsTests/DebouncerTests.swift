// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@testable import HapticInputs

@Suite("A switch that bounces") struct DebouncerTests {
    private var machine = Debouncer(closedTime: .milliseconds(10))

    private func at(_ ms: Int64) -> MonotonicInstant { .zero + .milliseconds(ms) }

    private func change(_ isDown: Bool, _ ms: Int64, _ cause: SwitchChange.Cause = .edge) -> SwitchChange {
        SwitchChange(isDown: isDown, at: at(ms), cause: cause)
    }

    @Test("The first edge counts at once, at the kernel's instant")
    mutating func first() {
        #expect(machine.edge(true, at: at(3)) == [change(true, 3)])
        #expect(machine.isDown)
        #expect(machine.nextDeadline == .distantFuture)
    }

    @Test("A switch that is down when it is found counts as up; its release is no change, but closes the input like one")
    mutating func found() {
        #expect(machine.find(true, at: at(100)) == [])
        #expect(!machine.isDown)
        #expect(machine.nextDeadline == .distantFuture)
        #expect((machine.resync(true, at: at(150)), machine.edge(true, at: at(160))) == ([], []))
        // Letting go bounces.
        for (ms, level) in [(200, false), (201, true), (203, false)] as [(Int64, Bool)] {
            #expect(machine.edge(level, at: at(ms)) == [])
        }
        #expect(machine.advance(to: at(300)) == [])
        #expect(machine.edge(true, at: at(301)) == [change(true, 301)])
        #expect(machine.isDown)
    }

    @Test("A switch that is down when it is found and then lost is not released; found again it can be pressed")
    mutating func foundAndLost() {
        #expect(machine.find(true, at: at(0)) == [])
        #expect(machine.lost(at: at(50)) == [])
        #expect(machine.find(false, at: at(100)) == [])
        #expect(machine.edge(true, at: at(99)) == [], "before it was found")
        #expect(machine.edge(true, at: at(101)) == [change(true, 101)])
        #expect(machine.lost(at: at(102)) == [change(false, 102, .lost)])
    }

    @Test("A switch whose found level counts is on where it is found on, goes off when it is lost, and bounces like others")
    mutating func foundOn() {
        machine = Debouncer(closedTime: .milliseconds(10), countsFoundLevel: true)
        #expect(machine.find(false, at: at(0)) == [])
        #expect(machine.lost(at: at(50)) == [])
        #expect(machine.find(true, at: at(100)) == [change(true, 100, .resync)])
        #expect(machine.isDown)
        #expect(machine.edge(false, at: at(104)) == [])
        #expect(machine.advance(to: at(110)) == [change(false, 110)])
        #expect(machine.edge(true, at: at(130)) == [change(true, 130)])
        #expect(machine.lost(at: at(131)) == [change(false, 131, .lost)])
        #expect(machine.find(true, at: at(140)) == [change(true, 140, .resync)])
    }

    @Test("An edge that goes back in time counts as at the last one")
    mutating func back() {
        _ = machine.edge(true, at: at(100))
        #expect((machine.edge(false, at: at(40)), machine.nextDeadline) == ([], at(110)))
        _ = machine.advance(to: at(110))
        #expect((machine.edge(true, at: at(105)), machine.advance(to: at(120))) == ([], [change(true, 120)]))
    }

    @Test("After a gap the level that was read counts, and earlier edges do not")
    mutating func gap() {
        #expect(machine.resync(true, at: at(50)) == [change(true, 50, .resync)])
        #expect((machine.edge(false, at: at(45)), machine.nextDeadline) == ([], .distantFuture))
        #expect(machine.resync(true, at: at(80)) == [])
        #expect(machine.edge(false, at: at(90)) == [change(false, 90)])
    }

    @Test("10,000 presses a second are at most a change each 10 ms, and leave no more behind than one press")
    mutating func flood() {
        var count = 0
        for number in 0..<20_000 {
            count += machine.edge(number.isMultiple(of: 2), at: .zero + .microseconds(Int64(number) * 50)).count
        }
        #expect(count <= 101)
        #expect(MemoryLayout<Debouncer>.size <= 64)
    }
}

@Suite("Switches that bounce at random") struct DebouncerWalkTests {
    private enum Happening {
        case edge(Bool)
        case gap(Bool)
        case lost
    }

    /// Lives from tick to tick and knows nothing of deadlines. A tick is a nanosecond.
    private struct SlowSwitch {
        let closedTicks: Int
        var felt = false, seen = false
        var seenBy = SwitchChange.Cause.edge
        var isClosedFor = 0
        var changes: [SwitchChange] = []

        mutating func tick(_ now: Int, _ happenings: [Happening]) {
            if isClosedFor > 0 { isClosedFor -= 1 }
            if isClosedFor == 0 { compare(now) }
            for happening in happenings {
                switch happening {
                case .edge(let isDown): see(isDown, .edge)
                case .gap(let isDown): see(isDown, .resync)
                case .lost:
                    (seen, seenBy, isClosedFor) = (false, .lost, felt ? 0 : isClosedFor)
                }
                if isClosedFor == 0 { compare(now) }
            }
        }

        private mutating func see(_ isDown: Bool, _ cause: SwitchChange.Cause) {
            if seen != isDown { (seen, seenBy) = (isDown, cause) }
        }

        private mutating func compare(_ now: Int) {
            guard seen != felt else { return }
            felt = seen
            isClosedFor = closedTicks
            changes.append(SwitchChange(isDown: felt, at: MonotonicInstant(nanoseconds: Int64(now)), cause: seenBy))
        }
    }

    @Test("The debouncer agrees with a slow model that runs tick by tick", arguments: 0..<60 as Range<UInt64>)
    func slow(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let closedTicks = [0, 1, 2, 5, 30][Int.random(in: 0..<5, using: &random)]
        let density = Int.random(in: 1...20, using: &random)
        var machine = Debouncer(closedTime: Nanoseconds(Int64(closedTicks)))
        var slow = SlowSwitch(closedTicks: closedTicks)
        var changes: [SwitchChange] = []
        for now in 0..<600 {
            let instant = MonotonicInstant(nanoseconds: Int64(now))
            var happenings: [Happening] = []
            while Int.random(in: 0..<density, using: &random) == 0, happenings.count < 4 {
                let isDown = Bool.random(using: &random)
                let kind = Int.random(in: 0..<20, using: &random)
                happenings.append(kind == 0 ? .lost : kind == 1 ? .gap(isDown) : .edge(isDown))
            }
            slow.tick(now, happenings)
            if Int.random(in: 0..<3, using: &random) == 0 { changes += machine.advance(to: instant) }
            for happening in happenings {
                switch happening {
                case .edge(let isDown): changes += machine.edge(isDown, at: instant)
                case .gap(let isDown): changes += machine.resync(isDown, at: instant)
                case .lost: changes += machine.lost(at: instant)
                }
            }
        }
        changes += machine.advance(to: .zero + .seconds(1))
        slow.tick(600, [])
        for now in 601..<700 { slow.tick(now, []) }
        #expect(changes == slow.changes)
        check(changes, closedTicks)
    }

    private func check(_ changes: [SwitchChange], _ closedTicks: Int) {
        for (before, after) in zip(changes, changes.dropFirst()) {
            #expect(before.isDown != after.isDown)
            #expect(after.at >= before.at + Nanoseconds(after.cause == .lost ? 0 : Int64(closedTicks)))
        }
    }
}
