// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import HapticClient
import HapticCore
import HapticTerminal
import HapticWire

struct ProgressCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "progress",
        abstract: "Tell how far something has come; each step is felt.",
        discussion: """
            Examples:

              hapticctl progress upload 42%
              pv -n -i 0.1 FILE 2>&1 >COPY | hapticctl progress copy --stdin --max 100
              rsync -a --info=progress2 FROM TO | hapticctl progress copy --stdin
              seq 0 0.02 1 | hapticctl progress lever --stdin --mode follow --simulate

            With --stdin records end at CR or LF. The last `N%` of a record counts, else its first number divided by --max; records without a number are skipped. With --simulate each record comes 10 ms after the one before. pv reports once a second without -i, and rsync always so: few steps are felt then.

            Where hapticd is stopped or restarted meanwhile, the stream is read on, the connection is made again as soon as it can be, and the newest value is told then; a completion is felt also where it comes late. At the end of the stream --reconnect-for tells how long to wait for a daemon that is away; then it ends with 3, and with what was not delivered. The same goes for values that come faster than hapticd allows (`bounds: requestsPerUser`): the newest is told as soon as it may be, and one that cannot be told to the end ends it with 1.
            """)

    /// How long a person who pressed Ctrl-C waits for a daemon that does not answer, in seconds.
    private static let cancelTimeout = 0.3
    /// As long as a daemon that starts again may take.
    static let patience = Nanoseconds.seconds(10)

    /// Virtual time from one record to the next.
    static let simulatedInterval = Nanoseconds.milliseconds(10)

    @Argument(help: "Who this is about, such as `upload`.", completion: .source, transform: Values.id)
    var id: String

    @Argument(help: "How far it has come: 0…1 or a percentage.", transform: Values.share)
    var value: Progress?

    @Flag(help: "Read a stream of values from standard input, as they come.")
    var stdin = false

    @Option(
        help: ArgumentHelp(
            "In place of the rule's: steps from the value felt last (`relative`) or at multiples of a step (`grid`), or the value itself (`follow`).",
            valueName: "relative|grid|follow"),
        completion: .words(ProgressMode.self), transform: Values.choice)
    var mode: ProgressMode?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("With --stdin: the number that is 100%. (default: 1)", valueName: "max"),
        transform: Values.positive)
    var max: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --stdin: at the end of the stream, wait this long for a daemon that is away or refuses more for now. (default: \(patience))",
            valueName: "time"),
        transform: Values.patience)
    var reconnectFor: Nanoseconds?

    @OptionGroup var simulation: SimulationOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if reconnectFor != nil, !stdin { throw ValidationError("--reconnect-for is about --stdin; leave it out, or give both") }
        if max != nil, !stdin {
            throw ValidationError("--max is about --stdin; give --stdin too, or a percentage, such as `42%`, in place of both")
        }
        guard (value == nil) == stdin else {
            throw ValidationError(
                stdin
                    ? "give a value or --stdin, not both"
                    : "give a value in 0…1, such as `0.42` or `42%`, or --stdin to read a stream of them")
        }
    }

    func run() throws {
        let console = common.console()
        guard let value else { return try stream(console) }
        let params = params(value)
        if simulation.simulate {
            let board = try SimulatedBoard(simulation, console)
            return try board.sendAndFinish(params)
        }
        try Report.input(try common.connect().call(params), console)
    }

    private func params(_ value: Progress) -> ProgressParams {
        var params = ProgressParams(id: id, value: value)
        params.mode = mode
        return params
    }

    // MARK: A stream

    private func stream(_ console: Console) throws {
        let records: RecordParser
        if simulation.simulate {
            records = try simulateStream(console)
        } else {
            records = try sendStream(console)
        }
        let counts = records.counts
        var oddities: [String] = []
        if counts.skipped > 0 { oddities.append("\(Words.count(counts.skipped, "record")) without a number skipped") }
        if counts.clamped > 0 { oddities.append("\(Words.count(counts.clamped, "value")) beyond 0…1 cut to it; is --max right?") }
        try console.flush()
        if !oddities.isEmpty { console.warn(oddities.joined(separator: "; ")) }
    }

    private func sendStream(_ console: Console) throws -> RecordParser {
        var pipeline = Pipeline(try common.connect(), console)
        let interrupt = try Signals.catchInterrupts()
        var parser = RecordParser(max: max ?? 1)
        console.beginBar(id)
        do {
            try read(into: &parser, &pipeline, interrupt: interrupt, console)
            try pipeline.finish(within: (reconnectFor ?? Self.patience).count, interrupt: interrupt)
        } catch ClientError.interrupted {
            try cancel(&pipeline, console)
        }
        try console.say("\(id): \(pipeline.words)\(pipeline.tally.remedy(for: id))")
        return parser
    }

    /// To the end of the stream.
    private func read(
        into parser: inout RecordParser, _ pipeline: inout Pipeline, interrupt: Int32, _ console: Console
    ) throws {
        while true {
            let arrival = try StandardInput.wait(
                interrupt: interrupt, daemon: pipeline.descriptor, deadline: pipeline.deadline)
            switch arrival {
            case .bytes(let bytes):
                for value in parser.take(bytes) { try send(value, &pipeline, console) }
            case .end:
                if let value = parser.finish() { try send(value, &pipeline, console) }
                return
            case .interrupted: throw ClientError.interrupted
            case .daemon, .timedOut: break
            }
            try pipeline.attend()
            if console.isJSON { try console.flush() }
        }
    }

    /// What is felt of it ends. Where the daemon is away nothing is, and nobody is waited for.
    private func cancel(_ pipeline: inout Pipeline, _ console: Console) throws -> Never {
        if let client = pipeline.client {
            _ = try? client.call(CancelParams(.source(id: id)), timeout: Self.cancelTimeout)
            try? pipeline.attend()
        }
        try console.flush()
        throw Failure("cancelled: \(pipeline.words)", status: ExitStatus.interrupted(by: Signals.take() ?? SIGINT))
    }

    private func send(_ value: Progress, _ pipeline: inout Pipeline, _ console: Console) throws {
        try pipeline.send(.progress(params(value)))
        console.drawBar(value.value, note: "")
    }

    private func simulateStream(_ console: Console) throws -> RecordParser {
        let board = try SimulatedBoard(simulation, console)
        var parser = RecordParser(max: max ?? 1)
        var now = MonotonicInstant.zero
        func send(_ values: [Progress]) throws {
            for value in values {
                try board.run(until: now)
                _ = try board.send(params(value))
                now = now + Self.simulatedInterval
            }
        }
        reading: while true {
            switch try StandardInput.wait(interrupt: -1) {
            case .bytes(let bytes): try send(parser.take(bytes))
            case .end:
                try send(parser.finish().map { [$0] } ?? [])
                break reading
            case .daemon, .interrupted, .timedOut: break
            }
        }
        try board.finish()
        try console.say("\(id): \(board.tally.words)\(board.tally.remedy(for: id))")
        return parser
    }
}
