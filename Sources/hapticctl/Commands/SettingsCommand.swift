// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticCore
import HapticTerminal
import HapticText
import HapticWire

extension HapticClient {
    /// Asks the daemon for the settings in force.
    func settings() throws(ClientError) -> SettingsResult {
        try call(SettingsParams())
    }
}

/// Changes what people set, and shows the settings in force afterwards.
struct SettingsQuestion {
    let common: CommonOptions

    /// Sets it. `words` says what is in force now, in a line for people.
    func set(_ client: HapticClient, _ settings: NewSettings, words: (SettingsResult) -> String) throws {
        try show(try client.call(SettingsParams(set: settings)), words: words)
    }

    /// The answer to what was set.
    func show(_ result: SettingsResult, words: (SettingsResult) -> String) throws {
        let console = common.console()
        try console.writeJSON(result)
        try console.say(words(result))
        // Where it could not be stored the answer is an error.
        if !result.now.kept { console.warn(SettingsText.notKept) }
        try console.flush()
    }
}

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show what people have set, and what counts now.",
        discussion: """
            Examples:

              hapticctl settings
              hapticctl settings --reset

            What people set (`strength`, `quiet`, `off`, `profile`) goes before the configuration, outlasts a restart, and stays until it is set again. What counts first: off, then quiet hours, then what people set, then the configuration. --reset forgets all that is set.
            """)

    @Flag(help: "Forget all that is set: the configuration counts again, and feedback is on.")
    var reset = false

    @OptionGroup var common: CommonOptions

    func run() throws {
        let question = SettingsQuestion(common: common)
        let client = try common.connect()
        if reset {
            return try question.set(client, .none) { "nothing is set any more; \(SettingsText.verdict($0))" }
        }
        let console = common.console()
        let result = try client.settings()
        try console.writeJSON(result)
        for line in SettingsText.lines(result) { try console.say(line) }
        try console.flush()
    }
}

extension NewSettings {
    /// Nothing is set.
    static var none: NewSettings {
        var settings = NewSettings()
        settings.profile = .restore
        settings.strength = .restore
        settings.classes = .restore
        settings.apps = .restore
        settings.quietHours = .restore
        settings.off = .restore
        return settings
    }
}

struct StrengthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "strength",
        abstract: "Set how strong feedback is: of all, of a class, of an app.",
        discussion: """
            Examples:

              hapticctl strength 80%
              hapticctl strength --class texture 50%
              hapticctl strength --app org.gnome.clocks 120%
              hapticctl strength --app org.gnome.clocks default

            From 0%, which is nothing, to 150%: every intensity is multiplied by it, and is 100% at most. The strengths of all, of the class and of the app are multiplied. An app is what a client says that it is, so more than 100% counts only for those whom `access: speakFor` of the configuration names.
            """)

    @Argument(
        help: ArgumentHelp("0% to 150%, or `default`: as the configuration says.", valueName: "percent"),
        transform: Values.strength)
    var percent: NewSettings.Change<Strength>

    @Option(
        name: .customLong("class"), help: ArgumentHelp("Only of this class.", valueName: "class"),
        completion: .words(FeedbackClass.self), transform: Values.choice)
    var feedbackClass: FeedbackClass?

    @Option(help: ArgumentHelp("Only of this app.", valueName: "name"), completion: .app, transform: Values.app)
    var app: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard feedbackClass == nil || app == nil else {
            throw ValidationError("--class and --app have a strength each; set one after the other")
        }
    }

    func run() throws {
        var settings = NewSettings()
        if let feedbackClass {
            settings.classes = .set([feedbackClass: percent])
        } else if let app {
            settings.apps = .set([Text(app): percent])
        } else {
            settings.strength = percent
        }
        try SettingsQuestion(common: common).set(try common.connect(), settings, words: words)
    }

    private func words(_ result: SettingsResult) -> String {
        if let feedbackClass {
            return SettingsText.strength(result.classes[Text(feedbackClass.rawValue)], of: "class \(feedbackClass.rawValue)")
        }
        if let app { return SettingsText.strength(result.apps[Text(app)], of: "app \(Words.given(app))") }
        return SettingsText.strength(result.strength, of: "everything")
    }
}

struct OffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "off",
        abstract: "Switch all feedback off, also for a time.",
        discussion: """
            Examples:

              hapticctl off
              hapticctl off for 1h

            What is playing stops at once, alarms too, and nothing is felt until `hapticctl on` or the end of that time. It stays off after a restart.
            """)

    @Argument(help: ArgumentHelp("`for 1h`, `for 30m`; without it until `hapticctl on`.", valueName: "for"))
    var words: [String] = []

    @OptionGroup var common: CommonOptions

    func validate() throws { _ = try time() }

    /// Nil: until it is switched on.
    private func time() throws -> Nanoseconds? {
        guard let first = words.first else { return nil }
        guard first == "for", words.count == 2 else {
            throw ValidationError("write `hapticctl off`, or for how long, such as `hapticctl off for 1h`")
        }
        guard let time = Nanoseconds(unitText: words[1]), time > .zero else {
            throw ValidationError("say for how long, in hours or minutes, such as `hapticctl off for 1h` or `30m`")
        }
        guard time <= Settings.Limit.off else {
            throw ValidationError("off is for 8784h (366 days) at most; leave the time out, or give less")
        }
        return time
    }

    func run() throws {
        var settings = NewSettings()
        settings.off = .set(try time().map { .for($0) } ?? .forGood)
        try SettingsQuestion(common: common).set(try common.connect(), settings) { SettingsText.verdict($0) }
    }
}

struct OnCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Switch feedback on again.",
        discussion: """
            Example:

              hapticctl on
            """)

    @OptionGroup var common: CommonOptions

    func run() throws {
        var settings = NewSettings()
        settings.off = .restore
        try SettingsQuestion(common: common).set(try common.connect(), settings) { SettingsText.verdict($0) }
    }
}
