// SPDX-License-Identifier: MIT
import HapticCore
import TestSupport
import Testing

@testable import HapticEngine

@Suite("Quiet hours")
struct QuietHoursLinkTests {
    private static let door = ClientIdentity(connection: 7, user: 7, maySpeakFor: true)

    private static func hours(_ from: String, _ to: String, except: QuietHours.Exceptions = .init()) -> QuietHours {
        QuietHours(from: TimeOfDay(from)!, to: TimeOfDay(to)!, except: except)
    }

    private static func quiet(_ hours: [QuietHours], at day: Weekday = .mon, _ time: String = "23:00") -> Bench {
        var bench = Bench()
        bench.take(.localTime(LocalTime(day, second: TimeOfDay(time)!.seconds)))
        bench.send([.change(SettingsChange(quietHours: .set(hours)))])
        return bench
    }

    private static func event(_ id: String?, _ user: UInt32 = 1000, name: String = "payment.succeeded") -> BatchItem {
        .event(name, id: id, at: .distantFuture, client: ClientIdentity(connection: UInt64(user), user: user))
    }

    @Test("In quiet hours nothing is felt, and the decision says of which and by whose word")
    func refused() {
        let night = Self.hours("22:00", "07:00")
        var bench = Self.quiet([Self.hours("09:00", "10:00"), night])
        let decision = bench.play("soft", .alarm)
        #expect((decision.outcome, decision.reason) == (.suppressed, .quietHours))
        #expect(
            decision.policy
                == PolicyPath(
                    profile: .full, objection: .quietHours,
                    settings: [AppliedSetting(.quietHours(night, exception: nil), by: .settings)]))
        var configuration = EngineConfiguration.bench()
        configuration.settings.quietHours = [night]
        bench.take(.configuration(configuration))
        bench.send([.change(SettingsChange(quietHours: .restore))])
        #expect(bench.play("soft").policy?.settings.map(\.layer) == [.configuration])
        bench.send([.change(SettingsChange(quietHours: .set([])))])
        #expect(bench.play("soft").outcome == .played, "none are set, and that takes the place of those that are configured")
    }

    @Test("They begin and end by the time that passes, across midnight, and what plays goes on to its end")
    func time() {
        var bench = Self.quiet([Self.hours("22:00", "07:00")], at: .sun, "21:59")
        bench.run(until: .ms(59_500))
        let begun = bench.play("long", .interaction)
        #expect(begun.outcome == .played)
        bench.run(until: .ms(60_000))
        #expect(bench.play("soft", .alarm).reason == .quietHours)
        bench.run(for: .seconds(2))
        #expect(bench.ends == [PlaybackEnd(playback: begun.playback!, ending: .completed, reason: nil, at: .ms(60_500))])
        bench.run(until: .ms(60_000) + .seconds(9 * 3600) - Nanoseconds(1))
        #expect(bench.play("soft").reason == .quietHours)
        bench.run(for: Nanoseconds(1))
        #expect(bench.play("soft").outcome == .played)
    }

    @Test("Until somebody says what time it is no hours are quiet")
    func unknown() {
        var bench = Bench()
        bench.send([.change(SettingsChange(quietHours: .set([.always])))])
        #expect(bench.play("soft").outcome == .played)
        bench.take(.localTime(LocalTime(.mon, second: 0)))
        #expect(bench.play("soft").reason == .quietHours)
    }

    @Test("Clocks that jump take the hours with them, and the time asleep counts")
    func jumps() {
        var bench = Self.quiet([Self.hours("22:00", "07:00")])
        func isQuiet() -> Bool { bench.play("soft", .alarm).reason == .quietHours }
        #expect(isQuiet())
        bench.take(.localTime(LocalTime(.tue, second: 12 * 3600)))
        #expect(!isQuiet())
        bench.take(.localTime(LocalTime(.mon, second: 0)))
        #expect(isQuiet())
        bench.take(.slept(.seconds(7 * 3600 - 1)))
        #expect(isQuiet())
        bench.run(for: .seconds(1))
        #expect(!isQuiet())
        // A week later it is the same time again.
        bench.run(for: .seconds(7 * 86_400))
        #expect(!isQuiet())
        bench.run(for: .seconds(15 * 3600))
        #expect(isQuiet())
    }

    @Test("An excepted class is felt, an app only where its client may speak for it; the decision says why")
    func exceptions() {
        let night = Self.hours("22:00", "07:00", except: .init(classes: [.alarm], apps: ["org.clock"]))
        var bench = Self.quiet([night])
        func play(_ feedbackClass: FeedbackClass, app: String?, client: ClientIdentity) -> Decision {
            let play = PlayInput(pattern: PlayablePattern.bench["soft"]!, feedbackClass: feedbackClass)
            bench.run(for: .seconds(1))
            return bench.send(.input(Input(client: client, app: app, at: bench.now, kind: .play(play))))
        }
        let alarm = play(.alarm, app: nil, client: Bench.ada)
        #expect(alarm.outcome == .played)
        #expect(alarm.policy?.settings == [AppliedSetting(.quietHours(night, exception: .feedbackClass), by: .settings)])
        #expect(play(.interaction, app: "org.clock", client: Bench.ada).reason == .quietHours)
        #expect(play(.interaction, app: "org.Clock", client: Self.door).reason == .quietHours)
        let app = play(.interaction, app: "org.clock", client: Self.door)
        #expect(app.outcome == .played)
        #expect(app.policy?.settings == [AppliedSetting(.quietHours(night, exception: .app), by: .settings)])
    }

    @Test("Where quiet hours overlap, each of them has to except it, and the one that does not is named")
    func overlapping() {
        let (outer, inner) = (
            Self.hours("22:00", "07:00", except: .init(classes: [.alarm, .notification])),
            Self.hours("23:00", "24:00", except: .init(classes: [.alarm]))
        )
        for hours in [[outer, inner], [inner, outer]] {
            var bench = Self.quiet(hours)
            #expect(bench.play("soft", .alarm).policy?.settings.count == 2)
            bench.run(for: .seconds(1))
            let silenced = bench.play("soft", .notification)
            #expect(silenced.reason == .quietHours)
            #expect(silenced.policy?.settings == [AppliedSetting(.quietHours(inner, exception: nil), by: .settings)])
            bench.run(for: .seconds(3600))
            #expect(bench.play("soft", .notification).outcome == .played)
        }
    }

    @Test("Of many hours at once that except it, the decision notes the first two only, and it is felt only where all do")
    func many() {
        let except = QuietHours.Exceptions(classes: [.alarm])
        let all = (0..<Settings.Limit.quietHours).map {
            QuietHours(from: TimeOfDay(minutes: $0)!, to: TimeOfDay("24:00")!, except: except)
        }
        var bench = Self.quiet(all)
        let felt = bench.play("soft", .alarm)
        let noted = all.prefix(2).map { AppliedSetting(.quietHours($0, exception: .feedbackClass), by: .settings) }
        #expect(felt.outcome == .played && felt.policy?.settings == noted)
        bench.send([.change(SettingsChange(quietHours: .set(all.dropLast() + [Self.hours("22:00", "07:00")])))])
        bench.run(for: .seconds(1))
        #expect(bench.play("soft", .alarm).reason == .quietHours, "the last one does not")
    }

    @Test("An event that is repeated within 15 minutes is felt: of the same user, with the same name and id")
    func repeated() {
        var bench = Self.quiet([Self.hours("22:00", "07:00", except: .init(repeated: true))])
        func isFelt(_ item: BatchItem) -> Bool {
            bench.run(for: .seconds(1))
            return bench.send(item).outcome == .played
        }
        #expect(!isFelt(Self.event("mum")))
        #expect(!isFelt(Self.event("dad")))
        #expect(!isFelt(Self.event("mum", 1001)))
        #expect(!isFelt(Self.event(nil)))
        #expect(!isFelt(Self.event("")), "an empty id is an id")
        #expect(isFelt(Self.event("mum")) && isFelt(Self.event("mum")))
        #expect(isFelt(Self.event(nil)))
        #expect(!isFelt(.play("soft", id: "mum", at: .distantFuture)))
        #expect(!isFelt(.play("soft", id: "mum", at: .distantFuture)), "a play is no event")
        bench.run(for: QuietHours.repetitionWindow - .seconds(1))
        #expect(!isFelt(Self.event("dad")))
        bench.run(for: QuietHours.repetitionWindow - .seconds(1))
        #expect(isFelt(Self.event("dad")), "exactly 15 minutes later")
        bench.take(.slept(QuietHours.repetitionWindow))
        #expect(!isFelt(Self.event("dad")), "one second more, asleep")
    }

    @Test("An event that came before the hours began counts for one that comes in them")
    func before() {
        var bench = Self.quiet([Self.hours("22:00", "07:00", except: .init(repeated: true))], at: .mon, "21:59")
        #expect(bench.send(Self.event("mum")).outcome == .played)
        bench.run(for: .seconds(60))
        let second = bench.send(Self.event("mum"))
        #expect(second.outcome == .played && second.policy?.settings.count == 1)
    }

    @Test("Of repeated events no more are remembered than there is room for; the oldest goes")
    func bounded() {
        var bench = Self.quiet([Self.hours("22:00", "07:00", except: .init(repeated: true))])
        let most = RepetitionTable.mostOfUser
        for number in 0..<most { bench.send(Self.event("\(number)")) }
        #expect(bench.send(Self.event("0")).outcome == .played)
        // It takes the place of the oldest, which is 1 now.
        bench.send(Self.event("new"))
        #expect(bench.send(Self.event("2")).reason != .quietHours)
        #expect(bench.send(Self.event("1")).reason == .quietHours)
    }

    @Test("However many events with ever other ids one program sends, those of others are remembered, of the same user or not")
    func busyProgram() {
        var bench = Self.quiet([Self.hours("22:00", "07:00", except: .init(repeated: true))])
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

    @Test("To look for an event is taken from what the line may cost")
    func cost() {
        var bench = Self.quiet([Self.hours("22:00", "07:00", except: .init(repeated: true))])
        for number in 0..<100 { bench.send(Self.event("\(number)")) }
        for (units, reason) in [(199, Reason.quota), (100_000, .quietHours)] {
            bench.take(.batch([Self.event("new")], work: WorkBudget(units)))
            #expect(bench.decisions.last?.reason == reason && bench.decisions.last?.policy?.objection == .quietHours)
        }
    }

    /// Felt with nothing else said: exactly where no hours contain now, or each of those that do excepts it.
    @Test("What is felt is what each of the hours lets pass", arguments: [1, 2, 3] as [UInt64])
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
