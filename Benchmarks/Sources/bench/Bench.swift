// SPDX-License-Identifier: MIT
internal import CHarness
internal import FoundationEssentials
internal import Glibc
internal import Measuring

/// Measures the rows of docs/performance.md and writes them there.
@main struct Bench {
    private static let groups: [(name: String, what: String, rows: @Sendable (Site) throws -> [Row])] = [
        ("lateness", "a 5 ms schedule, idle and under load, against cyclictest", { try Lateness(site: $0).rows() }),
        ("latency", "socket write to first actuation, against C", { try Latency(site: $0).rows() }),
        ("events", "events a second and one call, against C and feedbackd", { try Throughput(site: $0).rows() }),
        ("engine", "one progress input in the engine alone", { try EngineCost(site: $0).rows() }),
        ("fitting", "a play fitted to its motor, against one that is not", { try Fitting(site: $0).rows() }),
        ("settings", "what people set, where nothing is, against the engine without it", { try NothingSet(site: $0).rows() }),
        ("things", "each thing of a large set, against a small one", { try Things(site: $0).rows() }),
        ("follow", "1,000 values a second that are followed, of 8 levers", { try Following(site: $0).rows() }),
        ("growth", "more sources, clients, actuators", { try Growth(site: $0).rows() }),
        ("rest", "idle, memory and start, against feedbackd", { try Rest(site: $0).rows() }),
        ("pwm", "200 Hz software PWM, against C", { try SoftwarePWM(site: $0).rows() }),
    ]

    private static var help: String {
        """
        Measures hapticd against references, in runs that alternate, and prints a table in Markdown.

        usage: bench [--quick] [--output FILE] [--root FOLDER] [ROWS…]

          --quick        shorter and fewer runs: 3 minutes in place of 15
          --output FILE  put the table into FILE too, below what is written there by hand
          --root FOLDER  the repository, with dist/hapticd of `make release` (default: the working folder)
          ROWS           only these; in FILE the others stay as they are:
        \(groups.map { "             " + $0.name + String(repeating: " ", count: 10 - $0.name.count) + $0.what }.joined(separator: "\n"))

        Needs the right to SCHED_FIFO: run it as root. `make bench` builds and installs all that it needs.
        """
    }

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.contains("--help") || arguments.contains("-h") {
            print(help)
            return
        }
        // From here on this is a process of its own. Its end ends all that it has started.
        let folder = String(cString: charness_supervise())
        do {
            try run(Array(arguments), folder)
        } catch {
            let bytes = Array("bench: \(error)\n".utf8)
            _ = write(STDERR_FILENO, bytes, bytes.count)
            exit(1)
        }
    }

    private static func run(_ arguments: [String], _ folder: String) throws {
        var plan = Plan.full
        var isQuick = false
        var output: String?
        var root = FileManager.default.currentDirectoryPath
        var names: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick": (plan, isQuick) = (.quick, true)
            case "--output", "--root":
                guard let value = rest.popFirst() else { throw Failure("\(argument) needs a value; see --help") }
                if argument == "--output" { output = value } else { root = value }
            case let name where groups.contains { $0.name == name }: names.append(name)
            default: throw Failure("there are no rows `\(argument)`; see --help")
            }
        }
        raiseDescriptorLimit()
        let site = try Site(root: root, folder: folder, plan: plan)
        let machine = try Machine(site)
        let start = now()
        var rows: [Row] = []
        for group in groups where names.isEmpty || names.contains(group.name) {
            let measured = try group.rows(site)
            for row in measured { site.say("  " + Table.line(row)) }
            rows += measured
        }
        let seconds = (now() - start) / 1_000_000_000
        let text = report(rows, machine, plan, isQuick: isQuick, seconds: seconds, root: root)
        print(text)
        guard let output else { return }
        let page = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        guard !names.isEmpty else { return try write(Document.replacing(in: page, by: text), to: output) }
        guard !isQuick, rows.allSatisfy({ $0.isMet != false }) else {
            throw Failure("rows of --quick, and one that is missed, come into the page with all others only; measure all rows")
        }
        let which = names.map { "`\($0)`" }.joined(separator: ", ")
        let note = "- rows of \(which), measured alone: commit \(machine.commit); \(machine.date)"
        guard let updated = Document.replacing(rows: rows.map(Table.line), in: page, note: note) else {
            throw Failure("\(output) has no table to put these rows into; measure all rows")
        }
        try write(updated, to: output)
    }

    private static func report(_ rows: [Row], _ machine: Machine, _ plan: Plan, isQuick: Bool, seconds: Int64, root: String)
        -> String
    {
        let notes = Document.notes(in: (try? String(contentsOfFile: root + "/Benchmarks/Missed.md", encoding: .utf8)) ?? "")
        let remarks = Table.remarks(rows, notes: notes)
        let effort =
            "\(plan.rounds) runs of each side in turn (\(plan.scheduleRounds) of a schedule, \(plan.growthRounds) of growth), \(seconds / 60) min \(seconds % 60) s\(isQuick ? ", `--quick`: too short to be relied on" : "")"
        return """
            ## Measured

            \(machine.lines.joined(separator: "\n"))
            - effort: \(effort)

            \(Table.lines(rows))

            \(remarks.isEmpty ? "No row is missed." : "## Missed, and why\n\n" + remarks)
            """
    }

    /// A thousand clients, and some more.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 4096))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
