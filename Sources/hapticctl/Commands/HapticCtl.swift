// SPDX-License-Identifier: MIT
import ArgumentParser
import CLinux
import Glibc
import HapticClient
import HapticTerminal
import HapticText
import HapticWire

@main
enum Program {
    static func main() {
        clinux_occupy_standard_descriptors()
        Signals.endQuietlyOnClosedPipe()
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let number = unreadableArgument() else { exit(run(arguments)) }
        // A shell asks for completions while a person types, and is not to write into that line.
        if arguments.first != "---completion" {
            let failure = Failure("argument \(number) is not valid UTF-8; write it in UTF-8", status: ExitStatus.usage)
            Console.complain(failure, isJSON: wantsJSON(arguments))
        }
        exit(ExitStatus.usage)
    }

    /// The first, from 1 on, that is not UTF-8: what Swift makes of it would be another text.
    private static func unreadableArgument() -> Int32? {
        (1..<max(1, CommandLine.argc)).first { number in
            CommandLine.unsafeArgv[Int(number)].map { String(validatingCString: $0) == nil } ?? false
        }
    }

    /// Runs one command line and returns its exit status.
    static func run(_ arguments: [String]) -> Int32 {
        do {
            var command = try parse(arguments)
            try command.run()
            return ExitStatus.done
        } catch let ended as CommandEnded {
            return ended.status
        } catch {
            // A shell asks, while a person types: a script of another version is no reason to write into that line.
            if arguments.first == "---completion", status(of: error) != ExitStatus.done { return status(of: error) }
            return report(error, arguments)
        }
    }

    /// Whether an error is to be JSON. The parser is not asked: it may be what fails.
    static func wantsJSON(_ arguments: [String]) -> Bool { arguments.prefix { $0 != "--" }.contains("--json") }

    /// The parser would take a mistyped command for an argument too many, or complain of the options behind it.
    static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        let arguments = try commandFirst(arguments).map { $0 == "-V" && !arguments.contains("--") ? "--version" : $0 }
        let isHelp = arguments.first == "help"
        if let name = isHelp ? arguments.dropFirst().first : arguments.first, !name.hasPrefix("-"),
            !HapticCtl.commandNames.contains(name)
        {
            let meant = closestMatch(to: name, in: HapticCtl.commandNames)
            let hint = meant.map { "did you mean `\(isHelp ? "help " : "")\($0)`?" } ?? "`hapticctl --help` lists them"
            throw Failure("there is no command \(quoted(name)); \(hint)", status: ExitStatus.usage)
        }
        // The parser would take its `h` for the help.
        if arguments.first == "off", arguments.contains(where: { $0.first == "-" && $0.dropFirst().first?.isNumber == true }) {
            throw Failure("feedback is off for a time above 0, such as `hapticctl off for 1h`", status: ExitStatus.usage)
        }
        if arguments.first == "play" || arguments.first == "render", let failure = Pulses.negative(in: arguments) {
            throw failure
        }
        if arguments.first == "condition", let failure = ConditionCommand.mistake(in: arguments.dropFirst()) { throw failure }
        return try HapticCtl.parseAsRoot(arguments)
    }

    /// What every command takes may also stand before the command: it is put behind it, where the parser wants it.
    static func commandFirst(_ arguments: [String]) throws(Failure) -> [String] {
        var options: [String] = []
        var rest = arguments[...]
        while let word = rest.first {
            let name = word.prefix { $0 != "=" }
            let takesValue = name == "--socket" || name == "--color"
            guard takesValue || ["--json", "--quiet", "-q"].contains(word) else { break }
            let length = takesValue && name == word ? 2 : 1
            options += rest.prefix(length)
            rest = rest.dropFirst(length)
        }
        guard let last = options.last else { return arguments }
        guard let command = rest.first else {
            throw Failure(
                "no command follows \(quoted(last)); write one, as in `hapticctl --socket PATH status`", status: ExitStatus.usage)
        }
        // Help, the version and what only the parser knows need none of them.
        if command.hasPrefix("-") || command == "help" { return Array(rest) }
        return [command] + options + rest.dropFirst()
    }

    static func status(of error: any Error) -> Int32 {
        isRequest(error) ? ExitStatus.done : failure(error).status
    }

    /// Whether it is no error, but help, the version or a script for a shell that the parser was asked for.
    private static func isRequest(_ error: any Error) -> Bool {
        !(error is Failure || error is ClientError) && HapticCtl.exitCode(for: error) == .success
    }

    static func failure(_ error: any Error) -> Failure {
        if let failure = (error as? Failure) ?? (error as? ClientError).map(Failure.init) { return failure }
        // What the parser says quotes the command line only, so its line ends are taken for its own.
        let message = HapticCtl.fullMessage(for: error, columns: Terminal.helpWidth)
        let mark = "Error: "
        let lines = (message.hasPrefix(mark) ? message.dropFirst(mark.count) : message[...]).split(separator: "\n").map(
            String.init)
        var failure = Failure(lines: lines, status: ExitStatus.usage)
        failure.details = failure.details.map { String($0.drop { $0 == " " }) }
        return failure
    }

    private static func report(_ error: any Error, _ arguments: [String]) -> Int32 {
        guard isRequest(error) else {
            let failure = failure(error)
            Console.complain(failure, isJSON: wantsJSON(arguments))
            return failure.status
        }
        let message = HapticCtl.fullMessage(for: error, columns: Terminal.helpWidth)
        do throws(Failure) {
            if arguments.first != "---completion", message == HapticVersion.current {
                let console = Console(isJSON: wantsJSON(arguments))
                try Versions(socket: CommandWords(arguments).value(of: "--socket")).show(console)
            } else {
                try Outlet.write(Array((message + "\n").utf8), to: STDOUT_FILENO)
            }
            return ExitStatus.done
        } catch {
            Console.complain(error, isJSON: wantsJSON(arguments))
            return error.status
        }
    }
}

struct HapticCtl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hapticctl",
        abstract: "Play, watch and control haptic feedback.",
        discussion: """
            hapticctl talks to hapticd, which drives the vibration motors and lights of this board. Start with:

              hapticctl play soft --steps 75
              hapticctl monitor

            Without a daemon or a motor, the same runs in virtual time, and what would be felt is drawn:

              hapticctl play soft --steps 75 --simulate

            A `play` that is suppressed or fails exits with 1; one that a motor is too weak for was sent, and exits with 0. An `event` or `progress` that is not felt still exits with 0: the rules decided. One that failed, because no actuator is there for example, exits with 1. A `hold` that is released before it is confirmed exits with 1; `task ID -- COMMAND` and `condition NAME -- COMMAND` exit as COMMAND does.

            -V is --version, which also says which hapticd answers. Exit status: 0 done, 1 refused or failed, 2 wrong usage, 3 no daemon that answers, 130 after Ctrl-C, 143 after SIGTERM; after Ctrl-C `monitor` and `status --watch` end with 0, and `hold`, also after Ctrl-Z, as after Enter; `condition NAME` also ends with 0 after SIGTERM. With a COMMAND, `task` and `condition` end with 127 where there is no such command, and with 126 where it may not be run. With --json an error is one JSON text, too.
            """,
        version: HapticVersion.current,
        groupedSubcommands: [
            CommandGroup(
                name: "Feedback",
                subcommands: [
                    Play.self, ProgressCommand.self, Release.self, Event.self, ChargeCommand.self, Present.self, HoldCommand.self,
                    TaskCommand.self,
                ]),
            CommandGroup(name: "Control", subcommands: [Cancel.self, Prepare.self, ConditionCommand.self, Reload.self]),
            CommandGroup(
                name: "What people set",
                subcommands: [
                    SettingsCommand.self, StrengthCommand.self, QuietCommand.self, OffCommand.self, OnCommand.self,
                    ProfileCommand.self,
                ]),
            CommandGroup(
                name: "Information",
                subcommands: [
                    Status.self, Actuators.self, Patterns.self, Monitor.self, Latency.self, CheckConfig.self,
                ]),
            CommandGroup(
                name: "Patterns and motors",
                subcommands: [Render.self, Lint.self, TryCommand.self, Convert.self, Tune.self]),
            CommandGroup(name: "Trouble", subcommands: [Why.self, Doctor.self, ReportCommand.self]),
        ])

    /// What the first argument may be.
    static let commandNames = configuration.subcommands.map { $0._commandName } + ["help"]
}
