// SPDX-License-Identifier: MIT
import HapticCore
import HapticText

/// A setting as a scenario has it, such as `strength 50%`, `class texture 0%`, `app org.mail 80%`, `profile quiet`, `off`, `off 3600s`,
/// `quiet 22:00-07:00 mon,tue except alarm app:org.clock repeated`, `quiet none`; or `restore` and which.
struct SettingWords {
    struct Mistake: Error {
        let message: String
        init(_ message: String) { self.message = message }
    }

    private var change = SettingsChange()
    private var off: Nanoseconds?

    init(_ words: inout Words) throws(Mistake) {
        let isRestored = words.take { $0 == "restore" } != nil
        let key = words.take() ?? ""
        switch key {
        case "profile": change.profile = isRestored ? .restore : .set(try Self.choice(&words, "a profile"))
        case "strength": change.strength = try Self.strength(&words, isRestored)
        case "class":
            change.classes = .set([try Self.choice(&words, "a class"): try Self.strength(&words, isRestored)])
        case "app":
            guard let app = words.take() else { throw Mistake("`app` needs a name") }
            change.apps = .set([Text(app): try Self.strength(&words, isRestored)])
        case "quiet": change.quietHours = isRestored ? .restore : .set(try Self.quietHours(&words))
        case "off":
            change.off = isRestored ? .restore : .set(.forGood)
            if !isRestored, let text = words.take() {
                guard let time = Nanoseconds(unitText: text) else { throw Mistake("`off` needs a time such as `60s`, or none") }
                off = time
            }
        default: throw Mistake("there is no setting `\(key)`")
        }
        guard words.isEmpty else { throw Mistake("what is `\(words.all)` behind it?") }
    }

    func change(at now: MonotonicInstant) -> SettingsChange {
        var change = change
        if let off { change.off = .set(.until(now + off)) }
        return change
    }

    private static func choice<Value: RawRepresentable<String>>(_ words: inout Words, _ what: String) throws(Mistake) -> Value {
        guard let value = words.take().flatMap({ Value(rawValue: $0) }) else { throw Mistake("expected \(what)") }
        return value
    }

    private static func strength(_ words: inout Words, _ isRestored: Bool) throws(Mistake) -> SettingsChange.Change<Strength> {
        if isRestored { return .restore }
        guard let text = words.take(), text.hasSuffix("%"), let strength = Double(text.dropLast()).flatMap({ Strength($0 / 100) })
        else { throw Mistake("expected a strength such as `50%`") }
        return .set(strength)
    }

    private static func quietHours(_ words: inout Words) throws(Mistake) -> [QuietHours] {
        guard words.take(if: { $0 == "none" }) == nil else { return [] }
        var all: [QuietHours] = []
        repeat {
            let times = (words.take() ?? "").split(separator: "-").compactMap { TimeOfDay($0) }
            guard times.count == 2 else { throw Mistake("expected hours such as `22:00-07:00`") }
            var hours = QuietHours(from: times[0], to: times[1])
            if let days = words.take(if: { $0 != "except" && $0 != "and" }) {
                hours.days = Set(days.split(separator: ",").compactMap { Weekday(rawValue: String($0)) })
            }
            if words.take(if: { $0 == "except" }) != nil {
                while let what = words.take(if: { $0 != "and" }) {
                    if what.hasPrefix("app:") {
                        hours.except.apps.insert(Text(what.dropFirst(4)))
                    } else if what == "repeated" {
                        hours.except.repeated = true
                    } else if let feedbackClass = FeedbackClass(rawValue: what) {
                        hours.except.classes.insert(feedbackClass)
                    } else {
                        throw Mistake("nothing is excepted by `\(what)`")
                    }
                }
            }
            all.append(hours)
        } while words.take { $0 == "and" } != nil
        return all
    }
}
