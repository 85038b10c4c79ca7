// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import HapticClient
import HapticCore
import HapticPatterns
import HapticTerminal
import HapticWire

struct TryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Play a pattern file whenever it is saved.",
        discussion: """
            Examples:

              hapticctl try ./mine.yaml
              hapticctl try ./mine.yaml --motor coin --simulate

            Each time it shows the pattern's picture and what `lint` finds, and plays it in place of the one before. A file with errors shows them, and is waited for. With --motor or --actuator the picture is that of the motor. Ctrl-C ends it.
            """)

    /// How often the file is looked at: a tenth of a second, in ns.
    private static let interval: Int64 = 100_000_000
    /// By which the one before is cancelled.
    private static let id = "hapticctl-try"

    @Argument(
        help: ArgumentHelp("The pattern file.", valueName: "file"),
        completion: .file(extensions: PatternFile.endings.map { String($0.dropFirst()) }))
    var file: String

    @OptionGroup var motor: MotorOptions
    @OptionGroup var simulation: SimulationOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if file.isEmpty { throw ValidationError("the file's name is empty; name one, as in `hapticctl try ./mine.yaml`") }
        if simulation.simulate, motor.actuator != nil, simulation.config == nil {
            throw ValidationError("with --simulate no daemon is asked; give --config too, which describes the actuator")
        }
    }

    func run() throws {
        let console = common.console()
        // Known to be good before anyone saves.
        let choice = try motor.choice(config: simulation.config, common)
        _ = try PatternFile.bytes(of: file, orName: false)
        _ = try Signals.catchInterrupts()
        var watch = FileWatch(path: file)
        try console.say("watching \(file); save it to feel it, Ctrl-C ends this")
        try console.flush()
        while !Signals.hasCome {
            if watch.hasNew() {
                do {
                    try show(choice, console)
                } catch {
                    // trap: what is thrown here has words for people.
                    Console.complain(Program.failure(error), isJSON: common.json)
                }
                try console.flush()
            }
            Signals.sleep(until: MonotonicClock.now + Self.interval)
        }
        try cancel()
    }

    private func show(_ choice: MotorChoice?, _ console: Console) throws {
        let linted = try LintedPattern(file: file, console)
        let pattern = linted.pattern
        try console.say("")
        if let choice {
            let course = try choice.course(of: pattern)
            try console.say("\(pattern.name) on \(choice.name)")
            let picture = MotorPicture(course: course, motor: choice, glyphs: console.terminal.glyphs)
            for line in picture.lines(width: console.terminal.width) { try console.say(line) }
        } else if case let known = KnownPattern.result(pattern), let outline = known.outline {
            try console.say(KnownPattern.heading(known))
            let picture = OutlinePicture(outline: outline, glyphs: console.terminal.glyphs)
            for line in picture.lines(width: console.terminal.width) { try console.say(line) }
        }
        let rows = Findings.all([linted], on: [choice].compactMap { $0 })
        for row in rows { try console.writeJSON(row) }
        for line in Findings.lines(rows, of: [linted]) { try console.say(line) }
        try console.flush()
        try play(pattern, console)
    }

    private func play(_ pattern: Pattern, _ console: Console) throws {
        let room: PatternFile.Room = simulation.simulate ? .unbounded : .lines
        var params = PlayParams(pattern: try PatternFile.inline(pattern, from: file, room: room))
        params.id = Self.id
        // As `play` of a person: it is felt now, whatever has just been felt.
        params.feedbackClass = .notification
        params.actuators = motor.actuator.map { [$0] }
        if simulation.simulate { return try SimulatedBoard(simulation, console).sendAndFinish(params) }
        // Another connection each time: the daemon may have been restarted in between.
        let client = try common.connect()
        _ = try client.call(CancelParams(.source(id: Self.id), mode: .immediate))
        let result = try client.answer(to: try client.send(params), as: PlayResult.self)
        try console.writeJSON(result)
        guard result.decision.outcome == .played else { throw Failure(Words.notFelt(result.decision), code: .notFelt) }
        try console.say(
            "\(pattern.name), \(pattern.duration.words): \(Words.tooWeak(result.decision) ?? Words.felt(result.decision))")
    }

    /// What it plays ends with it.
    private func cancel() throws {
        guard !simulation.simulate, let client = try? common.connect(isPatient: false) else { return }
        _ = try? client.call(CancelParams(.source(id: Self.id), mode: .graceful))
    }
}
