// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticText

extension Settings {
    /// What the configuration and the stored file say alike.
    public static let keys: [Key<Settings>] = [
        .optional(
            "strength", .strength, default: "1",
            "the factor for all intensities, which are 1 at most; a result below 0.05 % is not felt"
        ) { $0.strength = $1 },
        .optional("classes", .object(classKeys, into: [:]), "strengths by class") { $0.classes = $1 },
        .optional("apps", .map(of: .strength, count: Limit.apps), "strengths by app, under the name that the app gives itself") {
            $0.apps = $1
        },
        .optional("quietHours", .allQuietHours, "times of the week without feedback, except the exceptions") {
            $0.quietHours = $1
        },
    ]

    private static let classKeys: [Key<[FeedbackClass: Strength]>] = FeedbackClass.allCases.map { name in
        .optional(name.rawValue, .strength, default: "1", "the strength of this class") { $0[name] = $1 }
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
        .optional(
            "days", .distinct(.choice(of: Weekday.self, "day"), count: 1...7), default: "all", "the days on which the time begins"
        ) { $0.days = $1 },
        .required("from", .timeOfDay, "the begin, 00:00…24:00 by the clocks of the daemon's time zone") { $0.from = $1 },
        .required("to", .timeOfDay, "the end; on the next day if it is not later than `from`") { $0.to = $1 },
        .optional("except", .object(exceptionKeys, into: .init()), "the feedback that is not suppressed") { $0.except = $1 },
    ]

    private static let exceptionKeys: [Key<QuietHours.Exceptions>] = [
        .optional("classes", .distinct(.choice(of: FeedbackClass.self, "class"), count: 0...4), "the excepted classes") {
            $0.classes = $1
        },
        .optional(
            "apps", .distinct(.name(), count: 0...Settings.Limit.exceptedApps),
            "the excepted apps, of clients that may speak for apps; at most \(Settings.Limit.exceptedAppsInAll) in all quiet hours"
        ) { $0.apps = $1 },
        .optional(
            "repeated", .boolean, default: "false",
            "`true`: an event that comes for the second time within 15 minutes, with the same name and id, of the same user and scope"
        ) { $0.repeated = $1 },
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
