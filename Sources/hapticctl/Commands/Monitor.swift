// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import HapticClient
import HapticCore
import HapticWire

struct Monitor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch what happens, live.",
        discussion: """
            Examples:

              hapticctl monitor
              hapticctl monitor --timeline
              hapticctl monitor --topics decisions,actuations --json

            Shows each input, whether it was felt or why not, and how each playback ended. Ctrl-C ends it, which is no error. With --timeline what was felt is drawn at the end.
            """)

    /// How long actuations may be told of after the last playback's end, in nanoseconds: at least, and at most where one is on.
    private static let (leastAfterglow, mostAfterglow): (Int64, Int64) = (100_000_000, 1_000_000_000)

    @Option(
        help: ArgumentHelp(
            "What to watch, with commas between: decisions, playbacks, actuations, actuators. (default: all but actuations; all with --json)",
            valueName: "topics"),
        transform: Self.topics)
    var topics: Set<Topic>?

    @Option(
        help: ArgumentHelp("End after this many playbacks have ended.", valueName: "n"),
        transform: Values.count(in: 1...1_000_000))
    var playbacks: Int?

    @Flag(help: "Draw what was felt, at the end.")
    var timeline = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if timeline, common.json {
            throw ValidationError("--timeline draws a picture, --json is for programs; give one of the two")
        }
    }

    @Sendable private static func topics(_ text: String) throws -> Set<Topic> {
        Set(try text.split(separator: ",").map { try Values.choice(String($0)) as Topic })
    }

    func run() throws {
        let console = common.console()
        let client = try common.connect()
        client.interruptDescriptor = try Signals.catchInterrupts()
        var watch = Watch(shown: topics ?? (common.json ? Set(Topic.allCases) : [.decisions, .playbacks, .actuators]))
        var subscribed = watch.shown
        if timeline || playbacks != nil { subscribed.formUnion([.decisions, .playbacks, .actuations]) }
        var notices: [Notice] = []
        client.onNotice = { notices.append($0) }
        _ = try client.call(.subscribe, SubscribeParams(topics: subscribed), as: SubscribeResult.self)
        do {
            while let patience = patience(watch) {
                try client.receiveNotices(timeout: patience) { !notices.isEmpty }
                for notice in notices { try show(notice, &watch, console) }
                notices.removeAll(keepingCapacity: true)
                try console.flush()
            }
        } catch ClientError.interrupted {
            // How one stops watching.
        } catch ClientError.timedOut {
            // All has been told of the playbacks that were waited for.
        }
        if timeline { try draw(watch.felt, console) }
        try console.flush()
    }

    /// How long to wait for more, in seconds; nil: no longer.
    private func patience(_ watch: Watch) -> Double?? {
        guard let playbacks, watch.ended >= playbacks else { return .some(nil) }
        let limit = watch.lastEnd + (watch.isOn ? Self.mostAfterglow : Self.leastAfterglow)
        let left = limit - MonotonicClock.now
        return left > 0 ? Double(left) / 1e9 : nil
    }

    private func show(_ notice: Notice, _ watch: inout Watch, _ console: Console) throws {
        let line = watch.take(notice, now: MonotonicClock.now)
        guard notice.topic.map(watch.shown.contains) ?? true else { return }
        try console.tell(notice)
        try console.say("\(console.coloured(watch.clock(line.atNs), .dim))  \(console.coloured(line.text, line.colour))")
    }

    private func draw(_ felt: FeltRecord, _ console: Console) throws {
        let picture = TimelinePicture(width: console.terminal.width, glyphs: console.terminal.isUnicode ? .blocks : .ascii)
        try console.say("")
        for line in picture.lines(felt) { try console.say(line) }
    }
}

/// What the monitor has seen, and how it says it.
struct Watch {
    struct Line {
        var atNs: Int64
        var text: String
        var colour: Console.Colour?
    }

    let shown: Set<Topic>
    private(set) var felt = FeltRecord()
    /// Playbacks.
    private(set) var ended = 0
    /// When the last end was told, on CLOCK_MONOTONIC.
    private(set) var lastEnd: Int64 = 0
    private var on: Set<String> = []
    private var start: Int64?

    init(shown: Set<Topic>) { self.shown = shown }

    /// Whether any actuator is on, as far as is known.
    var isOn: Bool { !on.isEmpty }

    /// Takes note of it, and returns it in words.
    mutating func take(_ notice: Notice, now: Int64) -> Line {
        switch notice {
        case .decision(let decision):
            let isFelt = decision.outcome == "played"
            if isFelt { felt.begin(at: MonotonicInstant(nanoseconds: decision.atNs)) }
            let playback = decision.playback.map { " (playback \($0))" } ?? ""
            let what = isFelt ? "felt: \(Words.felt(decision))\(playback)" : Words.notFelt(decision)
            let colour: Console.Colour? = isFelt ? .green : decision.outcome == "failed" ? .red : .dim
            return Line(atNs: decision.atNs, text: "\(Words.input(decision)): \(what)", colour: colour)
        case .playback(let ending):
            ended += 1
            lastEnd = now
            let colour: Console.Colour? = ending.ended == "completed" ? nil : ending.ended == "failed" ? .red : .yellow
            return Line(atNs: ending.atNs, text: "playback \(ending.playback): \(Words.ending(ending))", colour: colour)
        case .actuation(let actuation):
            if actuation.intensity > 0 { on.insert(actuation.actuator) } else { on.remove(actuation.actuator) }
            felt.add(
                actuator: actuation.actuator, intensity: actuation.intensity, at: MonotonicInstant(nanoseconds: actuation.atNs))
            let level =
                actuation.intensity > 0
                ? "on at \(Words.percent(actuation.intensity)), sharpness \(Words.percent(actuation.sharpness))" : "off"
            let late = Words.plain(Double((actuation.atNs - actuation.plannedNs) / 1000) / 1000)
            return Line(atNs: actuation.atNs, text: "\(actuation.actuator): \(level), \(late) ms late", colour: .dim)
        case .actuator(let actuator):
            let state = actuator.available ? "is there again" : "has gone\(actuator.error.map { ": \($0)" } ?? "")"
            return Line(atNs: now, text: "actuator \(actuator.actuator) \(state)", colour: actuator.available ? .green : .red)
        case .missed(let missed):
            return Line(atNs: now, text: "\(missed.count) notifications missed: they were not read fast enough", colour: .yellow)
        }
    }

    /// Seconds since the first line, to a millisecond.
    mutating func clock(_ atNs: Int64) -> String {
        let start = start ?? atNs
        self.start = start
        let milliseconds = max(0, atNs - start) / 1_000_000
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        let text = "\(milliseconds / 1000).\(fraction)s"
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }
}
