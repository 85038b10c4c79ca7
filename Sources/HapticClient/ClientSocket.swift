// SPDX-License-Identifier: MIT
private import Glibc

/// A connected, non-blocking Unix stream socket. Closed when it goes out of scope.
struct ClientSocket: ~Copyable {
    enum Readiness { case readable, writable, interrupted, timedOut }

    let descriptor: Int32

    /// Waits up to `timeout` seconds where the daemon's queue of connections is full; nil: fails there with `timedOut`.
    init(path: String, timeout: Int?) throws(ClientError) {
        guard path.utf8.count <= SocketPath.limit else { throw .pathTooLong(path: path) }
        let opened = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard opened >= 0 else { throw .last("socket") }
        do throws(ClientError) {
            if let timeout { Self.limitConnecting(opened, to: timeout) } else { try Self.unblock(opened) }
            try Self.connect(opened, to: path)
            try Self.unblock(opened)
        } catch {
            close(opened)
            throw error
        }
        descriptor = opened
    }

    deinit { close(descriptor) }

    private static func unblock(_ descriptor: Int32) throws(ClientError) {
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw .last("fcntl") }
    }

    private static func limitConnecting(_ descriptor: Int32, to timeout: Int) {
        var patience = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    private static func connect(_ descriptor: Int32, to path: String) throws(ClientError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result != 0 else { return }
        switch errno {
        case ENOENT, ECONNREFUSED, ENOTDIR, ENOTSOCK: throw .noDaemon(tried: [path])
        case EACCES, EPERM: throw .noPermission(path: path)
        case EAGAIN: throw .timedOut
        case EINTR: throw .interrupted
        default: throw .last("connect to \(path)")
        }
    }

    /// Waits until something can be done. `deadline` is on CLOCK_MONOTONIC in nanoseconds; nil waits for ever.
    func wait(forWriting: Bool, interrupt: Int32?, deadline: Int64?) throws(ClientError) -> Readiness {
        var descriptors = [
            pollfd(fd: descriptor, events: Int16(POLLIN | (forWriting ? POLLOUT : 0)), revents: 0),
            // poll skips a negative descriptor.
            pollfd(fd: interrupt ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let result = poll(&descriptors, 2, Self.milliseconds(until: deadline))
            if result < 0, errno != EINTR { throw .last("poll") }
            // One poll waits for 24 days at most.
            if let deadline, result == 0, MonotonicClock.now >= deadline { return .timedOut }
            guard result > 0 else { continue }
            if descriptors[1].revents != 0 { return .interrupted }
            // What came is read first, so that a daemon that waits for its reader goes on reading itself.
            return descriptors[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 ? .readable : .writable
        }
    }

    /// Waits until `instant`, or throws `interrupted` once `interrupt` is readable.
    static func pause(until instant: Int64, interrupt: Int32?) throws(ClientError) {
        var descriptor = pollfd(fd: interrupt ?? -1, events: Int16(POLLIN), revents: 0)
        while MonotonicClock.now < instant {
            let result = poll(&descriptor, 1, milliseconds(until: instant))
            if result < 0, errno != EINTR { throw .last("poll") }
            if result > 0 { throw .interrupted }
        }
    }

    private static func milliseconds(until deadline: Int64?) -> Int32 {
        guard let deadline else { return -1 }
        // Rounded up, or the last millisecond would be spent turning in circles.
        let left = (max(0, deadline - MonotonicClock.now) + 999_999) / 1_000_000
        return Int32(clamping: left)
    }

    /// Up to 64 KiB; empty where nothing is there, nil at the end.
    func read() throws(ClientError) -> ArraySlice<UInt8>? {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
            count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            filled = max(0, count)
        }
        if count > 0 { return bytes[...] }
        if count == 0 || errno == ECONNRESET { return nil }
        guard errno == EAGAIN || errno == EINTR else { throw .last("recv") }
        return []
    }

    /// How many of `bytes` were taken; 0 where there is no room.
    func write(_ bytes: ArraySlice<UInt8>) throws(ClientError) -> Int {
        let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count >= 0 { return count }
        if errno == EPIPE || errno == ECONNRESET { throw .closed }
        guard errno == EAGAIN || errno == EINTR else { throw .last("send") }
        return 0
    }
}

extension ClientError {
    fileprivate static func last(_ call: String) -> ClientError {
        let code = errno
        return .system(call: call, errno: code, message: String(cString: strerror(code)))
    }
}

/// CLOCK_MONOTONIC, which clients and the daemon share.
public enum MonotonicClock {
    /// In nanoseconds: what `atNs` means.
    public static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
