// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticClient
import HapticTerminal
import HapticWire

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The daemon's socket. (default: $HAPTICD_SOCKET, or where it usually is)", valueName: "path"),
        completion: .file())
    var socket: String?

    @Flag(help: "One JSON text a line on standard output, nothing else; errors are JSON, too.")
    var json = false

    @Flag(name: .shortAndLong, help: "No output for people; errors are still shown.")
    var quiet = false

    @Option(
        help: ArgumentHelp("Colour: auto, always or never. (default: auto: on a terminal, without $NO_COLOR)", valueName: "when"),
        completion: .words(ColourUse.self), transform: Values.choice)
    var color: ColourUse?

    func validate() throws {
        if socket?.isEmpty == true { throw ValidationError("--socket: the path is empty; leave it out, or give one") }
    }

    func console() -> Console { Console(isJSON: json, isQuiet: quiet, colour: color ?? .auto) }

    /// The paths of sockets where the daemon may listen, in order.
    var socketPaths: [String] {
        var environment: [String: String] = [:]
        for name in ["HAPTICD_SOCKET", "XDG_RUNTIME_DIR"] { environment[name] = Environment.value(name) }
        return SocketPath.candidates(explicit: socket, environment: environment)
    }

    /// `isPatient`: see `HapticClient.init`.
    func connect(isPatient: Bool = true) throws(ClientError) -> HapticClient {
        try HapticClient(paths: socketPaths, app: ThisProgram.app, isPatient: isPatient)
    }
}

/// What the inputs about things, hands and tasks take.
struct FeedbackOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "`off`: it counts, and nothing is felt; or a pattern in place of the rule's. (default: normal)",
            valueName: "normal|off|pattern"),
        completion: .feedback, transform: Values.feedback)
    var feedback: FeedbackReference?
}

/// What the inputs take.
struct SimulationOptions: ParsableArguments {
    @Flag(help: "No daemon: simulated actuators in virtual time, which ends at once. Draws what would be felt.")
    var simulate = false

    @Option(
        help: ArgumentHelp("With --simulate: this configuration, not the built-in one.", valueName: "file"),
        completion: .yamlFile)
    var config: String?

    func validate() throws {
        if config != nil, !simulate {
            throw ValidationError(
                "--config is for --simulate; a running daemon has its own configuration, see `hapticctl reload`")
        }
    }
}
