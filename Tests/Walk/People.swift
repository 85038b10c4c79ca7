// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import TestSupport

/// What people set at random while a seed is walked, and whether the engine keeps to it. By an arithmetic of its own.
///
/// With random numbers of its own, too, so that a seed without it does what it did before there was such a thing.
struct People {
    enum Act {
        case change(SettingsChange)
        case clock(LocalTime)
    }

    private static let week: Int64 = 7 * 86_400 * 1_000_000_000

    /// Half of the seeds have nobody who sets anything.
    let areThere: Bool
    private var random: SplitMix64
    /// Nanoseconds: until then it is off.
    private var offUntil: Int64 = 0
    private var strength = 1.0
    private var classes: [FeedbackClass: Double] = [:]
    private var hours: [QuietHours] = []
    /// Of the week, at instant 0.
    private var weekAtStart: Int64?

    init(seed: UInt64) {
        random = SplitMix64(seed: seed ^ 0x0070_656f_706c_6500)
        areThere = random.next() % 2 == 0
    }

    // MARK: What they do

    /// Nil: nothing.
    mutating func act(at now: MonotonicInstant) -> Act? {
        guard areThere, chance(4) else { return nil }
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            let length = Nanoseconds.milliseconds([0, 50, 800, 60_000].randomElement(using: &random)!)
            return .change(SettingsChange(off: .set(chance(4) ? .forGood : .until(now + length))))
        case 1, 2, 3: return .change(SettingsChange(off: .restore))
        case 4: return .change(SettingsChange(strength: chance(2) ? .restore : .set(someStrength())))
        case 5:
            let name = FeedbackClass.allCases.randomElement(using: &random)!
            return .change(
                SettingsChange(classes: chance(3) ? .restore : .set([name: chance(3) ? .restore : .set(someStrength())])))
        case 6:
            let app = Text("app \(Int.random(in: 0..<3, using: &random))")
            return .change(SettingsChange(apps: .set([app: chance(3) ? .restore : .set(someStrength())])))
        case 7, 8: return .change(SettingsChange(quietHours: chance(2) ? .restore : .set((0..<2).map { _ in someHours() })))
        default: return .clock(LocalTime(.mon, second: Int.random(in: 0..<7 * 86_400, using: &random)))
        }
    }

    /// What a client says of itself with its input.
    mutating func claim(_ item: BatchItem) -> BatchItem {
        guard areThere, case .input(var input) = item, chance(2) else { return item }
        input.app = "app \(Int.random(in: 0..<3, using: &random))"
        input.client.maySpeakFor = chance(2)
        input.client.mayAlarm = chance(2)
        return .input(input)
    }

    /// Where in a batch of `count` items they come.
    mutating func place(in count: Int) -> Int { Int.random(in: 0...count, using: &random) }

    static let restored = SettingsChange(
        profile: .set(.full), strength: .restore, classes: .restore, apps: .restore, quietHours: .restore, off: .restore)

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    /// At most 1: beyond, a shape loses its form.
    private mutating func someStrength() -> Strength { Strength([0, 0.25, 0.5, 1].randomElement(using: &random)!)! }

    private mutating func someHours() -> QuietHours {
        QuietHours(
            days: Set(Weekday.allCases.filter { _ in chance(2) }),
            from: TimeOfDay(minutes: Int.random(in: 0...1440, using: &random))!,
            to: TimeOfDay(minutes: Int.random(in: 0...1440, using: &random))!,
            except: .init(classes: chance(2) ? [.alarm] : [], repeated: false))
    }

    // MARK: What has to come of it

    /// The machine slept for so long.
    mutating func slept(_ time: Nanoseconds) {
        if offUntil != .max { offUntil -= time.count }
        if let start = weekAtStart { weekAtStart = start + time.count }
    }

    mutating func hasSet(_ time: LocalTime, at now: MonotonicInstant) {
        weekAtStart = (Int64(time.weekday.index) * 86_400 + Int64(time.second)) * 1_000_000_000 - now.nanoseconds
    }

    /// What is wrong with what came of `batch`; nil: nothing.
    mutating func complaint(of batch: [BatchItem], _ results: [ItemResult], at now: MonotonicInstant) -> String? {
        for (item, result) in zip(batch, results) {
            switch (item, result) {
            case (.change(let change), .changed): take(change)
            case (.input, .decided(let decision, _)):
                let mayBegin = decision.playback == nil || decision.feedbackClass.map { mayBeFelt($0, at: now) } ?? false
                if !mayBegin { return "it began against people's will: \(decision)" }
            default: break
            }
        }
        return nil
    }

    func isOff(_ now: MonotonicInstant) -> Bool { now.nanoseconds < offUntil }

    private mutating func take(_ change: SettingsChange) {
        switch change.off {
        case .set(.forGood): offUntil = .max
        case .set(.until(let end)): offUntil = end.nanoseconds
        case .restore: offUntil = 0
        case nil: break
        }
        if let new = change.strength { strength = Self.value(new) }
        switch change.classes {
        case .restore: classes = [:]
        case .set(let entries): for (name, new) in entries { classes[name] = Self.value(new) }
        case nil: break
        }
        switch change.quietHours {
        case .restore: hours = []
        case .set(let new): hours = new
        case nil: break
        }
    }

    private static func value(_ change: SettingsChange.Change<Strength>) -> Double {
        if case .set(let strength) = change { strength.value } else { 1 }
    }

    func mayBeFelt(_ name: FeedbackClass, at now: MonotonicInstant) -> Bool {
        if isOff(now) || strength == 0 || classes[name] == 0 { return false }
        guard let weekAtStart else { return true }
        let instant = weekAtStart + now.nanoseconds
        return !hours.contains { Self.contains($0, instant) && !$0.except.classes.contains(name) }
    }

    /// Whether one of the stretches of `hours` in a week has `instant`.
    private static func contains(_ hours: QuietHours, _ instant: Int64) -> Bool {
        let minute: Int64 = 60_000_000_000
        var length = Int64(hours.to.minutes - hours.from.minutes)
        if length <= 0 { length += 1440 }
        return hours.days.contains { day in
            let start = Int64(day.index * 1440 + hours.from.minutes) * minute
            let after = ((instant - start) % week + week) % week
            return after < length * minute
        }
    }
}
