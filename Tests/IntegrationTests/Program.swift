// SPDX-License-Identifier: MIT
import CPrograms
import Dispatch
import Foundation
import Synchronization

/// The exit status and the output of a program that has ended.
struct EndedProgram {
    /// The exit status, or the number of the signal that ended the program.
    let status: Int32
    let endedBySignal: Bool
    let output: String
    let errors: String

    /// - Parameter waited: The status word of `waitpid`.
    init(waited: Int32, output: String, errors: String) {
        endedBySignal = waited & 0x7f != 0
        status = endedBySignal ? waited & 0x7f : waited >> 8 & 0xff
        (self.output, self.errors) = (output, errors)
    }

    /// The exit status, if no signal ended the program and standard error is empty.
    var quietStatus: Int32? { endedBySignal || !errors.isEmpty ? nil : status }
    var errorLines: [Substring] { errors.split(separator: "\n") }

    /// The error that `--json` writes as one line on standard error.
    func error() throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(errors.utf8)) as? [String: Any] ?? [:]
        return errors.split(separator: "\n").count == 1 && object["schema"] as? Int == 1
            ? object["error"] as? [String: Any] ?? [:] : [:]
    }

    var objects: [[String: Any]] {
        output.split(separator: "\n").map { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
        }
    }
}

/// A started program whose output goes to files, so that it never waits for a reader.
///
/// `name` is one of our programs, or a path. `input`, `output` and `errors` replace the pipe and the files.
///
/// Not Foundation's `Process`: its `run()` copies 256 bytes from each entry of `/proc/self/fd`, past the end of the C library's
/// buffer once some 1,350 descriptors are open. This has crashed the tests, which hold hundreds of clients in this process.
final class Program {
    let processIdentifier: pid_t
    private let arguments: [String]
    private let folder: TemporaryFolder
    private let (outputPath, errorPath): (String, String)
    private let input = Pipe()
    /// The status word of `waitpid`; nil while the program runs, or before the first call of `isRunning` after its end.
    private var status: Int32?

    init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:], input standardInput: FileHandle? = nil,
        output: FileHandle? = nil, errors: FileHandle? = nil, in folder: TemporaryFolder
    ) throws {
        self.folder = folder
        self.arguments = arguments
        let label = "\(URL(fileURLWithPath: name).lastPathComponent)-\(UInt32.random(in: .min ... .max))"
        (outputPath, errorPath) = (folder.path(label + ".out"), folder.path(label + ".err"))
        for path in [outputPath, errorPath] { try Data().write(to: URL(fileURLWithPath: path)) }
        var inherited = ProcessInfo.processInfo.environment
        for key in [
            "HAPTICD_SOCKET", "RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR", "LISTEN_FDS", "LISTEN_PID", "NOTIFY_SOCKET",
            "WATCHDOG_USEC", "XDG_STATE_HOME", "LC_CTYPE", "LC_MESSAGES", "LANG", "LANGUAGE", "COLUMNS", "LINES", "NO_COLOR",
        ] {
            inherited[key] = nil
        }
        (inherited["LC_ALL"], inherited["TERM"]) = ("C.UTF-8", "xterm")
        // A daemon of a test has a state folder of its own, not that of the user who runs the tests.
        inherited["STATE_DIRECTORY"] = folder.path("state")
        let output = try output ?? FileHandle(forWritingTo: URL(fileURLWithPath: outputPath))
        let errors = try errors ?? FileHandle(forWritingTo: URL(fileURLWithPath: errorPath))
        let standard = [standardInput ?? input.fileHandleForReading, output, errors]
        let path = name.hasPrefix("/") ? name : programs.appendingPathComponent(name).path
        let started = withStrings([path] + arguments) { arguments in
            withStrings(inherited.merging(environment) { $1 }.map { "\($0)=\($1)" }) {
                cprograms_start(path, arguments, $0, standard.map(\.fileDescriptor))
            }
        }
        guard started > 0 else { throw POSIXError(POSIXErrorCode(rawValue: -started) ?? .EIO) }
        processIdentifier = started
        withExtendedLifetime(standard) {}
        try input.fileHandleForReading.close()
    }

    var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }
    var errors: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }

    var isRunning: Bool {
        guard status == nil else { return false }
        var ended: Int32 = 0
        if waitpid(processIdentifier, &ended, WNOHANG) == processIdentifier { status = ended }
        return status == nil
    }

    func write(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }
    func closeInput() { try? input.fileHandleForWriting.close() }
    /// Does nothing after the end of the program, when its number may belong to another process.
    func signal(_ number: Int32) { if isRunning { kill(processIdentifier, number) } }

    /// Sleeps until the program has ended, and kills it after `patience`.
    @discardableResult
    func wait() throws -> EndedProgram {
        if isRunning {
            let isLate = Atomic(false)
            let watchdog = DispatchWorkItem { [processIdentifier] in
                isLate.store(true, ordering: .relaxed)
                kill(processIdentifier, SIGKILL)
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: watchdog)
            var ended: Int32 = 0
            waitpid(processIdentifier, &ended, 0)
            watchdog.cancel()
            status = ended
            if isLate.load(ordering: .relaxed) { throw Waited(what: "\(arguments) to end; it said \(output)\(errors)") }
        }
        return EndedProgram(waited: status ?? 0, output: output, errors: errors)
    }

    /// Waits until standard output or standard error contains `text`.
    func wait(toSay text: String) throws {
        try IntegrationTests.wait(for: "\(arguments) to say \(text); it said \(output)\(errors)") {
            if output.contains(text) || errors.contains(text) { return true }
            guard isRunning else { throw Waited(what: "\(text); \(arguments) has ended: \(output)\(errors)") }
            return false
        }
    }

    /// Waits until a daemon accepts connections.
    func waitUntilListening(at socket: String) throws {
        try IntegrationTests.wait(for: "the daemon to listen; it said \(errors)") {
            guard isRunning else { throw Waited(what: "the daemon has ended: \(errors)") }
            return (try? Connection(to: socket)) != nil
        }
    }

    /// The kernel's letter for the state of the process: `S` sleeps, `T` is stopped.
    var state: Character? {
        let text = (try? String(contentsOfFile: "/proc/\(processIdentifier)/stat", encoding: .utf8)) ?? ""
        // The name before the state may contain parentheses, too.
        return text.split(separator: ")").last?.dropFirst().first
    }

    deinit {
        guard isRunning else { return }
        kill(processIdentifier, SIGKILL)
        waitpid(processIdentifier, nil, 0)
    }
}

private func withStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}

func runCtl(
    _ arguments: [String], environment: [String: String] = [:], input: String? = nil, in folder: TemporaryFolder? = nil
) throws -> EndedProgram {
    let program = try Program("hapticctl", arguments, environment: environment, in: folder ?? TemporaryFolder())
    if let input { program.write(input) }
    program.closeInput()
    return try program.wait()
}
