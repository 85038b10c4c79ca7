// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@testable import HapticEngine

@Suite("Quiet hours")
struct QuietHoursLinkTests {
    /// A bench with quiet hours all day, except for repeated events.
    private static func quiet() -> Bench {
        var bench = Bench()
        bench.take(.localTime(LocalTime(.mon, second: 0)))
        var hours = QuietHours.always
        hours.except.repeated = true
        bench.send([.change(SettingsChange(quietHours: .set([hours])))])
        return bench
    }

    private static func event(_ id: String, _ user: UInt32 = 1000, name: String = "payment.succeeded") -> BatchItem {
        .event(name, id: id, at: .distantFuture, client: ClientIdentity(connection: UInt64(user), user: user))
    }

    @Test("The table of repeated events is bounded; the oldest goes")
    func bounded() {
        var bench = Self.quiet()
        let most = RepetitionTable.mostOfUser
        for number in 0..<most { bench.send(Self.event("\(number)")) }
        #expect(bench.send(Self.event("0")).outcome == .played)
        // It takes the place of the oldest, which is 1 now.
        bench.send(Self.event("new"))
        #expect(bench.send(Self.event("2")).reason != .quietHours)
        #expect(bench.send(Self.event("1")).reason == .quietHours)
    }

    @Test("A program that sends many events with new ids displaces its own, not those of other names or users")
    func busyProgram() {
        var bench = Self.quiet()
        var configuration = EngineConfiguration.bench()
        configuration.eventRules = [
            EventRule(match: Glob("*"), feedback: RuleFeedback(pattern: "success", feedbackClass: .notification))
        ]
        bench.take(.configuration(configuration))
        for user in 1000...1001 as ClosedRange<UInt32> { bench.send(Self.event("mum", user, name: "call.ringing")) }
        for number in 0..<2 * RepetitionTable.mostEvents { bench.send(Self.event("\(number)", name: "message.new")) }
        for user in 1000...1001 as ClosedRange<UInt32> {
            bench.run(for: .seconds(1))
            #expect(bench.send(Self.event("mum", user, name: "call.ringing")).reason != .quietHours, "\(user)")
        }
        // Of many users, too, no more than there is room for.
        for user in 2000..<2000 + UInt32(RepetitionTable.mostEvents) { bench.send(Self.event("mum", user)) }
        #expect(bench.send(Self.event("mum", 2000)).reason != .quietHours)
        #expect(bench.send(Self.event("mum", 1001, name: "call.ringing")).reason == .quietHours)
    }

    @Test("The search for an event is charged to the line")
    func cost() {
        var bench = Self.quiet()
        for number in 0..<100 { bench.send(Self.event("\(number)")) }
        for (units, reason) in [(199, Reason.quota), (100_000, .quietHours)] {
            bench.take(.batch([Self.event("new")], work: WorkBudget(units)))
            #expect(bench.decisions.last?.reason == reason)
            #expect(bench.decisions.last?.policy?.objection == .quietHours)
        }
    }

    /// Felt with nothing else said: exactly where no hours contain now, or each of those that do excepts it.
    @Test("A play is felt if each of the hours lets it pass", arguments: [1, 2, 3] as [UInt64])
    func property(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let hours = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                let days = Set(Weekday.allCases.filter { _ in Bool.random(using: &random) })
                let classes = Set(FeedbackClass.allCases.filter { _ in Bool.random(using: &random) })
                return QuietHours(
                    days: days, from: TimeOfDay(minutes: Int.random(in: 0...1440, using: &random))!,
                    to: TimeOfDay(minutes: Int.random(in: 0...1440, using: &random))!, except: .init(classes: classes))
            }
            let time = LocalTime(.mon, second: Int.random(in: 0..<7 * 86_400, using: &random))
            var bench = Bench()
            bench.take(.localTime(time))
            bench.send([.change(SettingsChange(quietHours: .set(hours)))])
            let feedbackClass = FeedbackClass.allCases.randomElement(using: &random)!
            let passes = hours.allSatisfy { !$0.contains(time) || $0.except.classes.contains(feedbackClass) }
            #expect((bench.play("soft", feedbackClass).outcome == .played) == passes)
        }
    }
}
