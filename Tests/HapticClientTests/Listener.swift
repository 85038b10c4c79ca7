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
        try #require(isBound && listen(descriptor, backlog) == 0)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Takes the next connection. To be closed.
    func takeNext() -> Int32 { accept(descriptor, nil, nil) }

    /// Takes the next connection, says `text`, and closes it.
    func turnAway(_ text: String) {
        let connection = takeNext()
        _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
        close(connection)
    }
}
