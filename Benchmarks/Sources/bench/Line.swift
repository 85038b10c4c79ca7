// SPDX-License-Identifier: MIT
internal import Glibc

/// A blocking Unix stream socket of lines, as a program without any library would have it. One thread.
final class Line {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// Where the next line begins in `buffer`.
    private var start = 0

    /// Nil where nobody listens there.
    init?(to path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { return nil }
        // A daemon that hangs must not hang this.
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure("a socket took nothing more: \(String(cString: strerror(errno)))") }
            sent += count
        }
    }

    func send(_ line: String) throws { try send(Array((line + "\n").utf8)) }

    /// The next line, without its end; waits for it.
    func read() throws -> ArraySlice<UInt8> {
        while true {
            if let line = takeLine() { return line }
            guard try receive(flags: 0) else { throw Failure("nothing came from a socket for 20 s, or it was closed") }
        }
    }

    func readText() throws -> String { String(decoding: try read(), as: UTF8.self) }

    /// Waits until a line has come, so many milliseconds at most. Returns whether one has.
    func hasLine(within milliseconds: Int32) throws -> Bool {
        let end = now() + Int64(milliseconds) * 1_000_000
        while buffer[start...].firstIndex(of: UInt8(ascii: "\n")) == nil {
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = (end - now()) / 1_000_000
            guard left > 0 else { return false }
            guard poll(&poller, 1, Int32(left)) == 1 else { continue }
            guard try receive(flags: 0) else { throw Failure("a socket was closed") }
        }
        return true
    }

    /// The next line where it has come already.
    func readIfThere() throws -> ArraySlice<UInt8>? {
        while true {
            if let line = takeLine() { return line }
            guard try receive(flags: Int32(MSG_DONTWAIT)) else { return nil }
        }
    }

    private func takeLine() -> ArraySlice<UInt8>? {
        guard let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { start = end + 1 }
        return buffer[start..<end]
    }

    /// False where nothing came.
    private func receive(flags: Int32) throws -> Bool {
        buffer.removeFirst(start)
        start = 0
        let kept = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: 65_536))
        var count = 0
        repeat {
            count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress! + kept, 65_536, flags) }
        } while count < 0 && errno == EINTR
        buffer.removeLast(65_536 - max(count, 0))
        return count > 0
    }
}

extension ArraySlice<UInt8> {
    /// The whole number behind the first `"name":` of a line of JSON; nil where there is none.
    func number(_ name: String) -> Int64? {
        let key = Array("\"\(name)\":".utf8)
        guard count > key.count else { return nil }
        for index in startIndex..<(endIndex - key.count)
        where self[index] == key[0] && self[index..<(index + key.count)].elementsEqual(key) {
            var value: Int64 = 0
            var digits = 0
            for byte in self[(index + key.count)...] {
                guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { break }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
                digits += 1
            }
            return digits > 0 ? value : nil
        }
        return nil
    }
}
