// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticCore

/// The service manager that has started the daemon, where one has: it hands over sockets, hears how the daemon gets on, and kills one
/// that no longer says so.
struct ServiceManager: Sendable {
    /// Sockets that it has handed over, from `SocketPlace.firstInherited` on.
    let inheritedSockets: Int
    /// How long it waits from one sign of life to the next before it kills the daemon; nil: it wants none.
    let watchdogPeriod: Nanoseconds?
    /// A socket to its, by which one sees whether it reads; -1 where it wants to hear nothing.
    private let probe: CInt
    /// What of the environment cannot be used, a sentence each.
    let warnings: [String]

    /// Takes what the environment says, and what is only for this process out of it. Before the first thread is started, for they share it.
    static func takeOver() throws(StartError) -> ServiceManager {
        let variables: [String] = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS"].filter { getenv($0) != nil }
        guard !variables.isEmpty else { return ServiceManager(inheritedSockets: 0, watchdogPeriod: nil, probe: -1, warnings: []) }
        let library: Libsystemd
        do throws(Libsystemd.LoadError) {
            library = try Libsystemd.loaded.get()
        } catch {
            let names = variables.map { "$\($0)" }.joined(separator: ", ")
            throw StartError([
                "started under a service manager (\(names)), but libsystemd cannot be used: \(error); install libsystemd0, or what your distribution calls it, or unset the variables"
            ])
        }
        let sockets = library.listenFds(1)
        guard sockets >= 0 else {
            throw StartError([
                "$LISTEN_PID or $LISTEN_FDS is not as systemd sets it (\(String(cString: strerror(-sockets)))); unset both, or start hapticd by systemd"
            ])
        }
        var period: UInt64 = 0
        let watched = library.watchdogEnabled(1, &period)
        var warnings: [String] = []
        if watched < 0 {
            warnings.append(
                "$WATCHDOG_USEC or $WATCHDOG_PID is not as systemd sets it (\(String(cString: strerror(-watched)))), so no sign of life is given; unset both, or start hapticd by systemd"
            )
        }
        let isNotified = getenv("NOTIFY_SOCKET") != nil
        let probe = connectToNotifySocket()
        if isNotified, probe < 0 {
            warnings.append(
                "nobody can be notified at $NOTIFY_SOCKET, so whoever waits for hapticd to be ready waits in vain; unset it, or start hapticd by systemd"
            )
        }
        return ServiceManager(
            inheritedSockets: Int(sockets),
            // A day is as good as never, and multiplies without an overflow.
            watchdogPeriod: watched > 0 ? .microseconds(Int64(min(period, 86_400_000_000))) : nil,
            probe: probe, warnings: warnings)
    }

    /// Whether it wants to hear anything.
    var listens: Bool { probe >= 0 }

    /// Tells it (sd_notify(3) has the words). False where it did not get through: it listens to nothing, or does not get on with
    /// reading. Never waits. Any thread.
    func notify(_ state: String) -> Bool {
        // sd_notify would wait for room, and a manager that hangs must not hang the event loop.
        var room = pollfd(fd: probe, events: Int16(POLLOUT), revents: 0)
        guard probe >= 0, poll(&room, 1, 0) == 1, let library = try? Libsystemd.loaded.get() else { return false }
        return library.notify(0, state) > 0
    }

    /// -1 where there is no such socket.
    private static func connectToNotifySocket() -> CInt {
        guard let name = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }), var first = name.utf8.first else { return -1 }
        var address = sockaddr_un()
        guard name.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return -1 }
        let probe = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { return -1 }
        // A name in the abstract namespace.
        if first == UInt8(ascii: "@") { first = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: name.utf8)
            path[0] = first
        }
        // trap: a stored property of a C struct has an offset.
        let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + name.utf8.count + (first == 0 ? 0 : 1)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(probe, $0, socklen_t(length)) == 0 }
        }
        if isConnected { return probe }
        close(probe)
        return -1
    }
}
