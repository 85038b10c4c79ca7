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
              hapticctl status --prometheus /var/lib/prometheus/node-exporter/hapticd.prom

            With --prometheus it writes metrics for node_exporter's textfile collector, in place of the text; the file is replaced as a whole.
            """)

    @Option(
        help: ArgumentHelp("Write metrics to this file; `-`: to standard output.", valueName: "file"), completion: .file())
    var prometheus: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if prometheus?.isEmpty == true {
            throw ValidationError("--prometheus: the path is empty; give a file, or `-` for standard output")
        }
        if prometheus != nil, common.json {
            throw ValidationError("--prometheus and --json are two forms of the output; give one of them")
        }
    }

    func run() throws {
        let console = common.console()
        let client = try common.connect()
        let status = try client.call(.status, NoParams(), as: StatusResult.self)
        if let prometheus {
            let metrics = PrometheusText(status).text
            guard prometheus == "-" else { return try WholeFile.write(metrics, to: prometheus) }
            for line in metrics.split(separator: "\n") { try console.emit(String(line)) }
            return try console.flush()
        }
        try console.writeJSON(status)
        for line in StatusText.lines(status, socket: client.path) { try console.say(line) }
        try console.flush()
    }
}
