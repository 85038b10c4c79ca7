// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import HapticClient
import HapticCore
import HapticTerminal
import HapticText
import HapticWire

// sizes: plain values
struct Play: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play a pattern, once or many times.",
        discussion: """
            Examples:

              hapticctl play success
              hapticctl play 20,60,20
              hapticctl play soft --steps 75 --duration 1.6s
              hapticctl play ./mine.yaml --simulate

            Waits until it has ended; Ctrl-C cancels it. `hapticctl patterns` lists the patterns.
            """)

    @Argument(
        help: ArgumentHelp(
            "A pattern's name; or \(Pulses.help); or a pattern file: \(PatternFile.help).", valueName: "name|pulses|file"),
        completion: .pattern)
    var first: String?

    @Option(
        name: .customLong("pattern"),
        help: ArgumentHelp("The same, as an option.", valueName: "name|file"), completion: .pattern)
    var named: String?

    // Unconditional: else a number below 0 would be taken for an option, and the error would not tell the range.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Play it this often within --duration.", valueName: "n"),
        transform: Values.count(in: StepTrain.stepRange))
    var steps: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("With --steps: how long all of them take. (default: 1.6s)", valueName: "time"),
        transform: Values.duration)
    var duration: Nanoseconds?

    @Option(
        help: ArgumentHelp(
            "With --steps: `charge` starts slowly and accelerates, `linear` keeps its pace. (default: charge)",
            valueName: "charge|linear"),
        completion: .words(StepTrain.Ramp.self),
        transform: Values.choice)
    var curve: StepTrain.Ramp?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("How strong: 0…1 or a percentage. (default: 1)", valueName: "share"),
        transform: Values.share)
    var intensity: Intensity?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("How crisp, in place of the pattern's own: 0…1.", valueName: "share"),
        transform: Values.share)
    var sharpness: Sharpness?

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp(
            "How important: alarm, notification, interaction or texture. (default: interaction; on a terminal notification, which takes precedence over a success that is still ringing, and is felt in the profile quiet, too)",
            valueName: "class"),
        completion: .words(FeedbackClass.self), transform: Values.choice)
    var feedbackClass: FeedbackClass?

    @Option(
        help: ArgumentHelp("Who this is about; `hapticctl cancel ID` ends it.", valueName: "id"), completion: .source,
        transform: Values.id)
    var id: String?

    @Option(
        name: .customLong("actuator"), help: ArgumentHelp("Play it there; may be given again. (default: all)", valueName: "name"),
        completion: .actuator)
    var actuators: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "From one actuator to the next begin so much later; the last one at most 1s after the first.", valueName: "time"),
        transform: Values.stagger)
    var stagger: Nanoseconds?

    @Option(
        help: ArgumentHelp(
            "With --stagger: the actuator to begin with, in the order of --actuator. (default: first)",
            valueName: "first|last|center"),
        completion: .words(StaggerOrigin.self), transform: Values.choice)
    var from: StaggerOrigin?

    @Option(
        help: ArgumentHelp(
            "Let it go over to this actuator, which fades in as the others fade out. (default time: 200ms)",
            valueName: "name[:time]"),
        completion: .actuator, transform: Values.handOver)
    var handOver: HandOverParams?

    @Option(
        name: .customLong("repeat"), parsing: .unconditional, help: ArgumentHelp("Play all of it this often.", valueName: "n"),
        transform: Values.count(in: WireLimit.repetitions))
    var repetitions: Int?

    @Option(
        help: ArgumentHelp(
            "`off` plays the curve as it is, also on a motor that is known; `auto` goes by the actuator's own `fit`. (default: auto)",
            valueName: "auto|off"),
        completion: .words(Fit.self), transform: Values.choice)
    var fit: Fit?

    @Flag(help: "Do not wait until it has ended.")
    var noWait = false

    @OptionGroup var simulation: SimulationOptions
    @OptionGroup var common: CommonOptions

    private var pattern: String { first ?? named ?? "" }

    func validate() throws {
        guard (first == nil) != (named == nil) else {
            throw ValidationError(
                first == nil
                    ? "name a pattern, as in `hapticctl play soft`; `hapticctl patterns` lists them"
                    : "name one pattern: as the first word or by --pattern")
        }
        guard !pattern.isEmpty else { throw ValidationError("the pattern's name is empty; `hapticctl patterns` lists them") }
        do throws(Failure) { _ = try Pulses.tree(pattern, allowsOne: first != nil) } catch {
            throw ValidationError(error.message)
        }
        guard from == nil || stagger != nil else {
            throw ValidationError("--from is about --stagger; give --stagger too, or leave it out")
        }
        guard stagger == nil || handOver == nil else {
            throw ValidationError("--stagger and --hand-over are two ways to use several actuators; give one of them")
        }
        guard steps == nil, duration != nil || curve != nil else { return try checkDuration() }
        throw ValidationError("--duration and --curve are about --steps; give --steps too, or leave them out")
    }

    private func checkDuration() throws {
        guard let duration, duration > StepTrain.longestDuration else { return }
        throw ValidationError("--duration: at most \(StepTrain.longestDuration) is possible; give a shorter one")
    }

    func run() throws {
        let console = common.console()
        let isTyped = console.terminal.errorIsTerminal && !common.json && !simulation.simulate
        let params = try params(isTyped: isTyped, note: console.note)
        if simulation.simulate { return try simulate(params, console) }
        let client = try common.connect()
        client.interruptDescriptor = noWait ? nil : try Signals.catchInterrupts()
        let result: PlayResult
        do {
            result = try wait(for: try client.send(params), of: client, params, console)
        } catch ClientError.interrupted {
            try console.flush()
            throw Failure("cancelled", status: ExitStatus.interrupted(by: Signals.take() ?? SIGINT))
        }
        try console.writeJSON(result)
        guard result.decision.outcome == .played else {
            try console.flush()
            if Canary.is("not-felt-exits-0") { return }
            throw Failure(Words.notFelt(result.decision, profile: try? client.settings().profile.value), code: .notFelt)
        }
        try report(result, console)
    }

    /// `isTyped`: by a person, who wants to feel it now, whatever has just been felt.
    func params(isTyped: Bool, note: ([Diagnostic]) -> Void = { _ in }) throws(Failure) -> PlayParams {
        let room: PatternFile.Room = simulation.simulate ? .unbounded : .lines
        var params = PlayParams(pattern: try PatternFile.reference(pattern, allowsOnePulse: first != nil, room: room, note: note))
        params.id = id
        params.steps = steps
        params.durationMs = duration?.inMilliseconds
        params.curve = curve
        params.intensity = intensity
        params.sharpness = sharpness
        params.feedbackClass = feedbackClass ?? (isTyped ? .notification : nil)
        params.actuators = actuators.isEmpty ? nil : actuators
        params.staggerMs = stagger?.inMilliseconds
        params.from = from
        params.handOver = handOver
        params.repeat = repetitions
        params.fit = fit
        params.wait = !noWait
        return params
    }

    // MARK: With the daemon

    /// The answer comes when it has ended. On Ctrl-C the connection closes, and with it the daemon cancels what waits for it.
    private func wait(
        for request: RequestID, of client: HapticClient, _ params: PlayParams, _ console: Console
    ) throws -> PlayResult {
        let start = MonotonicClock.now
        let length = console.showsBar && !noWait ? try? length(of: params, client) : nil
        if length != nil { console.beginBar(steps.map { "\(pattern) ×\($0)" } ?? pattern) }
        while true {
            do {
                let timeout: Double? = noWait ? HapticClient.patience : length == nil ? nil : 0.05
                let result = try client.answer(to: request, as: PlayResult.self, timeout: timeout)
                try console.flush()
                return result
            } catch ClientError.timedOut where length != nil {
                let elapsed = Nanoseconds(MonotonicClock.now - start)
                console.drawBar(
                    // trap: caught only where there is a length.
                    elapsed.inSeconds / length!.inSeconds, note: Words.seconds(min(elapsed, length!), of: length!))
            }
        }
    }

    /// About how long it will take, for the bar.
    private func length(of params: PlayParams, _ client: HapticClient) throws -> Nanoseconds? {
        let single: Nanoseconds?
        switch params.pattern {
        case .inline(let pattern): single = PatternFile.duration(of: pattern)
        case .named(let name):
            let known = try client.allPatterns()
            single = known.first { Text($0.name) == Text(name) }.flatMap { Nanoseconds(seconds: $0.durationMs / 1000) }
        }
        guard let single else { return nil }
        let once = params.train.map { $0.duration + single } ?? single
        return Nanoseconds(seconds: once.inSeconds * Double(repetitions ?? 1)).map { max($0, Nanoseconds(1)) }
    }

    private func report(_ result: PlayResult, _ console: Console) throws {
        let what = "\(Words.summary(result.summary)): \(Words.tooWeak(result.decision) ?? Words.felt(result.decision))"
        if let ending = result.ending {
            try console.say("\(what); \(Words.ending(ending))")
            try console.flush()
            guard ending.ended == .completed else {
                throw Failure("it was not played to its end: \(Words.ending(ending))", code: .cutShort)
            }
        } else {
            try console.say("\(what); playback \(result.playback ?? 0) started")
            try console.flush()
        }
    }

    // MARK: Without

    private func simulate(_ params: PlayParams, _ console: Console) throws {
        let board = try SimulatedBoard(simulation, console)
        let (decision, summary) = try board.send(params)
        try board.finish()
        if decision.outcome == .played, var summary {
            // Ahead nobody knows how many rounds there are.
            if board.hasOpenPhases(params.pattern) { summary.pulses = board.felt.mostPulses }
            let isLeast = board.hasOpenPhases(params.pattern) && board.felt.dropped > 0
            let weak = Words.tooWeak(decision).map { ": \($0)" } ?? ""
            try console.say(Words.summary(summary, isLeast: isLeast) + weak)
        }
        try console.flush()
        guard decision.outcome == .played else {
            throw Failure(Words.notFelt(decision, profile: board.profile), code: .notFelt)
        }
    }
}
