// SPDX-License-Identifier: MIT
import Glibc
import HapticCore
import HapticTerminal
import HapticText

/// A command that runs in this program's place: in its group, and with its standard input, output and error. Signals are passed on to it.
struct Child: ~Copyable {
    struct Ending: Hashable {
        /// As a shell has it: of one that a signal ended 128 and its number.
        var status: Int32
        /// A signal that asks a program to end has come, or has ended it.
        var isInterrupted: Bool

        var state: TaskState { status == 0 ? .succeeded : isInterrupted ? .cancelled : .failed }

        /// `waited`: as `waitpid` tells it. `wasAsked`: to end, by a signal.
        init(waited: Int32, wasAsked: Bool) {
            let signal = waited & 0x7f
            status = signal != 0 ? ExitStatus.interrupted(by: signal) : waited >> 8 & 0xff
            isInterrupted = wasAsked || CommandSignals.requests.contains(signal)
        }
    }

    enum Event: Hashable {
        case ended(Ending)
        /// A signal has stopped the command; hapticctl has to stop itself by the same (`Signals.stop`).
        case stopped(by: Int32)

        /// `nil`: a stop of the command alone. `waited`, `wasAsked`: see `Ending`. `isInForeground`: see `CommandSignals.stopsBoth`.
        init?(waited: Int32, wasAsked: Bool, isInForeground: Bool) {
            guard waited & 0xff == 0x7f else {
                self = .ended(Ending(waited: waited, wasAsked: wasAsked))
                return
            }
            let signal = waited >> 8 & 0xff
            guard CommandSignals.stopsBoth(signal, isInForeground: isInForeground) else { return nil }
            self = .stopped(by: signal)
        }
    }

    private let process: pid_t
    private let signals: CommandSignals
    private var wasAsked: Bool

    /// Throws with the status that a shell has for it; without starting the command if one of `signals` has asked to end.
    init(_ command: [String], _ signals: CommandSignals) throws(Failure) {
        self.init(process: try Self.start(command, signals), signals)
        // A signal that came before the start has not gone to the command, not even one of the terminal.
        while let number = signals.nextPassedOn() { take(number, passesOn: true) }
    }

    private init(process: pid_t, _ signals: CommandSignals) {
        self.process = process
        self.signals = signals
        wasAsked = false
    }

    private static func start(_ command: [String], _ signals: CommandSignals) throws(Failure) -> pid_t {
        // trap: who calls this names a command.
        let program = command[0]
        if let signal = signals.request {
            throw Failure(
                "\(quoted(program)) was not started: a signal came first (\(String(cString: strsignal(signal))))",
                status: ExitStatus.interrupted(by: signal))
        }
        var process = spawn(command, signals)
        if process == -ENOEXEC, let script = ExecutableFile.path(of: program) {
            process = spawn(["/bin/sh", script] + command.dropFirst(), signals)
        }
        guard process < 0 else { return process }
        signals.unblock()
        throw failure(of: program, -process)
    }

    /// Why `program` could not be started, with the status that a shell has for it. `code`: the errno.
    static func failure(of program: String, _ code: Int32) -> Failure {
        let (name, path) = (quoted(program), ExecutableFile.path(of: program))
        guard code == ENOENT else {
            let isRefused = [EACCES, EPERM, ENOEXEC, ENOTDIR, EISDIR].contains(code)
            let advice = isRefused ? "name a program that this user may run" : "give it fewer arguments, or try again later"
            // The kernel refuses a folder with EACCES.
            let reason = code == EACCES && path.map(ExecutableFile.isFolder) == true ? EISDIR : code
            return Failure("cannot run \(name): \(String(cString: strerror(reason))); \(advice)", status: 126, code: .failed)
        }
        guard let path, access(path, F_OK) == 0 else {
            return Failure("there is no command \(name); correct its name, or give its path", status: 127, code: .failed)
        }
        return Failure(
            "cannot run \(name): the interpreter of its `#!` line, or its loader, does not exist; install it, or correct that line",
            status: 127, code: .failed)
    }

    /// Returns the number of the process, or an errno, negative.
    private static func spawn(_ command: [String], _ signals: CommandSignals) -> pid_t {
        var mask = signals.former
        let arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        return spawnBeside(arguments, mask: &mask, ignoresPipe: Signals.isPipeIgnored)
    }

    /// Waits for the end, however long, and passes signals on. They stay blocked afterwards, so that the end is reported whatever comes.
    mutating func waitForEnd() -> Ending {
        while true {
            switch nextEvent(waits: true) {
            case .ended(let ending): return ending
            case .stopped(let signal): Signals.stop(by: signal)
            case nil: break
            }
        }
    }

    /// Passes signals on until the command ends or stops. `nil`, unless it `waits`: the command runs.
    mutating func nextEvent(waits: Bool) -> Event? {
        while let (number, code) = signals.next(waits: waits) {
            guard number == SIGCHLD else {
                take(number, passesOn: CommandSignals.isPassedOn(number, code: code))
                continue
            }
            var status: Int32 = 0
            guard waitpid(process, &status, WNOHANG | WUNTRACED) == process else { continue }
            let isInForeground = CommandSignals.isInForeground
            if let event = Event(waited: status, wasAsked: wasAsked, isInForeground: isInForeground) { return event }
        }
        return nil
    }

    private mutating func take(_ number: Int32, passesOn: Bool) {
        if CommandSignals.requests.contains(number) { wasAsked = true }
        if passesOn { kill(process, number) }
    }
}

/// A file that the system may run.
enum ExecutableFile {
    /// The path of the file that a shell runs for `name`, which is a path or the name of a file in a folder of `folders`.
    static func path(of name: String, folders: String? = Environment.value("PATH")) -> String? {
        guard !name.utf8.contains(UInt8(ascii: "/")) else { return name }
        let folders = (folders ?? "/bin:/usr/bin").unicodeScalars.split(separator: ":", omittingEmptySubsequences: false)
        return folders.map { $0.isEmpty ? "./\(name)" : "\(String($0))/\(name)" }.first { isExecutable($0) }
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func isExecutable(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
