// SPDX-License-Identifier: MIT
import Glibc
import Testing

/// A socket whose other end is in the hands of the test.
final class Listener {
    let path = "/tmp/hapticd-listener-\(UInt32.random(in: .min ... .max))"
    private let descriptor: Int32

    init(backlog: Int32 = 8) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound)
        try #require(listen(descriptor, backlog) == 0)
        Self.limitWaiting(on: descriptor)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Nothing is waited for longer than a minute, which only a failure takes.
    private static func limitWaiting(on descriptor: Int32) {
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Takes the next connection. To be closed.
    func takeNext() throws -> Int32 {
        let connection = accept(descriptor, nil, nil)
        try #require(connection >= 0, "waited in vain for a client to connect")
        Self.limitWaiting(on: connection)
        return connection
    }

    /// Takes the next connection, says `text`, and closes it.
    func reject(_ text: String) throws {
        let connection = try takeNext()
        _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
        close(connection)
    }
}
