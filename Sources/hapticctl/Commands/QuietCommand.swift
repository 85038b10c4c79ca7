// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticCore
import HapticTerminal
import HapticWire

struct QuietCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quiet",
        abstract: "Set the hours of the week in which nothing is felt.",
        discussion: """
            Examples:

              hapticctl quiet 22:00-07:00 --except-class alarm
              hapticctl quiet 22:00-07:00 --days mon,tue --except-app org.gnome.clocks
              hapticctl quiet 23:00-09:00 --days fri,sat --add
              hapticctl quiet none

            The hours take the place of those before; with --add they come to them, also where others add some at the same time. Days are those on which the hours begin; 22:00-07:00 ends on the day after. --except-repeated lets an event through that comes again within 15 minutes, with the same name and id. `none` is no quiet hours, `default` those of the configuration; without hours the present ones are shown.
            """)

    @Argument(
        help: ArgumentHelp("Such as 22:00-07:00; or `none`, or `default`.", valueName: "hours"),
        completion: .list(["none", "default"]))
    var hours: [String] = []

    @Option(
        help: ArgumentHelp("On which days, with commas between: mon,tue,wed,thu,fri,sat,sun. (default: all)", valueName: "days"),
        transform: Values.days)
    var days: Set<Weekday>?

    @Option(
        help: ArgumentHelp("This class is felt all the same.", valueName: "class"), completion: .words(FeedbackClass.self),
        transform: Values.choice)
    var exceptClass: [FeedbackClass] = []

    @Option(
        help: ArgumentHelp("This app is felt all the same.", valueName: "name"), completion: .app, transform: Values.app)
    var exceptApp: [String] = []

    @Flag(help: "What comes again within 15 minutes is felt all the same.")
    var exceptRepeated = false

    @Flag(help: "Keep the hours that there are, and add these.")
    var add = false

    @OptionGroup var common: CommonOptions

    private enum Wish {
        case show, none, restore
        case hours([QuietHours])
    }

    func validate() throws { _ = try wish() }

    private func wish() throws -> Wish {
        let hasDetails = days != nil || !exceptClass.isEmpty || !exceptApp.isEmpty || exceptRepeated || add
        guard let first = hours.first else {
            if hasDetails { throw ValidationError("say which hours, such as `hapticctl quiet 22:00-07:00`") }
            return .show
        }
        if first == "none" || first == "default" {
            guard hours.count == 1, !hasDetails else { throw ValidationError("`\(first)` stands alone; leave out the rest") }
            return first == "none" ? .none : .restore
        }
        let except = QuietHours.Exceptions(
            classes: Set(exceptClass), apps: Set(exceptApp.map { Text($0) }), repeated: exceptRepeated)
        return .hours(
            try hours.map { text in
                let (from, to) = try Values.hours(text)
                return QuietHours(days: days ?? Set(Weekday.allCases), from: from, to: to, except: except)
            })
    }

    func run() throws {
        let question = SettingsQuestion(common: common)
        let client = try common.connect()
        var settings = NewSettings()
        switch try wish() {
        case .show:
            let console = common.console()
            let result = try client.settings()
            try console.writeJSON(result)
            try console.say(SettingsText.quiet(result))
            return try console.flush()
        case .none: settings.quietHours = .set([])
        case .restore: settings.quietHours = .restore
        case .hours(let new):
            if add { return try self.add(new, question, client) }
            settings.quietHours = .set(new.joined(to: []))
        }
        try question.set(client, settings) { SettingsText.quiet($0) }
    }

    /// Sets `new` beside those that there are.
    private func add(_ new: [QuietHours], _ question: SettingsQuestion, _ client: HapticClient) throws {
        let lock = try FolderLock(besides: client.path)
        let former = try client.settings().quietHours.value
        var settings = NewSettings()
        settings.quietHours = .set(new.joined(to: former))
        try question.set(client, settings) { SettingsText.quiet($0) }
        // Not before the answer.
        _ = consume lock
    }
}

extension [QuietHours] {
    /// These behind `former`, each once.
    fileprivate func joined(to former: Self) -> Self { reduce(into: former) { if !$0.contains($1) { $0.append($1) } } }
}
