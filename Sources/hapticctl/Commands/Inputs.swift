// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import HapticClient
import HapticCore
import HapticTerminal
import HapticWire

struct Release: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put a progress source back to 0, silently.",
        discussion: """
            Example:

              hapticctl release upload
            """)

    @Argument(help: "Who this is about, such as `upload`.", completion: .source, transform: Values.id)
    var id: String

    @OptionGroup var common: CommonOptions

    func run() throws {
        try Report.input(
            try common.connect().call(ReleaseParams(id: id)), common.console())
    }
}

struct Event: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tell that something happened; the rules decide what is felt.",
        discussion: """
            Examples:

              hapticctl event payment.succeeded
              hapticctl event battery.warning --id laptop --value 10

            With --value only a change is felt: the same value again is not. Without --id each call is a source of its own, so its value is always new: give --id where only a change is to be felt or `when: from` matters.
            """)

    @Argument(help: "What happened, such as `payment.succeeded`.", transform: Values.name)
    var name: String

    @Option(help: ArgumentHelp("Who this is about.", valueName: "id"), completion: .source, transform: Values.id)
    var id: String?

    // Else a number below 0 would be taken for an option.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The state it is in now: `true`, a number, `null`, or else a text.", valueName: "value"),
        transform: Values.scalar)
    var value: Scalar?

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp("In place of the rule's: alarm, notification, interaction or texture.", valueName: "class"),
        completion: .words(FeedbackClass.self), transform: Values.choice)
    var feedbackClass: FeedbackClass?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("How strong, in place of the rule's: 0…1.", valueName: "share"),
        transform: Values.share)
    var intensity: Intensity?

    @OptionGroup var simulation: SimulationOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let console = common.console()
        var params = EventParams(name: name, id: id, value: value)
        params.feedbackClass = feedbackClass
        params.intensity = intensity
        guard simulation.simulate else {
            let client = try common.connect()
            let decision = try client.call(params)
            return try Report.input(decision, console, near: console.isJSON ? nil : near(decision, client))
        }
        let board = try SimulatedBoard(simulation, console)
        try board.sendAndFinish(params)
    }

    /// Asks the history for the rule that the event nearly matches, if no rule matches.
    private func near(_ decision: DecisionResult, _ client: HapticClient) -> String? {
        guard decision.reason == .noRule else { return nil }
        let history = try? client.call(HistoryParams(seq: Int64(decision.seq)))
        return history?.entries.first.flatMap { Words.nearRule($0.nearRule, didYouMean: $0.didYouMean) }
    }
}

struct ChargeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "charge",
        abstract: "The press-and-hold charge: progress that starts slowly and accelerates.",
        discussion: """
            Examples:

              hapticctl charge
              hapticctl charge --release-at 0.6
              hapticctl charge --simulate

            Every tick adds an increment that itself grows; with the defaults, 77 vibrations in 1.6 s.
            """)

    @Option(
        help: ArgumentHelp("Who this is about. (default: charge)", valueName: "id"), completion: .source, transform: Values.id)
    var id: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("What the first tick adds. (default: 0.0007)", valueName: "number"),
        transform: Values.amount)
    var increment: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How much the increment grows each tick. (default: 0.00007)", valueName: "number"),
        transform: Values.amount)
    var acceleration: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("From one tick to the next. (default: 10ms)", valueName: "time"),
        transform: Values.duration)
    var tick: Nanoseconds?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("How much is one step. (default: 0.01)", valueName: "share"),
        transform: Values.step)
    var step: Double?

    @Option(
        help: ArgumentHelp(
            "Count steps from the value felt last (`relative`), or at the multiples of --step (`grid`). (default: relative)",
            valueName: "relative|grid"),
        completion: .words(GateConfiguration.Mode.self), transform: Values.choice)
    var mode: GateConfiguration.Mode?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Let go once it has come this far: 0…1.", valueName: "share"),
        transform: Values.share)
    var releaseAt: Progress?

    @OptionGroup var simulation: SimulationOptions
    @OptionGroup var common: CommonOptions

    var charge: Charge {
        var charge = Charge()
        if let increment { charge.increment = increment }
        if let acceleration { charge.acceleration = acceleration }
        if let tick { charge.tick = tick }
        charge.releaseAt = releaseAt
        return charge
    }

    private var source: String { id ?? "charge" }

    func validate() throws {
        guard charge.steps() == nil else { return }
        throw ValidationError("this would take more than \(Charge.mostTicks) ticks; give a greater --increment or --acceleration")
    }

    func run() throws {
        let console = common.console()
        guard let steps = charge.steps() else { return }
        if simulation.simulate { return try simulate(steps, console) }
        let client = try common.connect()
        let interrupt = try Signals.catchInterrupts()
        var pipeline = Pipeline(client, console)
        console.beginBar(source)
        // From an earlier charge under the same id that was not let go.
        _ = try client.call(ReleaseParams(id: source))
        let start = MonotonicClock.now
        for (index, step) in steps.enumerated() {
            let planned = start + (charge.tick * (index + 1)).count
            Signals.sleep(until: planned)
            if let signal = Signals.take() { try cancelAndFail(pipeline.client, signal, console) }
            switch step {
            case .progress(let value):
                var params = params(value)
                params.atNs = planned
                try pipeline.send(.progress(params))
                console.drawBar(value.value, note: "")
            case .release: try pipeline.send(.release(ReleaseParams(id: source)))
            }
            try pipeline.attend()
        }
        do {
            try pipeline.finish(within: ProgressCommand.patience.count, interrupt: interrupt)
        } catch ClientError.interrupted {
            try cancelAndFail(pipeline.client, Signals.take() ?? SIGINT, console)
        }
        try console.say("\(source): \(pipeline.words)\(pipeline.tally.remedy(for: source))")
        try console.flush()
    }

    /// `client`: nil where the daemon is away, and with it all that it knew.
    private func cancelAndFail(_ client: HapticClient?, _ signal: Int32, _ console: Console) throws -> Never {
        _ = try? client?.call(ReleaseParams(id: source))
        _ = try? client?.call(CancelParams(.source(id: source)))
        try console.flush()
        throw Failure("cancelled", status: ExitStatus.interrupted(by: signal))
    }

    private func params(_ value: Progress) -> ProgressParams {
        var params = ProgressParams(id: source, value: value)
        params.step = step ?? 0.01
        params.mode = ProgressMode(mode ?? .relative)
        return params
    }

    private func simulate(_ steps: [Charge.Step], _ console: Console) throws {
        let board = try SimulatedBoard(simulation, console)
        for (index, step) in steps.enumerated() {
            try board.run(until: .zero + charge.tick * (index + 1))
            switch step {
            case .progress(let value): _ = try board.send(params(value))
            case .release: _ = try board.send(ReleaseParams(id: source))
            }
        }
        try board.finish()
        try console.say("\(source): \(board.tally.words)\(board.tally.remedy(for: source))")
        try console.flush()
    }
}
