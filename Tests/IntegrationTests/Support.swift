// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Where the build put the programs: beside the test bundle.
let programs: URL = {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    var folder = bundle.deletingLastPathComponent()
    while !FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent("hapticd").path) {
        precondition(folder.path != "/", "no hapticd beside \(bundle.path): run `swift build --build-tests` first")
        folder.deleteLastPathComponent()
    }
    return folder
}()

/// The folder of the package.
let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// A folder of its own for a test, gone with it.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        // Short: a socket's path has at most 107 bytes.
        url = URL(fileURLWithPath: "/tmp/hapticd-\(UInt32.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
    func read(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: false)
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: url.appendingPathComponent(name))
        return path(name)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

struct Waited: Error, CustomStringConvertible {
    let what: String
    var description: String { "gave up waiting: \(what)" }
}

/// The longest any test waits for anything: only a failure takes that long.
let patience = 60.0

/// Looks every 5 ms until `condition` holds.
func wait(for what: String, until condition: () throws -> Bool) throws {
    let end = Date(timeIntervalSinceNow: patience)
    while try !condition() {
        guard Date() < end else { throw Waited(what: what) }
        usleep(5000)
    }
}

/// The real daemon on a socket of its own.
final class Daemon {
    let folder: TemporaryFolder
    let socket: String
    let program: Program

    /// `wrapper`: a program and its arguments that becomes the daemon, such as one that takes privileges away.
    init(
        _ arguments: [String] = [], simulate: Bool = true, through wrapper: [String] = [], in folder: TemporaryFolder? = nil
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        socket = self.folder.path("hapticd.sock")
        let all = (simulate ? ["--simulate"] : []) + ["--socket", socket] + arguments
        let command = wrapper + [programs.appendingPathComponent("hapticd").path] + all
        program = try Program(command[0], Array(command.dropFirst()), in: self.folder)
        try program.waitUntilListening(at: socket)
    }

    /// With a configuration file, by default for one simulated actuator.
    convenience init(
        configuration rest: String, actuators: String = "[{ name: main, backend: simulated }]", _ arguments: [String] = [],
        in folder: TemporaryFolder? = nil
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        let file = try folder.configure(rest, actuators: actuators)
        try self.init(["--config", file] + arguments, simulate: false, in: folder)
    }

    /// The process of its guard.
    func guardian() throws -> Int32 { try #require(children(of: program.processIdentifier).first) }

    func connect() throws -> Connection { try Connection(to: socket, of: self) }

    func stop(_ signal: Int32 = SIGTERM) throws -> EndedProgram {
        program.signal(signal)
        return try program.wait()
    }

    func ctl(_ arguments: String..., input: String? = nil) throws -> EndedProgram {
        try runCtl(arguments + ["--socket", socket], input: input, in: folder)
    }

    /// Starts hapticctl without waiting for its end.
    func start(
        _ arguments: [String], environment: [String: String] = [:], input: FileHandle? = nil, output: FileHandle? = nil,
        errors: FileHandle? = nil
    ) throws -> Program {
        try Program(
            "hapticctl", arguments + ["--socket", socket], environment: environment, input: input, output: output,
            errors: errors, in: folder)
    }

    func status() throws -> [String: Any] { try connect().result("status") }
    func waitForSubscriber() throws {
        let client = try connect()
        try IntegrationTests.wait(for: "a subscriber") { try client.result("status").number("subscribers") == 1 }
    }

    /// The file of the daemon's log, in its lines.
    func logged(_ word: String) -> [Substring] { program.errors.split(separator: "\n").filter { $0.contains(word) } }
    func wait(toLog text: String) throws {
        try IntegrationTests.wait(for: "\(text) in the log; it has \(program.errors)") { program.errors.contains(text) }
    }
}

extension TemporaryFolder {
    /// Writes a configuration file, and returns its path.
    @discardableResult
    func configure(_ rest: String = "", actuators: String = "[{ name: main, backend: simulated }]") throws -> String {
        try write("version: 1\nactuators: \(actuators)\n\(rest)\n", to: "hapticd.yaml")
    }
}

/// Whether a process is gone, or a zombie.
func hasEnded(_ process: Int32) -> Bool {
    guard kill(process, 0) == 0 else { return true }
    return (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8))?.contains("State:\tZ") ?? true
}

/// The paths of the files that a process has open.
func openFiles(of process: Int32) -> [String] {
    let folder = "/proc/\(process)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
}

/// The processes that `process` has started.
func children(of process: Int32) throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter { child in
        let status = (try? String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8)) ?? ""
        return status.split(separator: "\n").contains("PPid:\t\(process)")
    }
}

/// A bare socket: what a program in any language would do.
final class Connection {
    private let descriptor: Int32
    /// Lives at least as long as the connection to it.
    private let daemon: Daemon?
    private var buffer = Data()
    private var nextID = 0

    struct Closed: Error {}

    init(to path: String, of daemon: Daemon? = nil) throws {
        self.daemon = daemon
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let status = withAddress(of: path) { [descriptor] in Glibc.connect(descriptor, $0, $1) }
        // All is set, so `deinit` closes the descriptor on this way out too.
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        var limit = timeval(tv_sec: Int(patience), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { Glibc.close(descriptor) }

    func send(bytes: Data) throws {
        var left = bytes
        while !left.isEmpty {
            let sent = left.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            left.removeFirst(sent)
        }
    }

    func send(_ line: String) throws { try send(bytes: Data((line + "\n").utf8)) }

    func halfClose() { shutdown(descriptor, Int32(SHUT_WR)) }

    func readLine() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                let line = String(decoding: buffer[buffer.startIndex..<end], as: UTF8.self)
                buffer.removeSubrange(buffer.startIndex...end)
                return line
            }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count == 0 { throw Closed() }
            guard count > 0 else { throw Waited(what: "an answer of the daemon") }
            buffer.append(contentsOf: chunk[0..<count])
        }
    }

    func readObject() throws -> [String: Any] {
        let line = try readLine()
        guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
            throw Waited(what: "an object in place of \(line)")
        }
        return object
    }

    /// One request; returns its answer, passing over notifications.
    @discardableResult
    func request(_ method: String, _ params: String = "{}") throws -> [String: Any] {
        nextID += 1
        try send(#"{"jsonrpc":"2.0","id":\#(nextID),"method":"\#(method)","params":\#(params)}"#)
        while true {
            let object = try readObject()
            if object["method"] == nil { return object }
        }
    }

    /// The result of a request; an error is thrown.
    @discardableResult
    func result(_ method: String, _ params: String = "{}") throws -> [String: Any] {
        let answer = try request(method, params)
        guard let result = answer["result"] as? [String: Any] else { throw Waited(what: "a result in place of \(answer)") }
        return result
    }

    func subscribe(_ topics: String...) throws {
        try result("subscribe", "{\"topics\":[\(topics.map { "\"\($0)\"" }.joined(separator: ","))]}")
    }

    /// The next notification of this method.
    func notification(_ method: String) throws -> [String: Any] {
        while true {
            let object = try readObject()
            if object["method"] as? String == method, let params = object["params"] as? [String: Any] { return params }
        }
    }
}

/// A socket that listens at `path`, as a service manager makes one to hand over.
func listeningSocket(at path: String) throws -> FileHandle {
    let handle = FileHandle(
        fileDescriptor: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0), closeOnDealloc: true
    )
    let isBound = withAddress(of: path) { bind(handle.fileDescriptor, $0, $1) == 0 }
    guard isBound, listen(handle.fileDescriptor, 8) == 0 else { throw Waited(what: "a socket at \(path)") }
    return handle
}

func withAddress<Result>(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
}

extension [String: Any] {
    func text(_ key: String) -> String? { self[key] as? String }
    func number(_ key: String) -> Double? { (self[key] as? NSNumber)?.doubleValue }
    func object(_ key: String) -> [String: Any] { self[key] as? [String: Any] ?? [:] }
    var errorCode: Int? { (object("error")["code"] as? NSNumber)?.intValue }
    var errorMessage: String { object("error").text("message") ?? "" }
}

/// Counts maximal runs of actuations above 0, each ended by one at 0.
struct PulseCounter {
    private(set) var pulses = 0
    private var isOn = false
    var endsOff: Bool { !isOn }

    mutating func add(_ actuation: [String: Any]) {
        let on = (actuation.number("intensity") ?? 0) > 0
        if isOn && !on { pulses += 1 }
        isOn = on
    }
}
