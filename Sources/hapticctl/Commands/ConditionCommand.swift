// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticCore
import HapticTerminal
import HapticWire

struct ConditionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "condition",
        abstract: "Assert an outside fact that changes how much is felt, until Ctrl-C or while a command runs.",
        discussion: """
            Examples:

              hapticctl condition camera
              hapticctl condition camera --for 10m
              hapticctl condition camera -- ffmpeg -i /dev/video0 film.mkv

            `conditions` of the configuration has the names and their effects, `access: conditions` the users who may assert one. The condition ends with hapticctl, however that ends. If hapticd is restarted, or reads its configuration again, hapticctl asserts the condition again.

            Ctrl-C, SIGTERM and --for end it with status 0. A command behind `--` runs with hapticctl's own standard input, output and error, and signals are passed on to it. hapticctl ends with the status of the command: 128 and the number of the signal that ended it, 127 if there is no such command, 126 if it may not be run.

            The command runs in any case, a second later at most. If no hapticd answers, a warning says so, and the condition is asserted as soon as one does. If hapticd refuses the condition, the command runs without it, and a warning says why. Standard output is the command's alone, also with --json.
            """)

    @Argument(help: "The condition, such as `camera`.", completion: .condition, transform: Values.name)
    var name: String

    @Argument(parsing: .postTerminator, help: "Behind `--`: a command and its arguments.")
    var command: [String] = []

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp("End the condition after this time. (default: at Ctrl-C)", valueName: "time"),
        transform: Values.duration)
    var time: Nanoseconds?

    @OptionGroup var common: CommonOptions

    /// How long the command waits for the daemon, in seconds.
    private static let patience = 1.0

    func validate() throws {
        guard time == nil || command.isEmpty else {
            throw ValidationError("give --for or a command behind `--`, not both; the condition ends with the command")
        }
    }

    func run() throws {
        let console = common.console()
        guard command.isEmpty else { throw CommandEnded(status: try runCommand(console)) }
        var assertion = Assertion(name, at: common.socketPaths, console, interrupt: try Signals.catchInterrupts())
        do {
            let result = try assertion.begin()
            let end = time.map { MonotonicClock.now + $0.count }
            try console.writeJSON(result)
            try console.say("the condition \(Words.given(name)) is in force \(time.map { "for \($0.words)" } ?? "until Ctrl-C")")
            try console.flush()
            try assertion.hold(until: end)
        } catch ClientError.interrupted {}
        assertion.release()
    }

    // MARK: A command

    /// The exit status of the command.
    private func runCommand(_ console: Console) throws -> Int32 {
        // A warning that nobody reads is no reason to lose the status.
        Signals.ignoreClosedPipe()
        var assertion = Assertion(name, at: common.socketPaths, console, ownsOutput: false)
        // First: the command may send inputs at once.
        let mayContinue = begin(&assertion, console)
        var child = try Child(command)
        assertion.interrupt = child.descriptor
        let ending = mayContinue && child.descriptor >= 0 ? wait(for: &child, &assertion, console) : child.waitForEnd()
        assertion.release()
        return ending.status
    }

    /// Whether the condition is in force, or may be later.
    private func begin(_ assertion: inout Assertion, _ console: Console) -> Bool {
        do throws(ClientError) {
            _ = try assertion.begin(isPatient: false, timeout: Self.patience)
            return true
        } catch {
            warn(error, "the command runs without it\(error.mayPass ? ", and hapticctl keeps trying" : "")", console)
            return error.mayPass
        }
    }

    private func wait(for child: inout Child, _ assertion: inout Assertion, _ console: Console) -> Child.Ending {
        while true {
            if let ending = child.takeEnding() { return ending }
            do {
                try assertion.hold()
            } catch ClientError.interrupted {
                continue
            } catch {
                warn(error, "the command continues without it", console)
                return child.waitForEnd()
            }
        }
    }

    private func warn(_ error: any Error, _ consequence: String, _ console: Console) {
        console.warn("condition \(Words.given(name)): \(Program.failure(error).message); \(consequence)")
    }
}
