// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticDoctor
import HapticTerminal
import HapticWire

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find what is wrong, and say how to fix it.",
        discussion: """
            Examples:

              hapticctl doctor
              sudo hapticctl doctor
              hapticctl doctor --no-pulse --json

            It looks at the socket, the daemon, the service, the configuration, each actuator's device, real time and memory. Each finding says what it
            is, why it matters and which commands help. It changes nothing. What only root may see is left out for other users. For root,
            $HAPTICD_SOCKET does not count. At a terminal it offers a test pulse on each actuator at the end.

            Exit status: 0 without a problem, 1 with one, also where there is no daemon.
            """)

    @Option(
        help: ArgumentHelp("The daemon's configuration. (default: /etc/hapticd/hapticd.yaml)", valueName: "file"),
        completion: .yamlFile)
    var config: String?

    @Flag(help: "Play a test pulse on each actuator, without asking first.")
    var pulse = false

    @Flag(help: "Play no test pulse, and do not ask.")
    var noPulse = false

    @Flag(help: "Print all that may be found, with causes and remedies, as a table of Markdown, and look at nothing.")
    var explain = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if pulse, noPulse { throw ValidationError("--pulse and --no-pulse say the opposite; give one of them") }
        if explain, common.json || pulse || noPulse {
            throw ValidationError(
                "--explain prints a table of Markdown and looks at nothing; leave out --json, --pulse and --no-pulse")
        }
        if config?.isEmpty == true { throw ValidationError("--config: the path is empty; leave it out, or give one") }
    }

    func run() throws {
        let console = common.console()
        if explain {
            for line in DoctorText.page { try console.emit(line) }
            return try console.flush()
        }
        var examination = try Examination(socket: common.socket, configurationPath: config)
        let facts = examination.facts()
        var findings = Checks.findings(facts)
        // What is known so far is read while the question is thought about.
        let isAsking = !pulse && !noPulse && Question(console) != nil && !common.quiet
        if isAsking { try show(DoctorText(findings: findings, isRoot: facts.user.isRoot), console) }
        let pulses = try self.pulses(examination, facts, console, isAsking: isAsking)
        findings += pulses
        let text = DoctorText(findings: findings, isRoot: facts.user.isRoot)
        if isAsking {
            if !pulses.isEmpty {
                try show(DoctorText(findings: findings, isRoot: facts.user.isRoot, shown: pulses), console)
            }
        } else {
            try show(text, console)
        }
        for finding in findings { try console.writeJSON(text.row(finding)) }
        try console.writeJSON(text.verdictRow)
        try console.flush()
        guard text.hasProblem else { return }
        var failure = Failure(lines: [])
        failure.message = text.verdict
        throw failure
    }

    private func show(_ text: DoctorText, _ console: Console) throws {
        for line in text.lines { try console.say(line) }
        try console.flush()
    }

    private func pulses(
        _ examination: Examination, _ facts: Facts, _ console: Console, isAsking: Bool
    ) throws -> [Finding] {
        guard pulse || isAsking, let client = examination.client, let actuators = examination.answers?.actuators else {
            return []
        }
        let pulses = TestPulse(client: client, facts: facts, question: pulse ? nil : Question(console))
        return try pulses.run(on: actuators)
    }
}
