// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticCore
import HapticMotors
import HapticService
import HapticTerminal
import HapticWire

struct Monitor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch what happens, live.",
        discussion: """
            Examples:

              hapticctl monitor
              hapticctl monitor --timeline
              hapticctl monitor --app till --outcome failed --time clock
              hapticctl monitor --topics decisions,actuations --json

            Shows each input with its number, whether it was felt or why not, and who sent it; `hapticctl why NUMBER` explains it. Steps of one progress or hold that follow one another are one line, which is shown when something else happens, after a second without a step, or after ten; --unfold shows each step. Playbacks are shown where they were not played to their end; all of them with --topics decisions,playbacks. Ctrl-C ends it, which is no error; SIGTERM ends it with 143. With --timeline what was felt is drawn at the end: by the model of each motor that is known, with its drive below. Ids and values of other users are hidden, unless `access: history` of the configuration names you.

            Where hapticd is stopped or restarted it waits until it can go on. With --json the gap is shown as {"connection": {"connected": false, …}} and {"connection": {"connected": true, …, "awayMs": 1203}}; the numbers of decisions and playbacks begin again after it.
            """)

    /// How long actuations may be reported after the last playback's end, in nanoseconds: at least, and at most where one is on.
    private static let (leastAfterglow, mostAfterglow): (Int64, Int64) = (100_000_000, 1_000_000_000)

    @Option(
        help: ArgumentHelp(
            "What to watch, with commas between: decisions, playbacks, actuations, actuators, holds, settings. (default: all but actuations; all with --json)",
            valueName: "topics"),
        completion: .topics, transform: Self.topics)
    var topics: Set<Topic>?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("End after this many playbacks have ended.", valueName: "n"),
        transform: Values.count(in: 1...1_000_000))
    var playbacks: Int?

    @Option(
        name: .customLong("source"),
        help: ArgumentHelp("Only inputs about this id; `*` is a wildcard. May be given again.", valueName: "id"),
        completion: .source, transform: Values.glob)
    var sources: [Glob] = []

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp("Only inputs of this app; `*` is a wildcard. May be given again.", valueName: "name"),
        completion: .app, transform: Values.glob)
    var apps: [Glob] = []

    @Option(
        name: .customLong("outcome"),
        help: ArgumentHelp(
            "Only inputs that ended so: felt, notFelt, or just played, merged, suppressed, preempted, cancelled or failed. May be given again.",
            valueName: "outcome"),
        completion: .words(WatchedOutcome.self), transform: Values.choice)
    var outcomes: [WatchedOutcome] = []

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp(
            "Only inputs of this class: alarm, notification, interaction or texture. May be given again.", valueName: "class"),
        completion: .words(FeedbackClass.self), transform: Values.choice)
    var classes: [FeedbackClass] = []

    @Option(
        help: ArgumentHelp(
            "Show when: `relative`, in seconds since the first line, or `clock`, the time of day. (default: relative)",
            valueName: "relative|clock"),
        completion: .words(TimeStyle.self), transform: Values.choice)
    var time: TimeStyle?

    @Flag(help: "Show each step in a line of its own, and each playback that the next one of its source has replaced.")
    var unfold = false

    @Flag(help: "Draw what was felt, at the end.")
    var timeline = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Where the connection is lost: end if it cannot be made again for this long. (default: wait for ever)",
            valueName: "time"),
        transform: Values.patience)
    var reconnectFor: Nanoseconds?

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
        let filter = WatchFilter(sources: sources, apps: apps, outcomes: Set(outcomes), classes: Set(classes))
        var watch = Watch(
            shown: topics ?? (common.json ? Set(Topic.allCases) : [.decisions, .playbacks, .actuators, .settings]),
            filter: filter, style: time ?? .relative)
        var folding = Folding()
        var failure: Failure?
        do {
            try follow(&watch, &folding, console)
        } catch ClientError.interrupted {
            do throws(Failure) { try Signals.endWatching() } catch { failure = error }
        } catch let error as ClientError {
            failure = Failure(error)
        } catch let error as Failure where error.status == ExitStatus.noDaemon {
            failure = error
        }
        try show(folding.end(), &watch, console)
        if timeline { try draw(watch.felt, console) }
        try console.flush()
        if let failure { throw failure }
    }

    /// Shows what happens until all that was asked for has been seen, also where the daemon is restarted meanwhile.
    private func follow(_ watch: inout Watch, _ folding: inout Folding, _ console: Console) throws {
        var subscribed = watch.shown
        if timeline || playbacks != nil { subscribed.formUnion([.decisions, .playbacks, .actuations]) }
        // What plays is known by the decision that it came of.
        if !watch.isUnfiltered { subscribed.insert(.decisions) }
        var client = try common.connect()
        client.interruptDescriptor = try Signals.catchInterrupts()
        var notices: [Notice] = []
        client.onNotice = { notices.append($0) }
        try Self.subscribe(client, to: subscribed)
        try greet(client, console)
        while !isOver(watch) {
            do throws(ClientError) {
                if timeline, watch.mayHaveOtherMotors { watch.learn(try Self.motors(client)) }
                try client.receiveNotices(timeout: patience(watch, folding)) { !notices.isEmpty }
            } catch  where error == .closed {
                try show(folding.end(), &watch, console)
                watch.connectionLost(at: MonotonicClock.now)
                client = try reconnect(client, to: subscribed, console)
            } catch  where error != .timedOut {
                throw error
            } catch {}
            for notice in notices { try show(notice, &watch, &folding, console) }
            notices.removeAll(keepingCapacity: true)
            try show(folding.end(at: MonotonicClock.now), &watch, console)
            console.lastLine = folding.growing.map { spans($0, &watch) }
            try console.flush()
        }
    }

    /// What is watched, and how that ends.
    private func greet(_ client: HapticClient, _ console: Console) throws {
        guard !console.isJSON else { return }
        let status = try client.call(StatusParams())
        let words = "hapticd \(status.version) at \(client.path), profile \(status.profile)\(restriction); Ctrl-C ends this"
        try console.say([.init(words, .dim)])
        try console.flush()
    }

    /// The filters, as they were given.
    private var restriction: String {
        let options =
            sources.map { "--source \($0.text)" } + apps.map { "--app \($0.text)" }
            + outcomes.map { "--outcome \($0.rawValue)" } + classes.map { "--class \($0.rawValue)" }
        return options.isEmpty ? "" : ", only \(options.joined(separator: " "))"
    }

    /// How the motors of the daemon's actuators move, as far as that is known.
    private static func motors(_ client: HapticClient) throws(ClientError) -> [Text: MotorModel] {
        var motors: [Text: MotorModel] = [:]
        do throws(ClientError) {
            let known = try client.call(ActuatorsParams()).actuators
            for actuator in known { motors[Text(actuator.name)] = actuator.motor?.model }
        } catch {
            switch error {
            // Then the picture shows what is meant.
            case .refused, .notUnderstood: break
            default: throw error
            }
        }
        return motors
    }

    private static func subscribe(_ client: HapticClient, to topics: Set<Topic>) throws(ClientError) {
        _ = try client.call(SubscribeParams(topics: topics))
    }

    private func reconnect(_ old: HapticClient, to topics: Set<Topic>, _ console: Console) throws -> HapticClient {
        let lostAt = MonotonicClock.now
        var report = ConnectionReport(console)
        try console.flush()
        try report.lost(at: lostAt)
        let client: HapticClient
        do throws(ClientError) {
            client = try HapticClient.reconnect(
                paths: [old.path], Reconnection(lostAt: lostAt, limit: reconnectFor.map { lostAt + $0.count }),
                interruptDescriptor: old.interruptDescriptor, onFailure: { report.failed($0) },
                greet: { client throws(ClientError) in
                    client.onNotice = old.onNotice
                    try Self.subscribe(client, to: topics)
                })
        } catch {
            guard error.mayPass else { throw error }
            throw Failure(
                "hapticd has not come back within \((reconnectFor ?? .zero).words): \(error)", status: ExitStatus.noDaemon)
        }
        try report.again(at: MonotonicClock.now, lostAt: lostAt)
        return client
    }

    /// The executor reports what it has done shortly after the engine has ended a playback.
    private func isOver(_ watch: Watch) -> Bool { limit(watch).map { $0 <= MonotonicClock.now } ?? false }

    /// When all has been reported of the playbacks that are waited for; nil: never.
    private func limit(_ watch: Watch) -> Int64? {
        guard let playbacks, watch.ended >= playbacks else { return nil }
        return watch.lastEnd + (watch.isOn ? Self.mostAfterglow : Self.leastAfterglow)
    }

    /// How long to wait for more, in seconds; nil: for ever.
    private func patience(_ watch: Watch, _ folding: Folding) -> Double? {
        [limit(watch), folding.due].compactMap(\.self).min().map { Double(max(0, $0 - MonotonicClock.now)) / 1e9 }
    }

    private func show(_ notice: Notice, _ watch: inout Watch, _ folding: inout Folding, _ console: Console) throws {
        guard watch.admits(notice) else { return }
        let line = watch.take(notice, now: MonotonicClock.now)
        guard notice.topic.map(watch.shown.contains) ?? true else { return }
        try console.writeJSON(notice)
        guard line.isShown(isRequested: topics != nil, unfolded: unfold) else { return }
        try show(unfold || common.json ? [line] : folding.add(line, at: MonotonicClock.now), &watch, console)
    }

    private func show(_ lines: [Watch.Line], _ watch: inout Watch, _ console: Console) throws {
        for line in lines { try console.say(spans(line, &watch)) }
    }

    private func spans(_ line: Watch.Line, _ watch: inout Watch) -> [Console.Span] {
        let sender = line.sender.map { "  by \($0)" } ?? ""
        return [.init(watch.clock(line.atNs), .dim), .init("  "), .init(line.text, line.colour), .init(sender, .dim)]
    }

    private func draw(_ felt: FeltRecord, _ console: Console) throws {
        let picture = TimelinePicture(width: console.terminal.width, glyphs: console.terminal.glyphs)
        try console.say("")
        for line in picture.lines(felt) { try console.say(line) }
    }
}
