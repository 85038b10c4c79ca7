// SPDX-License-Identifier: MIT
import ArgumentParser
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

            Shows each input, whether it was felt or why not, and which playbacks were not played to their end; all ends with --topics decisions,playbacks. Ctrl-C ends it, which is no error. With --timeline what was felt is drawn at the end.
            """)

    /// How long actuations may be told of after the last playback's end, in nanoseconds: at least, and at most where one is on.
    private static let (leastAfterglow, mostAfterglow): (Int64, Int64) = (100_000_000, 1_000_000_000)

    @Option(
        help: ArgumentHelp(
            "What to watch, with commas between: decisions, playbacks, actuations, actuators. (default: all but actuations; all with --json)",
            valueName: "topics"),
        completion: .topics, transform: Self.topics)
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
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
        return Set(try names.map { try Values.choice(String($0)) as Topic })
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
        var failure: ClientError?
        do {
            while !isOver(watch) {
                try client.receiveNotices(timeout: patience(watch)) { !notices.isEmpty }
                for notice in notices { try show(notice, &watch, console) }
                notices.removeAll(keepingCapacity: true)
                try console.flush()
            }
        } catch ClientError.interrupted {
            // How one stops watching.
        } catch ClientError.timedOut {
            // All has been told of the playbacks that were waited for.
        } catch let error as ClientError {
            failure = error
        }
        if timeline { try draw(watch.felt, console) }
        try console.flush()
        if let failure { throw failure }
    }

    /// The executor tells what it has done shortly after the engine tells that a playback has ended.
    private func isOver(_ watch: Watch) -> Bool { patience(watch).map { $0 <= 0 } ?? false }

    /// How long to wait for more, in seconds; nil: for ever.
    private func patience(_ watch: Watch) -> Double? {
        guard let playbacks, watch.ended >= playbacks else { return nil }
        let limit = watch.lastEnd + (watch.isOn ? Self.mostAfterglow : Self.leastAfterglow)
        return Double(limit - MonotonicClock.now) / 1e9
    }

    private func show(_ notice: Notice, _ watch: inout Watch, _ console: Console) throws {
        let line = watch.take(notice, now: MonotonicClock.now)
        guard notice.topic.map(watch.shown.contains) ?? true else { return }
        try console.tell(notice)
        guard topics != nil || !line.isRoutine else { return }
        try console.say("\(console.coloured(watch.clock(line.atNs), .dim))  \(console.coloured(line.text, line.colour))")
    }

    private func draw(_ felt: FeltRecord, _ console: Console) throws {
        let picture = TimelinePicture(width: console.terminal.width, glyphs: console.terminal.isUnicode ? .blocks : .ascii)
        try console.say("")
        for line in picture.lines(felt) { try console.say(line) }
    }
}
