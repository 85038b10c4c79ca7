// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import HapticClient
import HapticCore
import HapticMotors
import HapticTerminal
import HapticText
import HapticWire
import HapticYAML

struct Tune: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find out how a motor moves, by asking what you feel.",
        discussion: """
            Examples:

              hapticctl tune main
              hapticctl tune main --kind lra

            Hold the device as it will be held. It plays pulses, and asks whether you felt them, whether they went on, or whether there were two: some 120 questions, about five minutes. In a quarter of them there is nothing to be felt, so that guessing is noticed. At the end it prints the `motor:` block for the configuration, with the spread of what was found.

            It plays with `fit: off`, so a motor that is described already may be tuned again. Take its limits (`minGap`, `maxOn`, `duty`) out of the configuration while it runs: they would be measured, too.
            """)

    @Argument(help: ArgumentHelp("The actuator.", valueName: "actuator"), completion: .actuator, transform: Values.name)
    var actuator: String

    @Option(
        help: ArgumentHelp(
            "What kind of motor it is: erm, a rotating mass, or lra, a linear one. (default: erm)", valueName: "kind"),
        completion: .words(MotorModel.Kind.self), transform: Values.choice)
    var kind: MotorModel.Kind?

    @Option(
        help: ArgumentHelp(
            "Take the answers from this file: a `y` or `n` a line, after `#` a remark. Then the questions are the same each time.",
            valueName: "file"), completion: .file())
    var answers: String?

    @OptionGroup var simulation: SimulationOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if answers?.isEmpty == true { throw ValidationError("--answers: the path is empty; leave it out, or give one") }
        if simulation.simulate, answers == nil {
            throw ValidationError("with --simulate nothing is to be felt; give --answers FILE, too")
        }
    }

    func run() throws {
        let console = common.console()
        // First: who tunes an actuator that is not there need not know more.
        let player = try TuningPlayer(actuator: actuator, common: common, simulation: simulation, console)
        let source = try answerSource(console)
        var tuning = Tuning(
            kind ?? .erm, levels: player.hasLevels, seed: answers == nil ? .random(in: .min ... .max) : 0)
        for line in player.warnings { console.warn(line) }
        try explain(console)
        while let trial = tuning.trial {
            tuning.answer(try ask(trial, source, player, console, tuning.progress))
        }
        // trap: there is an outcome once there is no trial.
        try show(tuning.outcome!, console)
    }

    private func answerSource(_ console: Console) throws(Failure) -> TuningAnswers {
        if let answers { return try TuningAnswers(file: answers) }
        guard console.terminal.inputIsTerminal, console.terminal.outputIsTerminal, !console.isJSON else {
            throw Failure("nobody is there to be asked; run it at a terminal, without --json, or give --answers FILE")
        }
        return TuningAnswers()
    }

    private func explain(_ console: Console) throws {
        try console.say("Tuning \(actuator). Answer y or n and Enter; r repeats, Ctrl-C ends it. If unsure, answer n.")
        try console.flush()
    }

    private func ask(
        _ trial: Tuning.Trial, _ source: TuningAnswers, _ player: TuningPlayer, _ console: Console, _ progress: Double
    ) throws -> Bool {
        var answer = TuningAnswer.again
        while true {
            if answer == .again { try player.play(trial.stimulus) }
            if source.isFromFile { return try source.next() }
            // What was asked first may have been forgotten, so the question is asked as a whole each time.
            try console.ask("\(Int(progress * 100))%  \(TuningWords.question(trial.quantity)) [y/n/r] ")
            guard let line = try StandardInput.line() else {
                throw Failure("the answers have ended before it was done; nothing was found", code: .cancelled)
            }
            answer = TuningAnswer(line)
            switch answer {
            case .yes: return true
            case .no: return false
            case .again: break
            case .none: try console.say(TuningWords.noAnswer(line))
            }
        }
    }

    private func show(_ outcome: Tuning.Outcome, _ console: Console) throws {
        try console.writeJSON(TuningRow(actuator: actuator, outcome))
        for line in TuningWords.lines(outcome) { try console.say(line) }
        guard outcome.doubts.isEmpty, let model = outcome.model else {
            try console.flush()
            throw Failure(lines: outcome.doubts.map(TuningWords.doubt), code: .doubtful)
        }
        try console.say("")
        try console.say("    \(TuningWords.block(model, gap: outcome.found[.gap]))")
        try console.say("")
        try console.say(
            "Put this line into the actuator \(actuator) of the configuration, with its `maxOn` and `duty`, then `hapticctl reload`."
        )
        try console.flush()
    }
}

/// What a person says to a question.
enum TuningAnswer {
    case yes, no
    /// It is to be played again.
    case again
    /// Nothing of these.
    case none

    init(_ line: String) {
        switch Text(Self.word(of: line.utf8).lowercased()) {  // by characters: ours have ASCII only
        case "y", "yes": self = .yes
        case "n", "no": self = .no
        case "r", "repeat": self = .again
        default: self = .none
        }
    }

    /// Without the space around it.
    static func word(of line: some BidirectionalCollection<UInt8>) -> String {
        let space: [UInt8] = [0x20, 0x09, 0x0d, 0x0a]
        let word = line.drop { space.contains($0) }
        let end = word.lastIndex { !space.contains($0) }.map { word.index(after: $0) } ?? word.startIndex
        return String(decoding: word[..<end], as: UTF8.self)
    }
}

/// Where answers come from: a person, or a file.
final class TuningAnswers {
    private var lines: ArraySlice<(number: Int, text: String)> = []
    private let file: String?

    /// From a person.
    init() { file = nil }

    init(file: String) throws(Failure) {
        self.file = file
        let bytes: [UInt8]
        do throws(FileAccess.Failure) {
            bytes = try FileAccess.disk.read(file, YAML.Limit.bytes)
        } catch {
            throw Failure("cannot read \(file): \(error.reason); give a file with a `y` or `n` a line", code: .unreadable)
        }
        // Of bytes: to a Swift string, CR LF is one character.
        let all = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        lines =
            all.enumerated().compactMap { index, line in
                let text = TuningAnswer.word(of: line.prefix { $0 != UInt8(ascii: "#") })
                return text.isEmpty ? nil : (index + 1, text)
            }[...]
    }

    var isFromFile: Bool { file != nil }

    func next() throws(Failure) -> Bool {
        let name = file ?? ""
        guard let line = lines.popFirst() else {
            throw Failure("\(name) has too few answers; add a `y` or `n` for each question", code: .invalidFile)
        }
        switch TuningAnswer(line.text) {
        case .yes: return true
        case .no: return false
        case .again, .none:
            throw Failure("\(name):\(line.number): \(quoted(line.text)) is no answer; write `y` or `n`", code: .invalidFile)
        }
    }
}
