// SPDX-License-Identifier: MIT
import Glibc
import HapticServer
import Testing

@Suite("The place of the socket") struct SocketPlaceTests {
    private func choose(
        explicit: String? = nil, inherited: Int = 0, configured: String? = nil, _ environment: [String: String],
        isRoot: Bool = false
    ) throws(SocketError) -> SocketPlace {
        try SocketPlace.choose(
            explicit: explicit, inherited: inherited, configured: configured, environment: environment, isRoot: isRoot)
    }

    @Test("The paths are tried in the order of the contract, and more than one inherited socket is refused")
    func placesAreLooked() throws {
        let all = ["RUNTIME_DIRECTORY": "/run/a:/run/b", "XDG_RUNTIME_DIR": "/run/user/1"]
        #expect(
            try choose(explicit: "/tmp/s", inherited: 1, configured: "/tmp/c", all) == .path("/tmp/s", makesDirectory: false))
        #expect(try choose(inherited: 1, configured: "/tmp/c", all, isRoot: true) == .inherited(descriptor: 3))
        #expect(try choose(configured: "/tmp/c", all, isRoot: true) == .path("/tmp/c", makesDirectory: false))
        #expect(try choose(all, isRoot: true) == .path("/run/a/hapticd.sock", makesDirectory: false))
        let user = ["XDG_RUNTIME_DIR": "/run/user/1"]
        #expect(try choose(user, isRoot: true) == .path("/run/hapticd/hapticd.sock", makesDirectory: true))
        #expect(try choose(user) == .path("/run/user/1/hapticd/hapticd.sock", makesDirectory: true))
        #expect(throws: SocketError.noPlace) { try choose([:]) }
        // None would be served but the first.
        #expect(throws: SocketError.tooManyInherited(2)) { try choose(inherited: 2, [:]) }
    }
}

@Suite("The listening socket") final class ListeningSocketTests {
    private let directory: String
    private var sockets: [ListeningSocket] = []

    init() throws { directory = try temporaryDirectory() }
    deinit {
        for socket in sockets { close(socket.descriptor) }
        removeDirectory(directory)
    }

    private var path: String { directory + "/hapticd.sock" }

    @discardableResult
    private func listen(
        _ path: String? = nil, makesDirectory: Bool = false, access: SocketAccess = .standard
    ) throws(SocketError) -> ListeningSocket {
        let socket = try ListeningSocket(.path(path ?? self.path, makesDirectory: makesDirectory), access: access)
        sockets.append(socket)
        return socket
    }

    private func mode(_ path: String) -> UInt32? {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt32(status.st_mode) : nil
    }

    @Test("The socket has the mode of the configuration, and is removed at the end")
    func socketHasTheMode() throws {
        let path = directory + "/new/hapticd.sock"
        let access = SocketAccess(mode: 0o600, group: "root", isGroupRequired: false)
        let socket = try listen(path, makesDirectory: true, access: access)
        #expect(mode(path) == UInt32(S_IFSOCK) | 0o600)
        socket.remove()
        #expect(mode(path) == nil)
    }

    @Test("A second daemon is refused, also without our lock, and the first one is unharmed")
    func secondDaemonIsRefused() throws {
        try listen()
        for _ in 1...2 {
            #expect(throws: SocketError.inUse(path: path)) { try self.listen() }
            #expect(mode(path) != nil)
            unlink(path + ".lock")
        }
    }

    @Test("The socket of a daemon that died is taken over")
    func socketOfADaemon() throws {
        try listen()
        close(sockets.removeLast().descriptor)
        #expect(mode(path) != nil)
        #expect(try listen().path == path)
    }

    @Test("A socket that someone else has put there is not removed at the end")
    func socketThatSomeone() throws {
        let socket = try listen()
        unlink(path)
        unlink(path + ".lock")
        try listen()
        socket.remove()
        #expect(mode(path) != nil)
    }

    @Test("A file that is not a socket is never removed, and a path that is too long is refused")
    func socketIsNever() throws {
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        #expect(throws: SocketError.notASocket(path: path)) { try self.listen() }
        #expect(mode(path) == UInt32(S_IFREG) | 0o600)
        #expect(mode(path + ".lock") == nil, "a lock is left")
        let long = "/tmp/" + String(repeating: "x", count: 103)
        #expect(throws: SocketError.pathTooLong(long)) { try self.listen(long) }
    }

    @Test("A group that does not exist is an error if it was asked for, else a warning")
    func groupThatDoesNotExist() throws {
        func access(_ isRequired: Bool) -> SocketAccess {
            SocketAccess(mode: 0o660, group: "no-such-group", isGroupRequired: isRequired)
        }
        #expect(throws: SocketError.noGroup("no-such-group")) { try self.listen(access: access(true)) }
        #expect(mode(path) == nil)
        #expect(try listen(access: access(false)).warnings.count == 1)
    }

    @Test("Only a listening socket is inherited, and it is never removed")
    func onlyAListening() throws {
        let inherited = try ListeningSocket(.inherited(descriptor: listen().descriptor), access: .standard)
        inherited.remove()
        #expect(mode(path) != nil)
        #expect(throws: SocketError.notASocketToInherit(descriptor: 0)) {
            try ListeningSocket(.inherited(descriptor: 0), access: .standard)
        }
    }
}
