// SPDX-License-Identifier: MIT
import Glibc
import HapticServer
import Testing

struct SocketPlaceTests {
    private func choose(
        explicit: String? = nil, inherited: Int = 0, configured: String? = nil, _ environment: [String: String],
        isRoot: Bool = false
    ) throws(SocketError) -> SocketPlace {
        try SocketPlace.choose(
            explicit: explicit, inherited: inherited, configured: configured, environment: environment, isRoot: isRoot)
    }

    @Test("The paths are tried in the order of the contract")
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
    }

    @Test("More descriptors than one are refused, for none would be served but the first")
    func moreDescriptorsThanOneAreRefused() {
        #expect(throws: SocketError.tooManyInherited(2)) { try choose(inherited: 2, [:]) }
    }
}

struct ListeningSocketTests {
    /// Runs `body` with a directory that is removed afterwards.
    private func inDirectory(_ body: (_ directory: String) throws -> Void) throws {
        let directory = try temporaryDirectory()
        defer { removeDirectory(directory) }
        try body(directory)
    }

    private func listen(
        _ path: String, makesDirectory: Bool = false, access: SocketAccess = .standard
    ) throws(SocketError) -> ListeningSocket {
        try ListeningSocket(.path(path, makesDirectory: makesDirectory), access: access)
    }

    private func mode(_ path: String) -> UInt32? {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt32(status.st_mode) : nil
    }

    @Test("The socket has the mode of the configuration, and is removed at the end")
    func socketHasTheMode() throws {
        try inDirectory { directory in
            let path = directory + "/new/hapticd.sock"
            let socket = try listen(
                path, makesDirectory: true, access: SocketAccess(mode: 0o600, group: "root", isGroupRequired: false))
            defer { close(socket.descriptor) }
            #expect(mode(path) == UInt32(S_IFSOCK) | 0o600)
            socket.remove()
            #expect(mode(path) == nil)
        }
    }

    @Test("A second daemon is refused, and the first one is unharmed")
    func secondDaemonIsRefused() throws {
        try inDirectory { directory in
            let path = directory + "/hapticd.sock"
            let first = try listen(path)
            defer { close(first.descriptor) }
            #expect(throws: SocketError.inUse(path: path)) { try listen(path) }
            #expect(mode(path) != nil)
        }
    }

    @Test("A daemon that listens without our lock is left alone, too")
    func listensWithoutOur() throws {
        try inDirectory { directory in
            let path = directory + "/hapticd.sock"
            let first = try listen(path)
            defer { close(first.descriptor) }
            unlink(path + ".lock")
            #expect(throws: SocketError.inUse(path: path)) { try listen(path) }
        }
    }

    @Test("The socket of a daemon that died is taken over")
    func socketOfADaemon() throws {
        try inDirectory { directory in
            let path = directory + "/hapticd.sock"
            var dead: ListeningSocket? = try listen(path)
            close(try #require(dead).descriptor)
            dead = nil
            #expect(mode(path) != nil)
            let next = try listen(path)
            defer { close(next.descriptor) }
            #expect(next.path == path)
        }
    }

    @Test("A socket that someone else has put there is not removed at the end")
    func socketThatSomeone() throws {
        try inDirectory { directory in
            let path = directory + "/hapticd.sock"
            let socket = try listen(path)
            defer { close(socket.descriptor) }
            unlink(path)
            unlink(path + ".lock")
            let other = try listen(path)
            defer { close(other.descriptor) }
            socket.remove()
            #expect(mode(path) != nil)
        }
    }

    @Test("What is not a socket is never removed")
    func socketIsNever() throws {
        try inDirectory { directory in
            let path = directory + "/file"
            close(open(path, O_CREAT | O_WRONLY, 0o600))
            #expect(throws: SocketError.notASocket(path: path)) { try listen(path) }
            #expect(mode(path) == UInt32(S_IFREG) | 0o600)
            #expect(mode(path + ".lock") == nil, "a lock is left")
        }
    }

    @Test("A path that does not fit is refused")
    func pathThatDoesNotFit() {
        let path = "/tmp/" + String(repeating: "x", count: 103)
        #expect(throws: SocketError.pathTooLong(path)) { try listen(path) }
    }

    @Test("A group that does not exist is an error where it was asked for, else a warning")
    func groupThatDoesNotExist() throws {
        try inDirectory { directory in
            let path = directory + "/hapticd.sock"
            #expect(throws: SocketError.noGroup("no-such-group")) {
                try listen(path, access: SocketAccess(mode: 0o660, group: "no-such-group", isGroupRequired: true))
            }
            #expect(mode(path) == nil)
            let socket = try listen(path, access: SocketAccess(mode: 0o660, group: "no-such-group", isGroupRequired: false))
            defer { close(socket.descriptor) }
            #expect(socket.warnings.count == 1)
        }
    }

    @Test("Only a listening socket is inherited, and it is never removed")
    func onlyAListening() throws {
        try inDirectory { directory in
            let path = directory + "/hapticd.sock"
            let made = try listen(path)
            defer { close(made.descriptor) }
            let inherited = try ListeningSocket(.inherited(descriptor: made.descriptor), access: .standard)
            inherited.remove()
            #expect(mode(path) != nil)
            #expect(throws: SocketError.notASocketToInherit(descriptor: 0)) {
                try ListeningSocket(.inherited(descriptor: 0), access: .standard)
            }
        }
    }
}
