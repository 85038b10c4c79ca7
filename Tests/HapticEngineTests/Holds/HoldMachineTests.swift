// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@testable import HapticEngine

/// A machine and a hand, on virtual time.
private struct Hand {
    let shape: HoldShape
    var machine = HoldMachine()
    var happenings: [(at: MonotonicInstant, what: HoldMachine.Happening)] = []

    init(_ shape: HoldShape = HoldShape()) { self.shape = shape }

    /// Looks whenever the machine wants it, up to `end`.
    mutating func run(until end: MonotonicInstant) {
        while machine.nextDeadline <= end {
            let now = machine.nextDeadline
            if let due = machine.next(by: now, shape) { happenings.append((now, due.what)) }
        }
    }

    mutating func press(at instant: MonotonicInstant) {
        run(until: instant)
        machine.press(at: instant, shape)
    }

    mutating func release(at instant: MonotonicInstant) {
        run(until: instant)
        machine.release(at: instant, shape)
    }

    /// In milliseconds.
    var steps: [Int64] {
        happenings.compactMap { if case .step = $0.what { $0.at.nanoseconds / 1_000_000 } else { nil } }
    }
}

@Suite("A press and hold")
struct HoldMachineTests {
    @Test("A charge of 1.6 s is felt 77 times, at the instants of the reference, after a press of half a second")
    func reference() {
        var hand = Hand()
        hand.press(at: .ms(1000))
        hand.run(until: .ms(10_000))
        #expect(hand.happenings.count == 1 + 76 + 1)
        #expect(hand.happenings.first! == (.ms(1500), .began(.zero)))
        #expect(hand.happenings.last! == (.ms(3100), .confirmed))
        #expect(hand.steps.prefix(6) == [1600, 1670, 1720, 1770, 1810, 1850])
        #expect(hand.steps.suffix(3) == [3070, 3080, 3090])
        #expect(hand.machine.isDown)
        #expect(hand.machine.nextDeadline == .distantFuture)
    }

    @Test("A tap is not felt, and a press of half a second less a nanosecond is a tap")
    func tap() {
        var hand = Hand()
        hand.press(at: .ms(0))
        hand.release(at: .ms(500) - Nanoseconds(1))
        hand.run(until: .ms(5000))
        #expect(hand.happenings.isEmpty)
        #expect(hand.machine.isOver)
    }

    @Test("A machine that is called late reports one step and one confirmation")
    func late() {
        var hand = Hand()
        hand.press(at: .ms(0))
        #expect(hand.machine.next(by: .ms(1000), hand.shape) == HoldMachine.Due(what: .began(.zero), at: .ms(500)))
        // The first that was missed was due at 0.6 s.
        let due = hand.machine.next(by: .ms(1000), hand.shape)
        guard case .step(let value) = due?.what, due?.at == .ms(600) else {
            Issue.record("no step")
            return
        }
        // 50 ticks: 0.000035 · 2500 + 0.000665 · 50.
        #expect(abs(value.value - 0.12075) < 1e-12)
        #expect(hand.machine.next(by: .ms(1000), hand.shape) == nil)
        #expect(hand.machine.next(by: .ms(9000), hand.shape) == HoldMachine.Due(what: .confirmed, at: .ms(2100)))
        #expect(hand.machine.next(by: .ms(9000), hand.shape) == nil)
    }

    @Test("A release that is read late confirms only if the press was long enough")
    func lookedAtTooLate() {
        for (held, isConfirmed) in [(2100, true), (2099, false)] {
            let shape = HoldShape()
            var machine = HoldMachine()
            machine.press(at: .ms(0), shape)
            _ = machine.next(by: .ms(500), shape)
            machine.release(at: .ms(Int64(held)), shape)
            var seen: [HoldMachine.Happening] = []
            while let due = machine.next(by: .ms(9000), shape) { seen.append(due.what) }
            #expect(seen == [isConfirmed ? .confirmed : .released])
            #expect(machine.isOver)
        }
    }

    @Test("A press after a fall that was not reported releases first")
    func owed() {
        let shape = HoldShape(press: .zero)
        var machine = HoldMachine()
        machine.press(at: .ms(0), shape)
        _ = machine.next(by: .ms(0), shape)
        machine.release(at: .ms(400), shape)
        machine.press(at: .ms(2000), shape)
        let released = machine.next(by: .ms(2000), shape)
        #expect(released?.what == .released)
        #expect(released!.at < .ms(700))
        #expect(machine.next(by: .ms(2000), shape)?.what == .began(.zero))
    }

    @Test("A second press and release during a fall that was not reported are one release")
    func pickedUpUnseen() {
        var hand = Hand(HoldShape(press: .zero, curve: .linear))
        hand.press(at: .ms(0))
        hand.release(at: .ms(800))
        hand.machine.press(at: .ms(850), hand.shape)
        hand.machine.release(at: .ms(860), hand.shape)
        let before = hand.happenings.count
        hand.run(until: .ms(5000))
        #expect(hand.happenings.dropFirst(before).map(\.what) == [.released])
        #expect(hand.machine.isOver)
    }

    @Test("With another shape a press is measured from its beginning, but its charge does not begin before")
    func reshapedPress() {
        let cases: [(Int64, Int64, Int64)] = [(500, 1500, 1500), (5000, 1500, 1500), (5000, 500, 1000), (500, 500, 500)]
        for (old, new, begins) in cases {
            let (old, new) = (HoldShape(press: .milliseconds(old)), HoldShape(press: .milliseconds(new), duration: .seconds(1)))
            var machine = HoldMachine()
            machine.press(at: .ms(0), old)
            // Where it was due under the old shape, too: nobody has looked.
            let now = MonotonicInstant.ms(begins == 500 ? 400 : 1000)
            machine.reshape(from: old, to: new, at: now)
            #expect(machine.nextDeadline == .ms(begins))
            #expect(machine.next(by: .ms(begins), new)?.what == .began(.zero))
            #expect(machine.nextDeadline > .ms(begins))
        }
    }

    @Test("After a change of the shape a charge continues from its value with the new times, and so does a fall")
    func reshapedCharge() {
        let old = HoldShape(press: .zero, duration: .seconds(10), curve: .linear)
        let new = HoldShape(press: .zero, duration: .milliseconds(1600), curve: .linear, fall: .seconds(3))
        var hand = Hand(old)
        hand.press(at: .ms(0))
        hand.run(until: .ms(5000))
        hand.machine.reshape(from: old, to: new, at: .ms(5000))
        #expect(hand.machine.value(at: .ms(5000), new).value == 0.5)
        var released = hand.machine
        while let due = hand.machine.next(by: .ms(5799), new) { if case .step = due.what {} else { Issue.record("\(due)") } }
        #expect(hand.machine.next(by: .ms(5800), new) == HoldMachine.Due(what: .confirmed, at: .ms(5800)))

        released.release(at: .ms(5000), new)
        released.reshape(from: new, to: old, at: .ms(5600))
        #expect(abs(released.value(at: .ms(5600), old).value - 0.3) < 1e-9)
        #expect(released.nextDeadline == .ms(5690))
    }

    @Test("A charge that was complete before the shape changed is confirmed, even if it was not reported")
    func reshapedConfirmation() {
        let (old, new) = (HoldShape(press: .zero), HoldShape(press: .zero, duration: .seconds(60)))
        var machine = HoldMachine()
        machine.press(at: .ms(0), old)
        _ = machine.next(by: .ms(0), old)
        machine.reshape(from: old, to: new, at: .ms(1700))
        #expect(machine.next(by: .ms(1700), new) == HoldMachine.Due(what: .confirmed, at: .ms(1600)))
        #expect(machine.isDown)
        #expect(machine.next(by: .ms(100_000), new) == nil)
    }

    @Test(
        "Whatever a hand does, each charge that begins ends once, and steps come only in between",
        arguments: UInt64(0)..<200)
    func random(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let shape = HoldShape(
            press: .milliseconds(Int64.random(in: 0...2, using: &random) * 100),
            duration: .milliseconds(Int64.random(in: 100...1000, using: &random)),
            curve: Bool.random(using: &random) ? .charge : .linear,
            fall: .milliseconds(Int64.random(in: 0...400, using: &random)))
        var hand = Hand(shape)
        var at = MonotonicInstant.zero
        for _ in 0..<40 {
            at = at + .milliseconds(Int64.random(in: 1...1200, using: &random))
            hand.press(at: at)
            at = at + .milliseconds(Int64.random(in: 1...1500, using: &random))
            hand.release(at: at)
        }
        hand.run(until: at + .seconds(60))
        #expect(hand.machine.isOver)
        var isCharging = false
        for (_, what) in hand.happenings {
            switch what {
            case .began(let value):
                #expect(isCharging == (value > .zero))
                isCharging = true
            case .step: #expect(isCharging)
            case .confirmed, .released:
                #expect(isCharging)
                isCharging = false
            }
        }
        #expect(!isCharging)
    }
}
