// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticCore
import HapticFormats
import HapticPatterns
import HapticTerminal
import HapticText
import HapticWire

struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draw what a pattern is meant to feel like.",
        discussion: """
            Examples:

              hapticctl render success
              hapticctl render ./mine.yaml -o mine.svg
              hapticctl render success --motor coin

            Draws how strong and how sharp the pattern is over time, whatever the motor. With --motor or --actuator it draws what is meant, what the motor is sent for it and what is felt of that, with the peak and what the fitting does for it: from rest and without the actuator's limits, which `play --simulate` shows. A file, pulses and a built-in pattern need no daemon; an actuator does, unless --config describes it.
            """)

    @Argument(
        help: ArgumentHelp(
            "A pattern's name; or \(Pulses.help); or a pattern file: \(PatternFile.help).", valueName: "name|pulses|file"),
        completion: .pattern)
    var pattern: String

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "Write an SVG to this new file, which ends in `.svg`. `-`: to standard output.", valueName: "file"),
        completion: .file(extensions: ["svg"]))
    var output: String?

    @Flag(help: "With -o: replace the file where it is there already.")
    var force = false

    @Option(
        help: ArgumentHelp(
            "With a motor: `off` draws what it makes of the curve as it is; `auto` goes by the actuator's own `fit`. (default: auto)",
            valueName: "auto|off"),
        completion: .words(Fit.self), transform: Values.choice)
    var fit: Fit?

    @OptionGroup var motor: ConfiguredMotorOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if pattern.isEmpty { throw ValidationError("the pattern's name is empty; `hapticctl patterns` lists them") }
        do throws(Failure) { _ = try Pulses.pattern(pattern) } catch { throw ValidationError(error.message) }
        guard fit == nil || motor.motor.motor != nil || motor.motor.actuator != nil else {
            throw ValidationError("--fit is about a motor; give --motor or --actuator too, or leave it out")
        }
        guard let output else {
            guard force else { return }
            throw ValidationError("--force is about --output; give -o with the file too, or leave it out")
        }
        if common.json { throw ValidationError("--output and --json are two forms of the output; give one of them") }
        guard output == "-" || output.utf8.count > 4 && output.hasSuffix(".svg") else {
            throw ValidationError(
                "--output: only SVG can be written; give a file that ends in `.svg`, or `-` for standard output")
        }
    }

    func run() throws {
        let console = common.console()
        if let choice = try motor.choice(common) {
            return try draw(on: fit == .off ? MotorChoice(choice, isFitted: false) : choice, console)
        }
        let found = try find(console)
        let outline = try found.ownOutline
        if let output {
            let svg = OutlineSVG(name: found.name, description: found.description, outline: outline).lines
            try write(svg, to: output, console)
        } else {
            try console.writeJSON(found)
            try console.say(KnownPattern.heading(found))
            if !found.description.isEmpty { try console.say(found.description) }
            let picture = OutlinePicture(outline: outline, glyphs: console.terminal.glyphs)
            for line in picture.lines(width: console.terminal.width) { try console.say(line) }
        }
        try console.flush()
    }

    private func draw(on choice: MotorChoice, _ console: Console) throws {
        let pattern = try KnownPattern.here(pattern, console)
        let course = try choice.course(of: pattern)
        if let output {
            let svg = MotorSVG(name: pattern.name, course: course, motor: choice).lines
            try write(svg, to: output, console)
        } else {
            try console.writeJSON(MotorRow(pattern: pattern.name, course, choice))
            let picture = MotorPicture(course: course, motor: choice, glyphs: console.terminal.glyphs)
            try console.say("\(pattern.name) on \(choice.name)")
            for line in picture.lines(width: console.terminal.width) { try console.say(line) }
        }
        try console.flush()
    }

    private func write(_ svg: [String], to output: String, _ console: Console) throws {
        guard output == "-" else {
            return try WholeFile.write(svg.map { $0 + "\n" }.joined(), to: output, replacing: force)
        }
        for line in svg { try console.emit(line) }
    }

    private func find(_ console: Console) throws -> PatternResult {
        if let pulses = try Pulses.pattern(pattern) { return KnownPattern.result(pulses) }
        if PatternFile.isFile(pattern) {
            let read = try PatternFile.read(pattern)
            console.note(read.notes)
            return KnownPattern.result(read.pattern)
        }
        if let builtIn = KnownPattern.builtIn(pattern) { return builtIn }
        do {
            return try KnownPattern.ask(try common.connect(), pattern)
        } catch {
            // Not `catch ClientError.noDaemon(let tried)`: the compiler of the arm64 build crashes on that.
            guard case .noDaemon(let tried) = error else { throw error }
            throw Failure(
                lines: [
                    "\(quoted(pattern)) is not built in, and there is no hapticd to ask for it; name its file, as in `hapticctl render ./mine.yaml`",
                    NoDaemon(tried: tried).message,
                ], status: ExitStatus.noDaemon)
        }
    }
}
