// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticCore
import HapticEngine
import HapticTerminal
import HapticWire

struct Cancel: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Stop what is playing.",
        discussion: """
            Examples:

              hapticctl cancel upload
              hapticctl cancel --playback 17
              hapticctl cancel --all --immediate
              hapticctl cancel call --mode advance

            What is being felt fades out within 50 ms, or with --immediate is off at once. With --mode advance a phase that lasts `until: advanced` ends, and the next one begins; nothing else is stopped.
            With --until-resumed the answer comes when every output is off, and nothing begins until the machine has slept, ten seconds at most: for what puts it to sleep, as root.
            """)

    @Argument(help: "What this source is playing.", completion: .source, transform: Values.id)
    var id: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("This playback, as `play` and `monitor` show it.", valueName: "n"),
        completion: .playback, transform: Values.playback)
    var playback: PlaybackID?

    @Flag(help: "Everything.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "graceful fades out, immediate is off at once, advance ends a phase. (default: graceful)",
            valueName: "graceful|immediate|advance"),
        completion: .words(CancelMode.self), transform: Values.choice)
    var mode: CancelMode?

    @Flag(help: "Off at once, without fading out: as --mode immediate.")
    var immediate = false

    @Flag(help: "With --all: off at once, and nothing begins until the machine has slept.")
    var untilResumed = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard [id != nil, playback != nil, all].count(where: { $0 }) == 1 else {
            throw ValidationError("say what to stop: one of an ID, --playback N and --all")
        }
        guard !untilResumed || all else { throw ValidationError("--until-resumed is for everything; add --all") }
        guard !untilResumed || (!immediate && mode == nil) else {
            throw ValidationError("--until-resumed is off at once, too; leave out --immediate and --mode")
        }
        guard !immediate || mode == nil else {
            throw ValidationError("--immediate is --mode immediate; give one of them")
        }
    }

    func run() throws {
        let console = common.console()
        let target: CancelTarget = id.map { .source(id: $0) } ?? playback.map { .playback($0) } ?? .all
        let mode = mode ?? (immediate ? .immediate : .graceful)
        let params = untilResumed ? .untilResumed : CancelParams(target, mode: mode)
        let result = try common.connect().call(params)
        try console.writeJSON(result)
        try console.say(Self.words(result, mode, untilResumed: untilResumed))
        try console.flush()
    }

    static func words(_ result: CancelResult, _ mode: CancelMode = .graceful, untilResumed: Bool) -> String {
        let (none, done) = mode == .advance ? ("nothing was waiting for it", "advanced") : ("nothing was playing", "cancelled")
        let ended = result.cancelled == 0 ? none : "\(Words.count(result.cancelled, "playback")) \(done)"
        guard untilResumed else { return ended }
        return "\(ended), and every output is off; nothing begins until the machine has slept, 10 s at most"
    }
}

struct Prepare: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make patterns ready, so that the first one is not late.",
        discussion: """
            Example:

              hapticctl prepare soft success
            """)

    @Argument(help: "Names of patterns.", completion: .patternName, transform: Values.name)
    var patterns: [String]

    @OptionGroup var common: CommonOptions

    func run() throws {
        let console = common.console()
        let result = try common.connect().call(PrepareParams(patterns: patterns))
        try console.writeJSON(result)
        let time = result.readyForMs.map { "for \(Words.time(milliseconds: $0))" } ?? "until the configuration changes"
        let actuators = result.actuators.isEmpty ? "no actuator is there" : "on \(result.actuators.joined(separator: ", "))"
        if !result.patterns.isEmpty { try console.say("ready \(time) \(actuators): \(result.patterns.joined(separator: ", "))") }
        let others = patterns.filter { !result.patterns.contains($0) }
        if !others.isEmpty {
            let why = result.actuators.isEmpty ? actuators : "a device has no room; they are played all the same"
            try console.say("not ready: \(others.joined(separator: ", ")) (\(why))")
        }
        try console.flush()
    }
}

struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Show or set how much is felt.",
        discussion: """
            Examples:

              hapticctl profile
              hapticctl profile quiet
              hapticctl profile default

            full: everything. quiet: only what is important, at half strength. reduced: light ticks in place of long effects. silent: nothing, unless the configuration says otherwise. What is set here goes before the configuration, after a reload and a restart, too, until it is set again; `default` gives the configuration its say again. `hapticctl settings` shows what people have set.
            """)

    @Argument(
        help: ArgumentHelp("full, quiet, reduced or silent; or `default`: as the configuration says.", valueName: "name"),
        completion: .list(Profile.allCases.map(\.rawValue) + ["default"]), transform: Values.profile)
    var name: NewSettings.Change<Profile>?

    @OptionGroup var common: CommonOptions

    func run() throws {
        let client = try common.connect()
        if let name {
            var settings = NewSettings()
            settings.profile = name
            return try SettingsQuestion(common: common).set(client, settings) {
                name == .restore ? "\($0.profile.value.rawValue) (configured)" : $0.profile.value.rawValue
            }
        }
        let console = common.console()
        let result = try client.settings()
        try console.writeJSON(result)
        try console.say(result.profile.value.rawValue)
        try console.flush()
    }
}

struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Let the daemon read its configuration again.",
        discussion: """
            Example:

              hapticctl reload

            Where there are errors the old configuration stays in force. They are shown to root, to the user that hapticd runs as and to whom `access: reload` of the configuration names; others see how many there are, and hapticd's log has them.
            """)

    @OptionGroup var common: CommonOptions

    func run() throws {
        let console = common.console()
        let result: ReloadResult
        do throws(ClientError) {
            result = try common.connect().call(ReloadParams())
        } catch {
            guard case .refused(let error) = error, console.isJSON, error.data?.diagnostics != nil else { throw error }
            for text in error.data?.diagnostics ?? [] { try console.writeJSON(Problem(text: text)) }
            try console.flush()
            throw Failure(error)
        }
        try console.writeJSON(result)
        let unchanged =
            result.isBuiltIn
            ? "there is no configuration file, so the built-in configuration stays; start hapticd with --config FILE, or put one at \(ConfigurationFile.standardPath)"
            : "nothing has changed"
        if !result.changed.isEmpty {
            try console.say("changed: \(result.words)")
            if result.isBuiltIn {
                try console.say(
                    "there is no \(ConfigurationFile.standardPath) any more, so the built-in configuration is in force now; put the file back and reload to undo that"
                )
            }
        } else if result.needsRestart.isEmpty {
            try console.say(unchanged)
        }
        for part in result.needsRestart { try console.say("\(part): its change takes effect when hapticd is started again") }
        try console.flush()
    }
}
