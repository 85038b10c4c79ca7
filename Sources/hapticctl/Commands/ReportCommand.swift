// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticDoctor
import HapticTerminal

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write one file for a bug report.",
        discussion: """
            Examples:

              hapticctl report
              sudo hapticctl report --yes -o report.txt

            It has versions, the kernel, the configuration, devices, status, decisions, what the doctor finds, and the service's state and log. Ids,
            names and values are left out unless --full is given. All of it is shown first. The file is new, and only its owner may read it:
            with sudo, that is the user who typed it.
            """)

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file to make; `-`: standard output. (default: hapticd-report-TIME.txt, in this folder)",
            valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "Show ids, names and values, and the configuration as it is.")
    var full = false

    @Flag(help: "Write it without asking.")
    var yes = false

    @Option(
        help: ArgumentHelp("The daemon's configuration. (default: /etc/hapticd/hapticd.yaml)", valueName: "file"),
        completion: .yamlFile)
    var config: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if output?.isEmpty == true { throw ValidationError("--output: the path is empty; leave it out, or give one") }
        if config?.isEmpty == true { throw ValidationError("--config: the path is empty; leave it out, or give one") }
        if common.quiet, output != "-", !yes || output == nil {
            throw ValidationError("--quiet shows nothing to agree to; give --yes and -o with the file")
        }
        if common.json {
            throw ValidationError("a report is text; for programs, `hapticctl doctor --json` and `hapticctl status --json`")
        }
    }

    func run() throws {
        let console = common.console()
        if output == "-" {
            for line in try makeReport().lines { try console.emit(line) }
            return try console.flush()
        }
        let question = Question(console)
        guard yes || question != nil else {
            throw Failure("nobody is at a terminal to agree to the report; give --yes to write it", status: ExitStatus.usage)
        }
        let path = output ?? ReportSources.date("hapticd-report-%Y%m%d-%H%M%S.txt")
        // Before somebody has read all of it.
        guard !NewFile.isTaken(path) else { throw NewFile.taken(path) }
        let report = try makeReport()
        for line in report.lines { try console.say(line) }
        try console.flush()
        if !yes, let question, try !question.isAgreed("Write it to \(path)?", orElse: false) {
            try console.say("Nothing was written.")
            return try console.flush()
        }
        try NewFile.write(report.lines, to: path)
        try console.say("Written to \(path).")
        try console.flush()
    }

    private func makeReport() throws(Failure) -> BugReport {
        try ReportSources(socket: common.socket, configurationPath: config, isFull: full).report()
    }
}
