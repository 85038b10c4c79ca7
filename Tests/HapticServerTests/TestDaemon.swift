// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import HapticClient
import HapticCore
import HapticService
import HapticText
import HapticWire
import NIOCore
import NIOPosix

@testable import HapticServer

/// The server on a real socket in a directory of its own. Ends with its scope.
final class TestDaemon: Sendable {
    let directory: String
    let path: String
    let sink = RecordingSink()
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let server: NIOLoopBound<FeedbackServer>
    private let channel: any Channel

    init(
        _ configuration: ServiceConfiguration? = nil,
        now: @escaping @Sendable () -> MonotonicInstant = { MonotonicInstant(nanoseconds: MonotonicClock.now) }
    ) throws {
        let configuration = try configuration ?? Rig.configuration()
        let directory = try temporaryDirectory()
        self.directory = directory
        path = directory + "/hapticd.sock"
        let socket = try ListeningSocket(.path(path, makesDirectory: false), access: .standard)
        let (loop, sink) = (group.next(), sink)
        server = try loop.submit {
            let server = FeedbackServer(
                configuration, version: "test", eventLoop: loop, sink: sink, ownUser: geteuid(),
                now: now, reloader: { _, _ in })
            return NIOLoopBound(server, eventLoop: loop)
        }.wait()
        let server = server
        let descriptor = socket.descriptor
        channel = try loop.flatSubmit { SocketServer.start(server.value, descriptor: descriptor) }.wait()
    }

    deinit {
        // Not waited for: the last one who held it may have been the event loop itself.
        group.shutdownGracefully { _ in }
        removeDirectory(directory)
    }

    /// Runs `body` with the server on its event loop.
    func onLoop<Value: Sendable>(_ body: @escaping @Sendable (FeedbackServer) throws -> Value) throws -> Value {
        let server = server
        return try group.next().submit { try body(server.value) }.wait()
    }

    /// Runs `body` while the event loop gets to nothing else.
    func whileBusy<Value>(_ body: () throws -> Value) throws -> Value {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw RawClient.Failure.connect(errno) }
        let readEnd = ends[0]
        group.next().execute {
            var byte: UInt8 = 0
            _ = read(readEnd, &byte, 1)
            close(readEnd)
        }
        defer { close(ends[1]) }
        return try body()
    }

    func connect() throws -> RawClient { try RawClient(self) }
}

/// A client without any knowledge of the protocol: writes bytes and reads lines.
final class RawClient {
    enum Failure: Error {
        case connect(Int32)
        case noLine
    }

    private let descriptor: Int32
    /// Lives as long as its clients.
    private let daemon: TestDaemon
    private var framer = LineFramer(limit: WireLimit.daemonLine)

    /// `waits`: if the daemon's queue of connections is full.
    init(_ daemon: TestDaemon, waits: Bool = true) throws {
        self.daemon = daemon
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        if !waits { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: daemon.path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Failure.connect(errno) }
        _ = fcntl(descriptor, F_SETFL, 0)
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Returns how many bytes were taken; less than all only if `waits` is false or the daemon has hung up.
    @discardableResult
    func write(_ text: String, waits: Bool = true) -> Int {
        let all = Array(text.utf8)
        var bytes = all[...]
        let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            if count <= 0 { break }
            bytes = bytes.dropFirst(count)
        }
        return all.count - bytes.count
    }

    /// The next line; nil at the end of the stream.
    func readLine() throws -> JSONValue? {
        while true {
            if case .line(let line) = framer.next() { return try JSONDecoder().decode(JSONValue.self, from: Data(line)) }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 || (count < 0 && errno == ECONNRESET) { return nil }
            guard count > 0 else { throw Failure.noLine }
            framer.append(buffer.prefix(count))
        }
    }

    /// Sends one request and reads the next line.
    func ask(_ method: String, _ params: String = "{}", id: Int = 1) throws -> JSONValue? {
        write(request(method, params, id: id) + "\n")
        return try readLine()
    }
}

func temporaryDirectory() throws -> String {
    var template = Array("/tmp/hapticd-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw RawClient.Failure.connect(errno) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func removeDirectory(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
