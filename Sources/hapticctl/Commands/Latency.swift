// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import HapticClient
import HapticCore
import HapticTerminal
import HapticText
import HapticWire

struct Latency: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure how soon the daemon answers, and how soon something is felt.",
        discussion: """
            Examples:

              hapticctl latency
              hapticctl latency --count 200 --actuator main --pattern soft

            It vibrates: --pattern is played --count times on one actuator, as often as the motor's limits allow, in the class `texture`, which as configured by default takes the motor from no other class. First it measures the round trip: a `play` with `feedback: off`, which is decided and answered as any other and is not felt. Then the time from writing a `play` to its first actuation, by the clock of both programs. Ctrl-C shows what there is so far. What the daemon itself measured is in `hapticctl status`.
            """)

    @Option(
        parsing: .unconditional, help: ArgumentHelp("How often to measure each: 1…100000. (default: 1000)", valueName: "n"),
        transform: Values.count(in: 1...100_000))
    var count: Int?

    @Option(
        help: ArgumentHelp("The actuator to play on. (default: the first one that is there)", valueName: "name"),
        completion: .actuator)
    var actuator: String?

    @Option(
        help: ArgumentHelp("What to play: short, and felt from its beginning on. (default: tick)", valueName: "name|file"),
        completion: .pattern)
    var pattern: String?

    @OptionGroup var common: CommonOptions

    private static let standardCount = 1000

    func validate() throws {
        if actuator?.isEmpty == true {
            throw ValidationError("--actuator: the name is empty; `hapticctl actuators` lists them")
        }
        if pattern?.isEmpty == true { throw ValidationError("--pattern: the name is empty; `hapticctl patterns` lists them") }
    }

    func run() throws {
        let console = common.console()
        let reference = try PatternFile.reference(pattern ?? "tick", note: console.note)
        let client = try common.connect()
        client.interruptDescriptor = try Signals.catchInterrupts()
        let actuator = try choose(try client.call(ActuatorsParams()).actuators)
        var play = PlayParams(pattern: reference)
        play.feedbackClass = .texture
        // What comes late is to be measured, not refused as stale.
        play.deadlineMs = WireLimit.deadlineMilliseconds.upperBound
        play.actuators = [actuator.name]
        let (length, felt) = try times(of: reference, client)
        var run = LatencyRun(client, play, pace: LatencyRun.pace(length: length, felt: felt, on: actuator))
        var failure: (any Error)?
        do {
            try measure(&run, console)
        } catch {
            failure = error
        }
        run.stop()
        run.sort()
        if run.roundTrips.count > 0 { try show(run, actuator, console) }
        try console.flush()
        switch failure {
        case nil: break
        case ClientError.interrupted?:
            throw Failure("interrupted", status: ExitStatus.interrupted(by: Signals.take() ?? SIGINT))
        case let error?: throw error
        }
    }

    // MARK: What to measure

    private func choose(_ actuators: [ActuatorResult]) throws(Failure) -> ActuatorResult {
        if let actuator {
            guard let named = actuators.first(where: { Text($0.name) == Text(actuator) }) else {
                throw Failure(unknownMessage("actuator", actuator, candidates: actuators.map(\.name)), code: .unknownName)
            }
            if let error = named.error { throw Failure("\(actuator) is missing: \(error)", code: .noActuator) }
            return named
        }
        let present = actuators.filter(\.isAvailable)
        // A light that stands in for a motor is not what one wants to know about.
        let standIns = Set(actuators.compactMap(\.fallback))
        guard let first = present.first(where: { !standIns.contains($0.name) }) ?? present.first else {
            throw Failure(
                "there is no actuator to measure; `hapticctl actuators` tells which are missing, and why", code: .noActuator)
        }
        return first
    }

    private func times(of pattern: PatternReference, _ client: HapticClient) throws -> (length: Nanoseconds, felt: Nanoseconds) {
        switch pattern {
        case .inline(let pattern):
            let duration = PatternFile.duration(of: pattern) ?? .zero
            return (duration, duration)
        case .named(let name):
            let known = try client.allPatterns()
            guard let pattern = known.first(where: { Text($0.name) == Text(name) }) else {
                throw Failure(UnknownWord(pattern: name, candidates: known.map(\.name)).message, code: .unknownName)
            }
            func time(_ milliseconds: Double) -> Nanoseconds { Nanoseconds(seconds: milliseconds / 1000) ?? .zero }
            return (time(pattern.durationMs), time(pattern.feltMs))
        }
    }

    // MARK: Measuring

    private func measure(_ run: inout LatencyRun, _ console: Console) throws {
        let count = count ?? Self.standardCount
        let first = try run.warmUp()
        if LatencyRun.isLasting(first) { throw try refusal(first, run) }
        console.beginBar("round trip")
        for done in 0..<count {
            try run.measureRoundTrip()
            console.drawBar(Double(done) / Double(count), note: "\(done) of \(count)")
        }
        _ = try run.client.call(SubscribeParams(topics: [.actuations]))
        console.beginBar("first actuation")
        var done = 0
        while done < count {
            switch try run.measureFirstActuation() {
            case .felt, .unfelt: done += 1
            case .refused: break
            case .hopeless(let decision): throw try refusal(decision, run)
            }
            console.drawBar(Double(done) / Double(count), note: "\(done) of \(count)")
        }
    }

    private func refusal(_ decision: DecisionResult, _ run: LatencyRun) throws -> Failure {
        Failure(Words.notFelt(decision, profile: try run.client.settings().profile.value), code: .notFelt)
    }

    // MARK: Showing

    private struct Result: Encodable {
        var actuator: String
        var pattern: String
        /// How often each was to be measured.
        var asked: Int
        var roundTrip: LatencyFigures
        var firstActuation: LatencyFigures
        var suppressed: [LatencyRun.Refusal]
        /// Decided as played, but no actuation came.
        var unfelt: Int
    }

    private func show(_ run: LatencyRun, _ actuator: ActuatorResult, _ console: Console) throws {
        let (count, name) = (count ?? Self.standardCount, pattern ?? "tick")
        try console.writeJSON(
            Result(
                actuator: actuator.name, pattern: name, asked: count, roundTrip: run.roundTrips,
                firstActuation: run.firstActuations, suppressed: run.refusals, unfelt: run.unfelt))
        let picture = LatencyPicture(width: console.terminal.width, isUnicode: console.terminal.isUnicode)
        let titles = (
            "ROUND TRIP of a play that is not felt", "FIRST ACTUATION of \(name) on \(actuator.name) (\(actuator.backend))"
        )
        for line in picture.lines(titles.0, run.roundTrips) + [""] + picture.lines(titles.1, run.firstActuations) {
            try console.say(line)
        }
        for refusal in run.refusals {
            let why = Reason(rawValue: refusal.reason).map { Words.reason($0) } ?? refusal.reason
            try console.say("\(refusal.count) not felt: \(why) (\(refusal.reason))")
        }
        if run.unfelt > 0 {
            try console.say("\(run.unfelt) left out by the executor, or lost with the device; see `hapticctl status`")
        }
    }
}
