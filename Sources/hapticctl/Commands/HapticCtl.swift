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
        exit(run(Array(CommandLine.arguments.dropFirst())))
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
        if let first = arguments.first, !first.hasPrefix("-"), !HapticCtl.commandNames.contains(first) {
            let meant = closestMatch(to: first, in: HapticCtl.commandNames)
            let hint = meant.map { "did you mean `\($0)`?" } ?? "`hapticctl --help` lists them"
            throw Failure("there is no command \(quoted(first)); \(hint)", status: ExitStatus.usage)
        }
        if let first = arguments.first, first == "--json" || first == "--socket" || first.hasPrefix("--socket=") {
            throw Failure("options come behind the command, as in `hapticctl status --socket PATH`", status: ExitStatus.usage)
        }
        if arguments.count > 1, arguments[0] == "play", !arguments[1].hasPrefix("-"), !arguments.contains("--pattern") {
            throw Failure("did you mean \(quoted("hapticctl play --pattern \(arguments[1])"))?", status: ExitStatus.usage)
        }
        return try HapticCtl.parseAsRoot(arguments)
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

              hapticctl play --pattern soft --steps 75
              hapticctl monitor

            Without a daemon or a motor, the same runs in virtual time, and what would be felt is drawn:

              hapticctl play --pattern soft --steps 75 --simulate

            A `play` that is not felt is refused. An `event` or `progress` that is not felt is done, for the rules decide that; one that
            failed, for want of an actuator for example, ends with 1.

            Exit status: 0 done, 1 refused or failed, 2 wrong usage, 3 no daemon there, 130 after Ctrl-C.
            """,
        version: HapticVersion.current,
        groupedSubcommands: [
            CommandGroup(
                name: "Feedback", subcommands: [Play.self, ProgressCommand.self, Release.self, Event.self, ChargeCommand.self]),
            CommandGroup(name: "Control", subcommands: [Cancel.self, Prepare.self, ProfileCommand.self, Reload.self]),
            CommandGroup(
                name: "Information",
                subcommands: [Status.self, Actuators.self, Patterns.self, Monitor.self, Latency.self, CheckConfig.self]),
        ])

    /// What its inputs give as their app.
    static let app = "hapticctl"

    /// What the first argument may be.
    static let commandNames = configuration.subcommands.map { $0._commandName } + ["help"]
}
