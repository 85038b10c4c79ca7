// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc

/// A guard's process, and our ends of what it was given.
struct SpawnedGuard: Sendable {
    var process: Int32
    var socket: Int32
    var lifeline: Int32
    var bond: Int32

    struct Failure: Error {
        var number: Int32
    }

    private static let answerTime = timeval(tv_sec: 2, tv_usec: 0)

    /// The guard takes the end of the calling thread for the daemon's. `lock`: the path of the file by which guards find each other.
    static func start(_ program: String, lock: String) throws(Failure) -> SpawnedGuard {
        let (bond, reason) = GuardLock.bind(lock)
        guard let bond else { throw Failure(number: reason) }
        do throws(Failure) {
            return try start(program, lock: lock, bond)
        } catch {
            close(bond.descriptor)
            throw error
        }
    }

    /// The guard gets the number and no copy of the descriptor, by which the daemon would seem to live on in it.
    private static func start(_ program: String, lock: String, _ bond: GuardLock.Bond) throws(Failure) -> SpawnedGuard {
        var sockets: [Int32] = [-1, -1]
        var lifelines: [Int32] = [-1, -1]
        var error = clinux_message_pair(&sockets)
        guard error == 0 else { throw Failure(number: error) }
        error = clinux_message_pair(&lifelines)
        guard error == 0 else {
            for descriptor in sockets { close(descriptor) }
            throw Failure(number: error)
        }
        let texts = [GuardProcess.name, GuardProcess.argument, lock, "\(bond.number)"]
        var arguments: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        arguments.append(nil)
        let process = clinux_spawn_session(program, &arguments, [sockets[1], lifelines[1]], 2)
        for argument in arguments { free(argument) }
        close(sockets[1])
        close(lifelines[1])
        guard process > 0 else {
            close(sockets[0])
            close(lifelines[0])
            throw Failure(number: -process)
        }
        var patience = answerTime
        setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        return SpawnedGuard(process: process, socket: sockets[0], lifeline: lifelines[0], bond: bond.descriptor)
    }
}
