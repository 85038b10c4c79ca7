// SPDX-License-Identifier: MIT
internal import ArgumentParser
private import CLinux
private import Glibc
private import HapticCore
private import HapticGuard
internal import HapticWire
internal import Logging

/// The command line of the daemon.
@main struct HapticdCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hapticd",
        abstract: "The haptic and sensory feedback service: programs tell what happened, it decides what is felt.",
        discussion: """
            Listens on a Unix socket: --socket, or a socket that it inherits, or $RUNTIME_DIRECTORY/hapticd.sock, or /run/hapticd/hapticd.sock (as root), or $XDG_RUNTIME_DIR/hapticd/hapticd.sock.

            SIGHUP reads the configuration again; SIGTERM and SIGINT stop it, with everything switched off.

            The log goes to standard error; where that is the journal of systemd, to the journal, with fields.
            """,
        version: HapticVersion.current)

    @Option(
        help: ArgumentHelp(
            "The configuration file (default: \(ConfigurationSource.standardPath) if it exists, else a built-in one).",
            valueName: "file"),
        completion: .file(extensions: ["yaml"]))
    var config: String?

    @Option(help: ArgumentHelp("The path of the socket.", valueName: "path"), completion: .file())
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "The folder that keeps what people set, or none (default: $STATE_DIRECTORY, else none with --simulate, else /var/lib/hapticd as root, else $XDG_STATE_HOME/hapticd or ~/.local/state/hapticd).",
            valueName: "folder"),
        completion: .directory)
    var state: String?

    @Flag(help: "Replace every actuator by a simulated one with the same limits; needs no hardware.")
    var simulate = false

    @Flag(help: "Check the configuration, say all that is wrong with it, and stop.")
    var check = false

    @Flag(
        help:
            "Switch off what a daemon that was killed may have left on, and stop: for the service manager, after the daemon's end."
    )
    var switchOff = false

    @Option(
        help: ArgumentHelp(
            "How much to log: \(levelNames) (default: info). From debug on, every decision and every end of a playback.",
            valueName: "level"),
        completion: .list(Logger.Level.allCases.map(\.rawValue)),
        transform: { name in
            guard let level = Logger.Level(rawValue: name) else {
                throw ValidationError("there is no level `\(name)`; give one of \(levelNames)")
            }
            return level
        })
    var logLevel = Logger.Level.info

    // Not in the help: what reads a journal is the simulator's `Replay`, which is not a program.
    @Option(
        help: ArgumentHelp(
            "Record what the engine takes, from the start on, into a new file.", valueName: "file", visibility: .private),
        completion: .file())
    var journal: String?

    private static let levelNames = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")

    /// As `ParsableCommand` has it, but for the exit status of wrong usage: 2, as hapticctl has.
    static func main() {
        clinux_occupy_standard_descriptors()
        DaemonSignal.endAtCrash()
        // What the daemon starts beside itself; not for people, so not in the help.
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == GuardProcess.argument {
            GuardProcess.run(lock: arguments[2], bond: arguments[3])
        }
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            let message = fullMessage(for: error, columns: HelpWidth.columns)
            switch exitCode(for: error) {
            case .success: print(message)
            case .validationFailure:
                // As the errors of hapticctl and of the start are: without the parser's own mark.
                let mark = "Error: "
                let text = message.hasPrefix(mark) ? message.dropFirst(mark.count) : message[...]
                // What the parser says quotes the command line only, so its line ends are taken for its own.
                for line in "hapticd: \(text)".split(separator: "\n") { printError(String(line)) }
                Glibc.exit(2)
            default: exit(withError: error)
            }
        }
    }

    func validate() throws {
        for (name, path) in [("--socket", socket), ("--config", config), ("--state", state), ("--journal", journal)]
        where path?.isEmpty == true {
            throw ValidationError("\(name): the path is empty; leave it out, or give one")
        }
        if check, switchOff {
            throw ValidationError("--check only checks, and --switch-off switches off; leave one out")
        }
        if journal != nil, check || switchOff {
            let other = check ? "--check" : "--switch-off"
            throw ValidationError("--journal: there is nothing to record with \(other); leave one out")
        }
    }

    func run() throws {
        let source = ConfigurationSource(explicit: config, isSimulated: simulate)
        do throws(StartError) {
            if check {
                print(try source.check().printable)
            } else if switchOff {
                let done = try SwitchOff.run(source, socket: socket)
                // After every end of the service it is called, and all is well then.
                if LogDestination.current() == .plain { print(done.printable) }
            } else {
                try Daemon.run(source, socket: socket, state: state, journal: journal, logLevel: logLevel)
            }
        } catch {
            let destination = LogDestination.current()
            for line in error.lines {
                if destination == .plain {
                    printError("hapticd: \(line)")
                } else {
                    destination.write(LogEntry(.critical, line, time: time(nil)))
                }
            }
            throw ExitCode(1)
        }
    }
}

/// A line on standard error.
private func printError(_ line: String) {
    let bytes = Array((line.printable + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// Why the daemon cannot start: whole sentences that say what to do.
struct StartError: Error {
    var lines: [String]
    /// How many errors those are: a line may stand for several.
    var count: Int

    init(_ lines: [String], count: Int? = nil) { (self.lines, self.count) = (lines, count ?? lines.count) }
    init(_ error: some Error & CustomStringConvertible) { self.init(["\(error)"]) }
}
