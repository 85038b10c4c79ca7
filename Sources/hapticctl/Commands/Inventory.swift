// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticBackends
import HapticClient
import HapticConfig
import HapticCore
import HapticJSON
import HapticPatterns
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
            for line in metrics.split(separator: "\n") { try console.say(String(line)) }
            return try console.flush()
        }
        try console.writeJSON(status)
        for line in StatusText.lines(status, socket: client.path) { try console.say(line) }
        try console.flush()
    }
}

struct Actuators: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the motors and lights, and what they can do.",
        discussion: """
            Examples:

              hapticctl actuators
              hapticctl actuators --scan
              hapticctl actuators --scan --yaml > actuators.yaml

            --scan lists what this machine has, in use or not; it needs no daemon and changes nothing.
            """)

    @Flag(help: "Look for what this machine has: GPIO lines, PWM channels, game pads, lights.")
    var scan = false

    @Flag(help: "With --scan: an `actuators:` section to paste into the configuration.")
    var yaml = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if yaml, !scan { throw ValidationError("--yaml is about --scan; give that too") }
        if yaml, common.json { throw ValidationError("--yaml and --json are two forms of the output; give one of them") }
    }

    func run() throws {
        let console = common.console()
        if scan { return try Self.show(Backends.all.compactMap { $0.inventory() }, asYAML: yaml, console) }
        let result = try common.connect().call(.actuators, NoParams(), as: ActuatorsResult.self)
        try console.writeJSON(result)
        let rows = result.actuators.map { actuator in
            [
                actuator.name, actuator.backend, actuator.isAvailable ? "ready" : "missing",
                actuator.variesIntensity ? "any intensity" : "on or off",
                actuator.variesSharpness ? "any sharpness" : "one sharpness",
                Self.limits(actuator),
            ]
        }
        for line in Table.lines([["NAME", "BACKEND", "STATE", "INTENSITY", "SHARPNESS", "LIMITS"]] + rows) {
            try console.say(line)
        }
        for actuator in result.actuators {
            guard let error = actuator.error else { continue }
            try console.say("\(actuator.name): \(error)")
            guard let fallback = actuator.fallback else { continue }
            let isThere = result.actuators.contains { $0.name == fallback && $0.isAvailable }
            try console.say(isThere ? "  \(fallback) plays in its place meanwhile" : "  its fallback \(fallback) is missing, too")
        }
        try console.flush()
    }

    private static func show(_ inventories: [Inventory], asYAML: Bool, _ console: Console) throws {
        for object in inventories.flatMap(\.objects) { try console.writeJSON(object) }
        for line in asYAML ? ScanYAML(inventories).lines : ScanText(inventories).lines { try console.say(line) }
        try console.flush()
    }

    private static func limits(_ actuator: ActuatorResult) -> String {
        var limits: [String] = []
        if actuator.minGapMs > 0 { limits.append("at least \(Words.plain(actuator.minGapMs)) ms off between pulses") }
        if let maxOn = actuator.maxOnMs { limits.append("at most \(Words.plain(maxOn / 1000)) s on") }
        if actuator.duty < 1 { limits.append("on for at most \(Words.percent(actuator.duty)) of any 10 s") }
        return limits.isEmpty ? "none" : limits.joined(separator: ", ")
    }
}

struct Patterns: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the patterns, or show one of them.",
        discussion: """
            Examples:

              hapticctl patterns
              hapticctl patterns success
            """)

    @Argument(help: "Only this one.", completion: .patternName)
    var name: String?

    @OptionGroup var common: CommonOptions

    func run() throws {
        let console = common.console()
        let result = try common.connect().call(.patterns, NoParams(), as: PatternsResult.self)
        if let name {
            guard let pattern = result.patterns.first(where: { Text($0.name) == Text(name) }) else {
                throw Failure(unknownMessage("pattern", name, candidates: result.patterns.map(\.name)))
            }
            try console.writeJSON(pattern)
            try show([pattern], console)
            if !console.isJSON { try draw(pattern, console) }
        } else {
            try console.writeJSON(result)
            try show(result.patterns, console)
        }
        try console.flush()
    }

    /// The daemon says how long and how strong a pattern is, not what it is made of.
    private func draw(_ pattern: PatternResult, _ console: Console) throws {
        try console.say("")
        let known = Configuration.builtIn.patterns[Text(pattern.name)].map {
            PatternResult(name: $0.name, description: pattern.description, timeline: Timeline($0))
        }
        guard known == pattern else {
            return try console.say("Not a built-in pattern: `hapticctl play --pattern FILE --simulate` draws its file.")
        }
        let board = try SimulatedBoard(.builtIn, console)
        _ = try board.send(.play(PlayParams(pattern: .named(pattern.name))))
        try board.finish()
    }

    private func show(_ patterns: [PatternResult], _ console: Console) throws {
        let rows = patterns.map { pattern in
            [pattern.name, "\(Words.plain(pattern.feltMs)) ms", Words.percent(pattern.peak), pattern.description]
        }
        for line in Table.lines([["NAME", "FELT FOR", "PEAK", "WHAT IT MEANS"]] + rows) { try console.say(line) }
    }
}
