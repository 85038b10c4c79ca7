// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import HapticClient
import HapticCore
import HapticTerminal
import HapticText
import HapticWire

struct ConditionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "condition",
        abstract: "Assert an outside fact that changes how much is felt, until Ctrl-C or while a command runs.",
        usage: "hapticctl condition [<options>] <name> [-- <command> ...]",
        discussion: """
            Examples:

              hapticctl condition camera
              hapticctl condition camera --for 10m
              hapticctl condition camera -- ffmpeg -i /dev/video0 film.mkv

            `conditions` of the configuration has the names and their effects, `access: conditions` the users who may assert one. The condition ends with hapticctl, however that ends. If hapticd is restarted, hapticctl asserts the condition again. A reload that drops its entry ends it.

            Ctrl-C, SIGTERM and --for end it with status 0. Ctrl-Z releases the condition until hapticctl continues.

            A command behind `--` runs with hapticctl's own standard input, output and error. Signals are passed on to it, and hapticctl stops and continues with it. A script without `#!` runs with /bin/sh. hapticctl ends with the status of the command: 128 and the number of the signal that ended it, 127 if there is no such command, 126 if it may not be run.

            The command runs in any case, a second later at most. If no hapticd answers, a warning says so, and the condition is asserted as soon as one does. If hapticd refuses the condition, the command runs without it, and a warning says why. Standard output is the command's alone, also with --json.
            """)

    @Argument(help: "The condition, such as `camera`.", completion: .condition, transform: Values.name)
    var name: String

    @Argument(parsing: .postTerminator, help: "Behind `--`: a command and its arguments.")
    var command: [String] = []

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp(
            "End the condition after this time, at most \(longest.unitText). (default: at Ctrl-C)", valueName: "time"),
        transform: Values.duration)
    var time: Nanoseconds?

    @OptionGroup var common: CommonOptions

    /// How long the command waits for the daemon, in seconds.
    private static let patience = 1.0
    /// A leap year.
    private static let longest = Nanoseconds.seconds(366 * 86_400)

    func validate() throws {
        guard time == nil || command.isEmpty else {
            throw ValidationError("give --for or a command behind `--`, not both; the condition ends with the command")
        }
        if let time, time > Self.longest {
            throw ValidationError("--for is at most \(Self.longest.unitText) (366 days); leave it out, or give a shorter time")
        }
    }

    /// The mistake of a command line that has no command behind `--`, or one in front of it. The parser accepts the former, and complains
    /// about the options of the latter. `words`: those behind `condition`.
    static func mistake(in words: ArraySlice<String>) -> Failure? {
        var names: [String] = []
        var rest = words.prefix { $0 != "--" }
        let endsWithMark = rest.endIndex == words.endIndex - 1
        while let word = rest.popFirst() {
            if ["--for", "--socket", "--color"].contains(word) {
                _ = rest.popFirst()
            } else if !word.hasPrefix("-") {
                names.append(word)
            } else if names.count < 2, !["--json", "--quiet", "-q"].contains(word), !word.contains("=") {
                // The next word may be the value of a mistyped option, which the parser reports.
                return nil
            }
        }
        let example = "as in `hapticctl condition camera -- COMMAND`"
        if names.count > 1 {
            return Failure(
                "\(quoted(names[1])) is one word too many; a command stands behind `--`, \(example)", status: ExitStatus.usage)
        }
        guard endsWithMark else { return nil }
        return Failure("no command follows `--`; write one, \(example), or leave out `--`", status: ExitStatus.usage)
    }

    func run() throws {
        let console = common.console()
        guard command.isEmpty else { throw CommandEnded(status: try runCommand(console)) }
        let interrupt = try Signals.catchInterrupts(andStop: true)
        var assertion = Assertion(name, at: common.socketPaths, console, interrupt: interrupt)
        var end: Int64?
        var isAnnounced = false
        while true {
            do {
                if !isAnnounced {
                    let result = try assertion.begin()
                    end = time.map { MonotonicClock.now + $0.count }
                    try announce(result, console)
                    isAnnounced = true
                }
                try assertion.hold(until: end)
                break
            } catch ClientError.interrupted {
                guard Signals.take() == SIGTSTP else { break }
                // A stopped program would assert it for an unknown time, also beyond --for.
                assertion.release()
                Signals.stop(by: SIGTSTP)
            }
        }
        assertion.release()
    }

    private func announce(_ result: ConditionResult, _ console: Console) throws {
        try console.writeJSON(result)
        try console.say("the condition \(Words.given(name)) is in force \(time.map { "for \($0.words)" } ?? "until Ctrl-C")")
        try console.flush()
    }

    // MARK: A command

    /// The exit status of the command.
    private func runCommand(_ console: Console) throws -> Int32 {
        // A warning that nobody reads is no reason to lose the status.
        Signals.ignoreClosedPipe()
        let signals = CommandSignals()
        var assertion = Assertion(
            name, at: common.socketPaths, console, ownsOutput: false, interrupt: signals.descriptor)
        // First: the command may send inputs at once.
        let mayContinue = begin(&assertion, console)
        var child = try Child(command, signals)
        let ending =
            mayContinue && signals.descriptor >= 0 ? wait(for: &child, &assertion, console) : child.waitForEnd()
        assertion.release()
        return ending.status
    }

    /// Whether the condition is in force, or may be later.
    private func begin(_ assertion: inout Assertion, _ console: Console) -> Bool {
        do throws(ClientError) {
            _ = try assertion.begin(isPatient: false, timeout: Self.patience)
            return true
        } catch .interrupted {
            // The signal is for the command, so the condition has to wait.
            return true
        } catch {
            warn(error, "the command runs without it\(error.mayPass ? ", and hapticctl keeps trying" : "")", console)
            return error.mayPass
        }
    }

    private func wait(for child: inout Child, _ assertion: inout Assertion, _ console: Console) -> Child.Ending {
        while true {
            switch child.nextEvent(waits: false) {
            case .ended(let ending): return ending
            case .stopped(let signal):
                assertion.release()
                Signals.stop(by: signal)
                continue
            case nil: break
            }
            do {
                try assertion.hold()
            } catch ClientError.interrupted {
                continue
            } catch {
                warn(error, "the command continues without it", console)
                assertion.release()
                return child.waitForEnd()
            }
        }
    }

    private func warn(_ error: any Error, _ consequence: String, _ console: Console) {
        console.warn("condition \(Words.given(name)): \(Program.failure(error).message); \(consequence)")
    }
}
