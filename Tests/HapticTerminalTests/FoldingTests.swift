// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire
import TestSupport
import Testing

@testable import HapticTerminal

/// The monitor's lines for notices, each with its time in milliseconds.
private struct Shown {
    var watch = Watch(shown: Set(Topic.allCases), sender: Sender { $0 == 1000 ? "pi" : nil })
    var folding = Folding()
    private(set) var lines: [String] = []
    private var sequence: UInt64 = 0
    let isRequested: Bool

    init(isRequested: Bool = false) { self.isRequested = isRequested }

    mutating func take(_ notice: Notice, at milliseconds: Int64) {
        add(folding.end(at: milliseconds * 1_000_000))
        let line = watch.take(notice, now: milliseconds * 1_000_000)
        if line.isShown(isRequested: isRequested, unfolded: false) { add(folding.add(line, at: milliseconds * 1_000_000)) }
    }

    mutating func end(at milliseconds: Int64? = nil) {
        add(milliseconds.map { folding.end(at: $0 * 1_000_000) } ?? folding.end())
    }

    private mutating func add(_ new: [Watch.Line]) {
        for line in new { lines.append(line.text + (line.sender.map { " by \($0)" } ?? "")) }
    }

    private mutating func take(_ decision: Decision, at milliseconds: Int64) {
        sequence += 1
        var decision = decision
        (decision.sequence, decision.at) = (sequence, .init(nanoseconds: milliseconds * 1_000_000))
        if decision.outcome == .played { (decision.actuators, decision.playback) = (["main"], .init(sequence)) }
        take(.decision(DecisionResult(decision)), at: milliseconds)
    }

    /// A decision on a step; its playback has its number.
    mutating func step(
        _ percent: Double, at milliseconds: Int64, of input: Decision.InputKind = .progress, source: String = "copy",
        process: Int32 = 7, _ outcome: Outcome = .played, _ reason: Reason? = nil, pattern: String = "soft",
        intensity: Double = 0.5
    ) {
        take(
            Decision(
                sequence: 0, at: .zero, input: input, source: source, app: "till", user: 1000, process: process,
                value: .number(percent / 100), outcome: outcome, reason: reason, pattern: pattern, intensity: Intensity(intensity)
            ),
            at: milliseconds)
    }

    mutating func event(_ name: String, at milliseconds: Int64, source: String? = nil, process: Int32 = 9) {
        take(
            Decision(
                sequence: 0, at: .zero, input: .event, source: source, user: 1000, process: process, name: name, outcome: .played,
                pattern: "tick", intensity: Intensity(0.4)), at: milliseconds)
    }

    mutating func end(of playback: UInt64, _ ending: PlaybackEnd.Ending, _ reason: Reason? = nil, at milliseconds: Int64) {
        let end = PlaybackEnd(
            playback: .init(playback), ending: ending, reason: reason, at: .init(nanoseconds: milliseconds * 1_000_000))
        take(.playback(EndingResult(end)), at: milliseconds)
    }
}

@Suite("Trains of steps on the monitor")
struct FoldingTests {
    private static let renewed = DecisionResult(
        Decision(
            sequence: 900, at: .zero, input: .hold, source: "pay", app: "till", user: 1000, process: 7, value: .string("down"),
            outcome: .suppressed, reason: .renewed))

    private static let progress = HoldNotice(
        HoldChange(id: "pay", origin: .client, user: 1000, state: .progress, value: .zero, at: .zero))

    private func add(
        _ heading: String, to cases: inout SnapshotCases, isRequested: Bool = false, _ happen: (inout Shown) -> Void
    ) {
        var shown = Shown(isRequested: isRequested)
        happen(&shown)
        shown.end()
        cases.add(heading, shown.lines)
    }

    @Test("Steps of one source with the same result are one line, before the line that ends them")
    func trains() throws {
        var cases = SnapshotCases()
        add("a hold and its completion", to: &cases) { shown in
            for step in 1...77 as ClosedRange<Int64> {
                shown.step(Double(step), at: step * 20, of: .hold, source: "pay")
                if step > 1 { shown.end(of: UInt64(step) - 1, .preempted, .superseded, at: step * 20) }
            }
            shown.step(100, at: 1560, of: .hold, source: "pay", pattern: "success", intensity: 0.84)
            shown.end(of: 77, .preempted, .superseded, at: 1560)
        }
        add("repeats that renew a lease", to: &cases) { shown in
            for step in 1...3 as ClosedRange<Int64> {
                shown.step(Double(step), at: step * 20, of: .hold, source: "pay")
                shown.take(.decision(Self.renewed), at: step * 20)
            }
        }
        add("steps too small to count, other strengths and processes", to: &cases) { shown in
            shown.step(10, at: 0, .suppressed, .belowStep)
            shown.step(11, at: 100, process: 8)
            shown.step(11.5, at: 200, .suppressed, .belowStep)
            shown.step(12, at: 300, .merged, .minGap)
            shown.step(13, at: 400, intensity: 0.6)
        }
        add("other results", to: &cases) { shown in
            for step in 0..<3 as Range<Int64> { shown.step(Double(step), at: step * 10, .suppressed, .belowStep) }
            for step in 3..<5 as Range<Int64> { shown.step(Double(step), at: step * 10, .suppressed, .lowerPriority) }
            shown.step(5, at: 50)
            shown.step(6, at: 60, pattern: "tick")
            shown.step(7, at: 70, .failed, .deviceLost)
            for step in 8..<10 as Range<Int64> { shown.step(Double(step), at: step * 10, .suppressed, .profile) }
        }
        add("two sources at once, and an event", to: &cases) { shown in
            for step in 0..<4 as Range<Int64> {
                shown.step(Double(step), at: step * 100)
                shown.step(Double(step), at: step * 100 + 50, source: "backup")
            }
            shown.event("door.opened", at: 400)
            shown.step(5, at: 500)
        }
        add("each lasts ten seconds at most", to: &cases) { shown in
            for step in 0...20 as ClosedRange<Int64> { shown.step(Double(step), at: 2000 + step * 900) }
        }
        try expectSnapshot(of: cases.text, "monitor-trains")
    }

    @Test("A playback that its source's next one replaces is not shown as pre-empted, any other is")
    func ends() throws {
        var cases = SnapshotCases()
        add("events that replace each other, the last one of another process", to: &cases, isRequested: true) { shown in
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
        }
        add("a step that its confirmation ends, and one that something more important ends", to: &cases, isRequested: true) {
            $0.event("step", at: 0, source: "pay")
            $0.event("success", at: 100, source: "pay")
            $0.end(of: 1, .preempted, .lowerPriority, at: 100)
            $0.event("elsewhere", at: 200, source: "pay")
            $0.end(of: 2, .preempted, .lowerPriority, at: 300)
        }
        add("the ends of steps, and the progress of their hold", to: &cases, isRequested: true) { shown in
            shown.step(1, at: 0, of: .hold, source: "pay")
            shown.take(.hold(Self.progress), at: 0)
            shown.end(of: 1, .completed, at: 8)
            shown.step(2, at: 50, of: .hold, source: "pay")
            shown.end(of: 2, .preempted, .lowerPriority, at: 55)
        }
        try expectSnapshot(of: cases.text, "monitor-ends")
    }

    @Test("Renewals and the progress of a hold have lines if nothing is folded")
    func unfolded() {
        var shown = Shown()
        #expect(shown.watch.take(.decision(Self.renewed), now: 0).isShown(isRequested: false, unfolded: true))
        #expect(shown.watch.take(.hold(Self.progress), now: 0).isShown(isRequested: true, unfolded: true))
    }

    @Test("A train ends after a second without a step, and after ten seconds; until then it has no line")
    func time() {
        var shown = Shown()
        shown.step(1, at: 0)
        #expect(shown.folding.due == 1_000_000_000)
        #expect(shown.folding.growing?.text.contains("copy") == true)
        shown.end(at: 999)
        #expect(shown.lines == [])
        shown.end(at: 1000)
        #expect(shown.lines == ["#1 progress copy 1%: felt: soft at 50% on main (playback 1) by pi, till (process 7)"])
        #expect(shown.folding.due == nil)
        #expect(shown.folding.growing == nil)
        for step in 0...20 as ClosedRange<Int64> { shown.step(Double(step), at: 2000 + step * 900) }
        #expect(shown.folding.due == 21_000_000_000)
    }

    @Test("There is a bound on the trains that are open, and the first one makes room")
    func bound() {
        var shown = Shown()
        for source in 0..<100 { shown.step(1, at: 0, source: "source-\(source)") }
        #expect(shown.lines.count == 100 - Folding.mostOpen)
        #expect(shown.lines[0].contains("source-0"))
    }

    @Test("The press and the release of another user's hold are no steps")
    func masked() {
        func step(_ outcome: Outcome, _ reason: Reason?) -> Step? {
            Step(
                DecisionResult(
                    Decision(sequence: 1, at: .zero, input: .hold, source: nil, user: 1, outcome: outcome, reason: reason)),
                sender: nil)
        }
        #expect(step(.played, nil) != nil)
        #expect(step(.merged, .minGap) != nil)
        #expect(step(.suppressed, .rateLimited) != nil)
        for reason in [.pressed, .released, .duplicate, .reserved, .quota, .noRule, .leaseExpired, .notAllowed] as [Reason] {
            #expect(step(.suppressed, reason) == nil, "\(reason)")
        }
    }
}
