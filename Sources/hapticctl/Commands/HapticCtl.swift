// SPDX-License-Identifier: MIT
import ArgumentParser
import CLinux
import Glibc
import HapticClient
import HapticJSON
import HapticWire

@main
enum Program {
    static func main() {
        clinux_occupy_standard_descriptors()
        Signals.endQuietlyOnClosedPipe()
        guard let number = unreadableArgument() else { exit(run(Array(CommandLine.arguments.dropFirst()))) }
        // A shell asks for completions while a person types, and is not to write into that line.
        if CommandLine.arguments.dropFirst().first != "---completion" {
            Console.complain("argument \(number) is not valid UTF-8; write it in UTF-8")
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
        } catch {
            // A shell asks, while a person types: a script of another version is no reason to write into that line.
            if arguments.first == "---completion", status(of: error) != ExitStatus.done { return status(of: error) }
            return report(error)
        }
    }

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
        if let failure = failure(error) { return failure.status }
        // Everything else is the parser's: help, the version, or a line that it does not understand.
        return HapticCtl.exitCode(for: error) == .success ? ExitStatus.done : ExitStatus.usage
    }

    private static func failure(_ error: any Error) -> Failure? {
        (error as? Failure) ?? (error as? ClientError).map(Failure.init)
    }

    /// For standard error. What the parser says quotes the command line only, so its line ends are taken for its own.
    static func lines(for error: any Error) -> [String] {
        failure(error)?.lines
            ?? HapticCtl.fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func report(_ error: any Error) -> Int32 {
        let status = status(of: error)
        if status == ExitStatus.done {
            // Help, the version, a script for a shell: all our own.
            print(HapticCtl.fullMessage(for: error))
        } else {
            let lines = lines(for: error)
            for line in lines where lines != [""] { Console.complain(line) }
        }
        return status
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

            A `play` that is not felt exits with 1. An `event` or `progress` that is not felt still exits with 0: the rules decided. One that failed,
            because no actuator is there for example, exits with 1.

            -V is --version. Exit status: 0 done, 1 refused or failed, 2 wrong usage, 3 no daemon there, 130 after Ctrl-C.
            """,
        version: HapticVersion.current,
        groupedSubcommands: [
            CommandGroup(
                name: "Feedback", subcommands: [Play.self, ProgressCommand.self, Release.self, Event.self, ChargeCommand.self]),
            CommandGroup(name: "Control", subcommands: [Cancel.self, Prepare.self, ProfileCommand.self, Reload.self]),
            CommandGroup(
                name: "Information",
                subcommands: [
                    Status.self, Actuators.self, Patterns.self, Render.self, Monitor.self, Latency.self, CheckConfig.self,
                ]),
            CommandGroup(name: "Trouble", subcommands: [Why.self, Doctor.self, ReportCommand.self]),
        ])

    /// What its inputs give as their app.
    static let app = "hapticctl"

    /// What the first argument may be.
    static let commandNames = configuration.subcommands.map { $0._commandName } + ["help"]
}
