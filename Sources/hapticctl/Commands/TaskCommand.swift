// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticCore
import HapticTerminal
import HapticWire

struct TaskCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "task",
        abstract: "Say that a task has begun or how it has ended, or run a command as a task.",
        usage: "hapticctl task [<options>] <id> (<state> | -- <command> ...)",
        discussion: """
            Examples:

              hapticctl task backup -- rsync -a FROM TO
              hapticctl task backup began
              hapticctl task backup succeeded
              hapticctl task backup failed --simulate

            The beginning is felt at once, the end by its result. A command behind `--` is run with hapticctl's own standard input, output and error. Status 0 is succeeded and any other failed; if a signal asked it to end and the status is not 0, it is cancelled. hapticctl ends with the command's status: 128 and the number of the signal that ended it, 127 if there is no such command, 126 if it may not be run.

            The command is run in any case. If no hapticd answers, if no rule fits, or if the id is pending already, a warning says so. What people have switched off is silent, and so is hapticctl. Standard output is the command's alone, also with --json. A task that takes longer than the `timeout` of its rule has failed by then; where its command ends later, its result is felt, too.
            """)

    @Argument(help: "Which task, such as `backup`.", completion: .task, transform: Values.id)
    var id: String

    @Argument(
        help: "began, succeeded, failed or cancelled.", completion: .words(TaskState.self), transform: Values.taskState)
    var state: TaskState?

    @Argument(parsing: .postTerminator, help: "Behind `--`: a command and its arguments.")
    var command: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("With --simulate: how long the task takes. (default: \(simulatedTime))", valueName: "time"),
        transform: Values.duration)
    var after: Nanoseconds?

    private static let simulatedTime = Nanoseconds.seconds(3)
    private static let longestTime = Nanoseconds.seconds(86_400)

    @OptionGroup var feedback: FeedbackOptions
    @OptionGroup var simulation: SimulationOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard state == nil || command.isEmpty else {
            throw ValidationError("give a state or a command behind `--`, not both; the command's exit status says how it ends")
        }
        guard state != nil || !command.isEmpty else {
            throw ValidationError("say `began`, `succeeded`, `failed` or `cancelled`, or give a command behind `--`")
        }
        guard !simulation.simulate || state != nil else {
            throw ValidationError("--simulate runs no command; give a state in its place, such as `succeeded`")
        }
        guard after == nil || simulation.simulate else {
            throw ValidationError("--after is about --simulate; leave it out, or give both")
        }
        if let after, after > Self.longestTime { throw ValidationError("--after is at most 24h; give a shorter time") }
    }

    func run() throws {
        let console = common.console()
        guard let state else { throw CommandEnded(status: try runCommand(console)) }
        guard simulation.simulate else {
            return try Report.input(try common.connect().call(params(state)), console)
        }
        let board = try SimulatedBoard(simulation, console)
        try say(try board.send(params(.began)).decision, console)
        try board.run(until: .zero + (after ?? Self.simulatedTime))
        if state != .began { try say(try board.send(params(state)).decision, console) }
        try board.finish()
        try console.flush()
    }

    private func params(_ state: TaskState) -> TaskParams {
        var params = TaskParams(id: id, state: state)
        params.feedback = feedback.feedback
        return params
    }

    private func say(_ decision: DecisionResult, _ console: Console) throws {
        try console.say("\(Words.input(decision)): \(Words.outcome(decision))")
    }

    // MARK: A command

    /// Its exit status.
    private func runCommand(_ console: Console) throws -> Int32 {
        // A warning that nobody reads is no reason to lose the status.
        Signals.ignoreClosedPipe()
        // First: it is not to wait for the daemon.
        var child = try Child(command, CommandSignals())
        var report = TaskReport(params(.began), common, console)
        report.begin()
        let ending = child.waitForEnd()
        report.end(as: ending.state)
        return ending.status
    }
}
