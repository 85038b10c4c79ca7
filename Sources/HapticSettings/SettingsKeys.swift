// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticJSON

extension Settings {
    /// What the configuration and the stored file say alike.
    public static let keys: [Key<Settings>] = [
        .optional("strength", .strength, "of everything: each intensity is multiplied by it, and is 1 at most") {
            $0.strength = $1
        },
        .optional("classes", .object(classKeys, into: [:]), "strengths by class") { $0.classes = $1 },
        .optional("apps", .map(of: .strength, count: Limit.apps), "strengths by app, as it names itself") { $0.apps = $1 },
        .optional("quietHours", .allQuietHours, "times in which nothing is felt") { $0.quietHours = $1 },
    ]

    private static let classKeys: [Key<[FeedbackClass: Strength]>] = FeedbackClass.allCases.map { name in
        .optional(name.rawValue, .strength, "of inputs of this class") { $0[name] = $1 }
    }
}

extension Form where Value == [QuietHours] {
    fileprivate static var allQuietHours: Self {
        let (list, most) = (Form.list(of: .quietHours, count: 0...Settings.Limit.quietHours), Settings.Limit.exceptedAppsInAll)
        return Form(list.kind) { field in
            guard let hours = list.read(field) else { return nil }
            guard hours.exceptedApps <= most else {
                field.fail("all of them together except \(hours.exceptedApps) apps; leave at most \(most)")
                return nil
            }
            return hours
        }
    }
}

extension Form where Value == QuietHours {
    static var quietHours: Self {
        .object(QuietHoursDraft.keys, into: QuietHoursDraft()) { draft, _ in
            guard let from = draft.from, let to = draft.to else { return nil }
            return QuietHours(days: draft.days, from: from, to: to, except: draft.except)
        }
    }
}

private struct QuietHoursDraft {
    var days = Set(Weekday.allCases)
    var from, to: TimeOfDay?
    var except = QuietHours.Exceptions()

    static let keys: [Key<Self>] = [
        .optional("days", .distinct(.choice(of: Weekday.self, "day"), count: 1...7), "the days on which it begins; or all") {
            $0.days = $1
        },
        .required("from", .timeOfDay, "from this time on") { $0.from = $1 },
        .required("to", .timeOfDay, "up to this time; on the day after, where it is not later than `from`") { $0.to = $1 },
        .optional("except", .object(exceptionKeys, into: .init()), "what is felt all the same") { $0.except = $1 },
    ]

    private static let exceptionKeys: [Key<QuietHours.Exceptions>] = [
        .optional("classes", .distinct(.choice(of: FeedbackClass.self, "class"), count: 0...4), "these classes") {
            $0.classes = $1
        },
        .optional("apps", .distinct(.name(), count: 0...Settings.Limit.exceptedApps), "these apps, of who may speak for others") {
            $0.apps = $1
        },
        .optional("repeated", .boolean, "an event that comes for the second time within 15 minutes") { $0.repeated = $1 },
    ]
}

extension Form where Value == TimeOfDay {
    fileprivate static var timeOfDay: Self {
        Form(.textLike("22:00", pattern: TimeOfDay.pattern)) { field in
            if case .string(let text) = field.node.content, let time = TimeOfDay(text.string) { return time }
            field.failExpected("a time of the day from 00:00 to 24:00, such as `22:00`")
            return nil
        }
    }
}
