// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticTerminal
import HapticWire

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show how the daemon is: what it decided, how late it was.",
        discussion: """
            Examples:

              hapticctl status
              hapticctl status --watch
              hapticctl status --prometheus /var/lib/prometheus/node-exporter/hapticd.prom

            First a verdict, then the actuators, the last decisions and what was counted. --watch shows it again every second, in place, until q or Ctrl-C; with --json a line each second. It waits for a daemon that goes.

            With --prometheus it writes metrics for node_exporter's textfile collector, in place of the text; the file is replaced as a whole.
            """)

    @Option(
        help: ArgumentHelp("Write metrics to this file; `-`: to standard output.", valueName: "file"), completion: .file())
    var prometheus: String?

    @Flag(help: "Show it again every second, in place, until q or Ctrl-C.")
    var watch = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if watch, prometheus != nil {
            throw ValidationError("--watch goes on, --prometheus writes a file once; give one of them")
        }
        if prometheus?.isEmpty == true {
            throw ValidationError("--prometheus: the path is empty; give a file, or `-` for standard output")
        }
        if prometheus != nil, common.json {
            throw ValidationError("--prometheus and --json are two forms of the output; give one of them")
        }
    }

    func run() throws {
        let console = common.console()
        if watch { return try keepShowing(console) }
        let client = try common.connect()
        if let prometheus {
            let metrics = PrometheusText(try Self.status(client)).text
            // node_exporter runs as a user of its own.
            guard prometheus == "-" else { return try WholeFile.write(metrics, to: prometheus, forAll: true) }
            for line in metrics.split(separator: "\n") { try console.emit(String(line)) }
            return try console.flush()
        }
        try show(client, console)
        try console.flush()
    }

    private static func status(_ client: HapticClient) throws(ClientError) -> StatusResult {
        try client.call(StatusParams())
    }

    private func show(_ client: HapticClient, _ console: Console) throws {
        let status = try Self.status(client)
        try console.writeJSON(status)
        guard !console.isJSON else { return }
        let recent = try Self.recent(client)
        // Who reads it from a pipe may look for a line as it is.
        let width = console.terminal.outputIsTerminal ? console.terminal.width : .max
        let motors = try Self.motors(client)
        let text = StatusText(status, recent: recent, motors: motors, socket: client.path, now: MonotonicClock.now, width: width)
        for line in text.lines { try console.say(line) }
    }

    /// The last decisions, or why there are none to be shown: the rest is worth showing all the same.
    private static func recent(_ client: HapticClient) throws(ClientError) -> Result<[HistoryEntry], ClientError> {
        do throws(ClientError) {
            let params = HistoryParams(last: Int64(StatusText.mostRecent))
            return .success(try client.call(params).entries)
        } catch {
            if error == .interrupted || error == .closed { throw error }
            return .failure(error)
        }
    }

    /// The actuators with their motors; empty if the daemon does not say: the rest is worth showing all the same.
    private static func motors(_ client: HapticClient) throws(ClientError) -> [ActuatorResult] {
        do throws(ClientError) {
            return try client.call(ActuatorsParams()).actuators
        } catch {
            if error == .interrupted || error == .closed { throw error }
            return []
        }
    }

    // MARK: --watch

    /// In nanoseconds.
    private static let interval: Int64 = 1_000_000_000

    /// Until q or Ctrl-C. A daemon that goes is waited for.
    private func keepShowing(_ console: Console) throws {
        guard console.isJSON || console.terminal.outputIsTerminal else {
            throw Failure(
                "--watch draws on a terminal, and standard output is none; give --json for a line each second",
                status: ExitStatus.usage)
        }
        guard console.isJSON || console.terminal.movesCursor else {
            throw Failure(
                "--watch draws in place, which a terminal of the kind `dumb` cannot show; give --json for a line each second, or set TERM",
                status: ExitStatus.usage)
        }
        let interrupt = try Signals.catchInterrupts()
        if !console.isJSON { Screen.open() }
        defer { Screen.close() }
        var seen = Seen()
        while true {
            let next = MonotonicClock.now + Self.interval
            // In the background nothing is shown: the terminal is another program's.
            if console.isJSON || Screen.isInForeground {
                console.measureTerminal()
                guard try poll(&seen, interrupt, console) else { return try Signals.endWatching() }
                try console.drawScreen()
            }
            switch try Screen.wait(until: next, interrupt: interrupt) {
            case .due: break
            case .quit: return
            case .interrupted: return try Signals.endWatching()
            }
        }
    }

    /// The daemon as it was when it was asked last.
    private struct Seen {
        var client: HapticClient?
        /// That it does not answer has been said.
        var isMissed = false
    }

    /// False: a signal has come.
    private func poll(_ seen: inout Seen, _ interrupt: Int32, _ console: Console) throws -> Bool {
        do {
            let connected = try seen.client ?? common.connect(isPatient: false)
            connected.interruptDescriptor = interrupt
            seen.client = connected
            try show(connected, console)
            seen.isMissed = false
        } catch ClientError.interrupted {
            return false
        } catch let error as ClientError {
            seen.client = nil
            let message = "hapticd does not answer: \(Failure(error).message)"
            try console.say([.init(message, .red)])
            if console.isJSON, !seen.isMissed { console.warn(message) }
            seen.isMissed = true
        }
        return true
    }
}
