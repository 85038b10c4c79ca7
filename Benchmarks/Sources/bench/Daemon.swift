// SPDX-License-Identifier: MIT
internal import CHarness
internal import FoundationEssentials
internal import Glibc

/// The daemon's configurations that are measured. None is `--simulate`, which does without real-time scheduling.
enum Board {
    /// Simulated motors, and a class without limits for what has to be felt each time.
    case simulated(motors: Int)
    /// A motor on a GPIO line with 200 Hz pulse-width modulation, and nothing behind the line.
    case nullGPIO
    /// Simulated motors, and a lever for each that is followed.
    case levers(Int)

    var configuration: String {
        switch self {
        case .simulated(let motors):
            let actuators = (0..<motors).map { "  - { name: motor-\($0), backend: simulated }" }.joined(separator: "\n")
            let rules = (0..<motors).map {
                "  - { match: tap-\($0), pattern: tap, class: alarm, actuators: [motor-\($0)] }"
            }.joined(separator: "\n")
            return """
                version: 1
                patterns: [patterns]
                actuators:
                \(actuators)
                progress:
                  - { match: "*", step: 0.01, pattern: soft, complete: success, actuators: [motor-0] }
                events:
                \(rules)
                bounds: { clientsPerUser: none, sourcesPerUser: 16384 }

                """
        case .levers(let count):
            let actuators = (0..<count).map { "  - { name: motor-\($0), backend: simulated }" }.joined(separator: "\n")
            let rules = (0..<count).map {
                "  - { match: lever-\($0), mode: follow, detents: 9, pattern: tick, actuators: [motor-\($0)] }"
            }.joined(separator: "\n")
            return """
                version: 1
                actuators:
                \(actuators)
                progress:
                \(rules)

                """
        case .nullGPIO:
            return """
                version: 1
                patterns: [patterns]
                actuators:
                  - { name: motor, backend: gpio, chip: /dev/null-gpio, line: 0, pwm: 200Hz, motor: { maxOn: 60s } }

                """
        }
    }

    /// On for 1 ms.
    static let tap = """
        version: 1
        name: tap
        tracks:
          - keyframes:
              - { at: 0ms, intensity: 0.8 }
              - { at: 1ms, intensity: 0, curve: step }

        """
}

/// The daemon as it is shipped, on a socket of its own.
final class Daemon {
    let program: Program
    let socket: String
    /// From its start to its answer to `status`, in ns.
    let readyAfter: Int64
    private static let edgesName = "edges"
    private let folder: String

    init(_ board: Board, _ site: Site) throws {
        folder = try site.newFolder()
        socket = folder + "/s"
        let configuration = folder + "/hapticd.yaml"
        try FileManager.default.createDirectory(atPath: folder + "/patterns", withIntermediateDirectories: true)
        try write(Board.tap, to: folder + "/patterns/tap.yaml")
        try write(board.configuration, to: configuration)
        var environment: [String: String] = [:]
        if case .nullGPIO = board {
            environment = ["LD_PRELOAD": site.tools + "/libNullGPIO.so", "NULL_GPIO_EDGES": "\(folder)/\(Self.edgesName)"]
        }
        let start = now()
        program = try Program(
            site.daemon, ["--config", configuration, "--socket", socket, "--state", "none", "--log-level", "warning"],
            environment: environment, in: folder)
        while true {
            if let line = Line(to: socket) {
                try line.send(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#)
                _ = try line.read()
                break
            }
            guard now() - start < 10_000_000_000 else { throw Failure("hapticd does not listen: \(program.errors)") }
            usleep(100)
        }
        readyAfter = now() - start
    }

    func connect() throws -> Line {
        guard let line = Line(to: socket) else { throw Failure("hapticd takes no connection: \(program.errors)") }
        return line
    }

    func status() throws -> DaemonStatus {
        let text = try answer(on: try connect(), to: #"{"jsonrpc":"2.0","id":1,"method":"status"}"#)
        struct Answer: Decodable { var result: DaemonStatus }
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).result
        } catch {
            throw Failure("hapticd says how it is in other words: \(error)")
        }
    }

    /// Its warnings since it was started.
    var warnings: [String] { program.errors.split(separator: "\n").map(String.init) }

    /// The daemon and its guard.
    var processes: [pid_t] { ProcessTable.family(of: program.process) }

    /// The SCHED_FIFO priority of its timing thread; 0 where it has none.
    var fifoPriority: Int {
        let process = program.process
        let thread = ProcessTable.threads(of: process).first { ProcessTable.name(ofThread: $0, of: process) == "hapticd-exec" }
        return thread.map { Int(max(0, charness_fifo_priority($0))) } ?? 0
    }

    /// How often the null line was set; only after `stop`.
    var edges: Int? {
        ProcessTable.read("\(folder)/\(Self.edgesName)").split(separator: "\n").first.flatMap { Int($0) }
    }

    func stop() { program.stop() }
}

/// What the daemon reports of itself, as far as it is needed here.
struct DaemonStatus: Decodable {
    struct Decisions: Decodable { var count: Int }
    struct Lateness: Decodable {
        var count: Int
        var p50Ns: Double
        var p99Ns: Double
        var p999Ns: Double?
    }

    var decisions: [Decisions]
    var missedActuations: Int
    var lateness: [Lateness]

    var decided: Int { decisions.reduce(0) { $0 + $1.count } }
}

/// Waits for the answer to a request; the lines before it are thrown away.
func answer(on line: Line, to request: String) throws -> String {
    try line.send(request)
    while true {
        let text = try line.readText()
        guard !text.contains(#""method":"#) else { continue }
        guard !text.contains(#""error":"#) else { throw Failure("hapticd refused \(request): \(text)") }
        return text
    }
}

func write(_ text: String, to path: String) throws {
    do {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    } catch {
        throw Failure("\(path) could not be written: \(error)")
    }
}
