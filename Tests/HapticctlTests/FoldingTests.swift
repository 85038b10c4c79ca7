// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire
import Testing

@testable import hapticctl

@Suite("Trains of steps on the monitor")
struct FoldingTests {
    /// The monitor's lines for notices, each with its time in milliseconds.
    private struct Shown {
        var watch = Watch(shown: Set(Topic.allCases), sender: Sender { $0 == 1000 ? "pi" : nil })
        var folding = Folding()
        var isRequested = false
        private(set) var lines: [String] = []
        private var sequence: UInt64 = 0

        private static func nanoseconds(_ milliseconds: Int64) -> Int64 { milliseconds * 1_000_000 }

        mutating func take(_ notice: Notice, at milliseconds: Int64) {
            let now = Self.nanoseconds(milliseconds)
            add(folding.end(at: now))
            let line = watch.take(notice, now: now)
            if line.isShown(isRequested: isRequested, unfolded: false) { add(folding.add(line, at: now)) }
        }

        mutating func end(at milliseconds: Int64? = nil) {
            add(milliseconds.map { folding.end(at: Self.nanoseconds($0)) } ?? folding.end())
        }

        private mutating func add(_ new: [Watch.Line]) {
            for line in new { lines.append(line.text + (line.sender.map { " by \($0)" } ?? "")) }
        }

        /// A decision on a step; its playback has its number.
        mutating func step(
            _ percent: Double, at milliseconds: Int64, of input: Decision.InputKind = .progress, source: String? = "copy",
            process: Int32 = 7, _ outcome: Outcome = .played, _ reason: Reason? = nil, pattern: String = "soft",
            intensity: Double = 0.5
        ) {
            sequence += 1
            let isFelt = outcome == .played
            take(
                .decision(
                    DecisionResult(
                        Decision(
                            sequence: sequence, at: .init(nanoseconds: Self.nanoseconds(milliseconds)), input: input,
                            source: source,
                            app: "till", user: 1000, process: process, value: .number(percent / 100), outcome: outcome,
                            reason: reason, pattern: pattern, intensity: Intensity(intensity), actuators: isFelt ? ["main"] : [],
                            playback: isFelt ? .init(sequence) : nil))), at: milliseconds)
        }

        mutating func event(_ name: String, at milliseconds: Int64, source: String? = nil, process: Int32 = 9) {
            sequence += 1
            take(
                .decision(
                    DecisionResult(
                        Decision(
                            sequence: sequence, at: .init(nanoseconds: Self.nanoseconds(milliseconds)), input: .event,
                            source: source, user: 1000, process: process, name: name, outcome: .played, pattern: "tick",
                            intensity: Intensity(0.4), actuators: ["main"], playback: .init(sequence)))), at: milliseconds)
        }

        mutating func end(of playback: UInt64, _ ending: PlaybackEnd.Ending, _ reason: Reason? = nil, at milliseconds: Int64) {
            let end = PlaybackEnd(
                playback: .init(playback), ending: ending, reason: reason, at: .init(nanoseconds: Self.nanoseconds(milliseconds)))
            take(.playback(EndingResult(end)), at: milliseconds)
        }
    }

    @Test("The steps of a hold are one line, which comes before the one of its completion")
    func hold() {
        var shown = Shown()
        for step in 1...77 as ClosedRange<Int64> {
            shown.step(Double(step), at: step * 20, of: .hold, source: "pay")
            if step > 1 { shown.end(of: UInt64(step) - 1, .preempted, .superseded, at: step * 20) }
        }
        #expect(shown.lines.isEmpty)
        shown.step(100, at: 1560, of: .hold, source: "pay", pattern: "success", intensity: 0.84)
        shown.end(of: 77, .preempted, .superseded, at: 1560)
        #expect(
            shown.lines == [
                "#1 to #77 hold pay 1% to 77%: felt 77 times in 1.52 s: soft at 50% on main by pi, till (process 7)",
                "#78 hold pay 100%: felt: success at 84% on main (playback 78) by pi, till (process 7)",
            ])
    }

    @Test("Repeats that renew the lease of a hold neither end its train nor have lines, unless nothing is folded")
    func renewed() {
        var shown = Shown()
        let decision = DecisionResult(
            Decision(
                sequence: 900, at: .zero, input: .hold, source: "pay", app: "till", user: 1000, process: 7,
                value: .string("down"), outcome: .suppressed, reason: .renewed))
        for step in 1...3 as ClosedRange<Int64> {
            shown.step(Double(step), at: step * 20, of: .hold, source: "pay")
            shown.take(.decision(decision), at: step * 20)
        }
        shown.end()
        #expect(shown.lines == ["#1 to #3 hold pay 1% to 3%: felt 3 times in 40 ms: soft at 50% on main by pi, till (process 7)"])
        #expect(shown.watch.take(.decision(decision), now: 0).isShown(isRequested: false, unfolded: true))
    }

    @Test("Steps too small to count belong to the train, and the strengths and processes of its steps may differ")
    func minor() {
        var shown = Shown()
        shown.step(10, at: 0, .suppressed, .belowStep)
        shown.step(11, at: 100, process: 8)
        shown.step(11.5, at: 200, .suppressed, .belowStep)
        shown.step(12, at: 300, .merged, .minGap)
        shown.step(13, at: 400, intensity: 0.6)
        shown.end()
        #expect(
            shown.lines == [
                "#1 to #5 progress copy 10% to 13%: felt 2 times in 400 ms: soft at 50% to 60% on main; not felt: 2 belowStep, 1 minGap by pi, till"
            ])
    }

    @Test("Another result begins another train")
    func results() {
        var shown = Shown()
        for step in 0..<3 as Range<Int64> { shown.step(Double(step), at: step * 10, .suppressed, .belowStep) }
        for step in 3..<5 as Range<Int64> { shown.step(Double(step), at: step * 10, .suppressed, .lowerPriority) }
        shown.step(5, at: 50)
        shown.step(6, at: 60, pattern: "tick")
        shown.step(7, at: 70, .failed, .deviceLost)
        shown.end()
        #expect(
            shown.lines == [
                "#1 to #5 progress copy 0% to 4%: not felt 5 times in 40 ms: 3 belowStep, 2 lowerPriority by pi, till (process 7)",
                "#6 progress copy 5%: felt: soft at 50% on main (playback 6) by pi, till (process 7)",
                "#7 progress copy 6%: felt: tick at 50% on main (playback 7) by pi, till (process 7)",
                "#8 progress copy 7%: not felt: its actuator is not there, or has gone or failed (deviceLost) by pi, till (process 7)",
            ])
        shown.step(8, at: 80, .suppressed, .profile)
        shown.step(9, at: 90, .suppressed, .profile)
        shown.end()
        #expect(
            shown.lines.last
                == "#9 to #10 progress copy 8% to 9%: not felt 2 times in 10 ms: the current profile silences this (profile) by pi, till (process 7)"
        )
    }

    @Test("Trains of several sources go on side by side until something else is shown, in the order in which they began")
    func sources() {
        var shown = Shown()
        for step in 0..<4 as Range<Int64> {
            shown.step(Double(step), at: step * 100)
            shown.step(Double(step), at: step * 100 + 50, source: "backup")
        }
        #expect(shown.lines.isEmpty && shown.folding.growing?.text.contains("backup") == true)
        shown.event("door.opened", at: 400)
        shown.step(5, at: 500)
        shown.end()
        #expect(
            shown.lines.map { $0.prefix { $0 != ":" } } == [
                "#1 to #7 progress copy 0% to 3%", "#2 to #8 progress backup 0% to 3%", "#9 event door.opened",
                "#10 progress copy 5%",
            ])
    }

    @Test("A train ends after a second without a step, and after ten seconds")
    func time() {
        var shown = Shown()
        shown.step(1, at: 0)
        #expect(shown.folding.due == 1_000_000_000)
        shown.end(at: 999)
        #expect(shown.lines.isEmpty)
        shown.end(at: 1000)
        #expect(shown.lines == ["#1 progress copy 1%: felt: soft at 50% on main (playback 1) by pi, till (process 7)"])
        #expect(shown.folding.due == nil && shown.folding.growing == nil)
        for step in 0...20 as ClosedRange<Int64> { shown.step(Double(step), at: 2000 + step * 900) }
        #expect(shown.lines.dropFirst().map { $0.prefix { $0 != ":" } } == ["#2 to #13 progress copy 0% to 11%"])
        #expect(shown.folding.due == 21_000_000_000)
    }

    @Test("There is a bound on the trains that are open, and the first one makes room")
    func bound() {
        var shown = Shown()
        for source in 0..<100 { shown.step(1, at: 0, source: "source-\(source)") }
        #expect(shown.lines.count == 100 - Folding.mostOpen && shown.lines[0].contains("source-0"))
    }

    @Test("A playback that the next one of its source replaces is not shown as pre-empted, any other is")
    func replaced() {
        var shown = Shown()
        shown.isRequested = true
        shown.event("rung", at: 0, source: "phone")
        shown.event("answered", at: 100, source: "phone")
        shown.end(of: 1, .preempted, .superseded, at: 100)
        shown.event("rung", at: 200)
        shown.end(of: 2, .preempted, .superseded, at: 200)
        shown.event("rung", at: 300)
        shown.end(of: 3, .preempted, .superseded, at: 300)
        shown.event("rung", at: 400, process: 10)
        shown.end(of: 4, .preempted, .superseded, at: 400)
        shown.end(of: 5, .completed, at: 500)
        #expect(
            shown.lines.filter { $0.hasPrefix("playback") } == [
                "playback 2: preempted: something newer took its place", "playback 4: preempted: something newer took its place",
                "playback 5: completed",
            ])
    }

    @Test("A step that the confirmation of its hold ends is replaced; one that something more important ends is pre-empted")
    func replacedByConfirmation() {
        var shown = Shown()
        shown.isRequested = true
        shown.event("step", at: 0, source: "pay")
        shown.event("success", at: 100, source: "pay")
        shown.end(of: 1, .preempted, .lowerPriority, at: 100)
        shown.event("elsewhere", at: 200, source: "pay")
        shown.end(of: 2, .preempted, .lowerPriority, at: 300)
        #expect(
            shown.lines.filter { $0.hasPrefix("playback") } == [
                "playback 2: preempted: something more important is playing"
            ])
    }

    @Test("The ends of steps and the progress of holds are part of the steps; an end by something else is not")
    func ends() {
        var shown = Shown()
        shown.isRequested = true
        let change = HoldChange(id: "pay", origin: .client, user: 1000, state: .progress, value: .zero, at: .zero)
        shown.step(1, at: 0, of: .hold, source: "pay")
        shown.take(.hold(HoldNotice(change)), at: 0)
        shown.end(of: 1, .completed, at: 8)
        shown.step(2, at: 50, of: .hold, source: "pay")
        #expect(shown.lines.isEmpty)
        shown.end(of: 2, .preempted, .lowerPriority, at: 55)
        #expect(shown.lines.map { $0.prefix { $0 != ":" } } == ["#1 to #2 hold pay 1% to 2%", "playback 2"])
        let unfolded = shown.watch.take(.hold(HoldNotice(change)), now: 0)
        #expect(unfolded.isShown(isRequested: true, unfolded: true))
    }

    @Test("Of another user's hold the press and the release are no steps")
    func masked() {
        func step(_ outcome: Outcome, _ reason: Reason?) -> Step? {
            Step(
                DecisionResult(
                    Decision(sequence: 1, at: .zero, input: .hold, source: nil, user: 1, outcome: outcome, reason: reason)),
                sender: nil)
        }
        #expect(step(.played, nil) != nil)
        #expect(step(.merged, .minGap) != nil && step(.suppressed, .rateLimited) != nil)
        for reason in [.pressed, .released, .duplicate, .reserved, .quota, .noRule, .leaseExpired, .notAllowed] as [Reason] {
            #expect(step(.suppressed, reason) == nil, "\(reason)")
        }
    }
}
