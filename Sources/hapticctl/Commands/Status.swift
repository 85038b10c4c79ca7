// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticWire

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show how the daemon is: what it decided, how late it was.",
        discussion: """
            Examples:

              hapticctl status
              hapticctl status --watch
              hapticctl status --prometheus /var/lib/prometheus/node-exporter/hapticd.prom

            First a verdict, then the actuators, the last decisions and what was counted. --watch shows it again every second, in place, until Ctrl-C; with --json a line each second. It waits for a daemon that goes.

            With --prometheus it writes metrics for node_exporter's textfile collector, in place of the text; the file is replaced as a whole.
            """)

    @Option(
        help: ArgumentHelp("Write metrics to this file; `-`: to standard output.", valueName: "file"), completion: .file())
    var prometheus: String?

    @Flag(help: "Show it again every second, in place, until Ctrl-C.")
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
            guard prometheus == "-" else { return try WholeFile.write(metrics, to: prometheus) }
            for line in metrics.split(separator: "\n") { try console.emit(String(line)) }
            return try console.flush()
        }
        try show(client, console)
        try console.flush()
    }

    private static func status(_ client: HapticClient) throws(ClientError) -> StatusResult {
        try client.call(.status, NoParams(), as: StatusResult.self)
    }

    private func show(_ client: HapticClient, _ console: Console) throws {
        let status = try Self.status(client)
        try console.writeJSON(status)
        guard !console.isJSON else { return }
        let recent = try Self.recent(client)
        // Who reads it from a pipe may look for a line as it is.
        let width = console.terminal.outputIsTerminal ? console.terminal.width : .max
        let text = StatusText(status, recent: recent, socket: client.path, now: MonotonicClock.now, width: width)
        for line in text.lines { try console.say(line) }
    }

    /// The last decisions, or why there are none to be shown: the rest is worth showing all the same.
    private static func recent(_ client: HapticClient) throws(ClientError) -> Result<[HistoryEntry], ClientError> {
        do throws(ClientError) {
            let params = HistoryParams(last: Int64(StatusText.mostRecent))
            return .success(try client.call(.history, params, as: HistoryResult.self).entries)
        } catch {
            if error.isMissingMethod { return .success([]) }
            if error == .interrupted || error == .closed { throw error }
            return .failure(error)
        }
    }

    // MARK: --watch

    /// In nanoseconds.
    private static let interval: Int64 = 1_000_000_000

    /// Until Ctrl-C. A daemon that goes is waited for.
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
        let keyboard = console.isJSON ? nil : Keyboard()
        defer { keyboard?.restore() }
        try console.beginScreen()
        defer { try? console.endScreen() }
        var client: HapticClient?
        var isMissed = false
        while true {
            let next = MonotonicClock.now + Self.interval
            do {
                let connected = try client ?? common.connect(isPatient: false)
                connected.interruptDescriptor = interrupt
                client = connected
                console.measureTerminal()
                try show(connected, console)
                isMissed = false
            } catch ClientError.interrupted {
                return try Signals.endWatching()
            } catch let error as ClientError {
                client = nil
                let message = "hapticd does not answer: \(Failure(error).message)"
                try console.say([.init(message, .red)])
                if console.isJSON, !isMissed { console.warn(message) }
                isMissed = true
            }
            try console.drawScreen()
            if case .interrupted = try StandardInput.wait(interrupt: interrupt, deadline: next, isOpen: false) {
                return try Signals.endWatching()
            }
        }
    }
}
