// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc
public import HapticBackends
private import HapticCore
internal import Synchronization

/// The daemon's end of the guard: starts the process and gives it the outputs.
///
/// `takeOver`, `hold`, `release` and `end` are called on a helper thread and wait for the guard's answers, a second or two at most. `beat` and `rest` are for
/// the executor and never wait.
public final class GuardLink: OutputGuard {
    private struct State {
        var process: pid_t = 0
        /// Readable at its end once the guard has gone.
        var lifeline: Int32 = -1
        /// Of the guard before this one.
        var formerSocket: Int32 = -1
        var lastSet: UInt32 = 0
        var held: [GuardedSet: [GuardedOutput]] = [:]
    }

    private let lockPath: String
    private let program: String
    private let state = Mutex(State())
    /// The daemon's end; -1 while there is no guard.
    let socket = Atomic<Int32>(-1)
    /// Made once, for the executor allocates nothing.
    private let beatBytes = GuardMessage.beat.bytes
    private let restBytes = GuardMessage.rest.bytes
    private static let answerTime = timeval(tv_sec: 2, tv_usec: 0)

    /// `lockPath`: of a file by which the guards of one place find each other. `program`: hapticd itself.
    public init(lockPath: String, program: String = "/proc/self/exe") {
        self.lockPath = lockPath
        self.program = program
    }

    // MARK: OutputGuard

    public func takeOver(device: String) throws(DriverFault) {
        let error = state.withLock { state in socket.load(ordering: .acquiring) >= 0 ? 0 : start(&state) }
        guard error == 0 else { throw noGuard(error, device) }
    }

    public func hold(_ outputs: [GuardedOutput], device: String) throws(DriverFault) -> GuardedSet {
        let (set, error) = state.withLock { state in
            state.lastSet += 1
            let set = GuardedSet(state.lastSet)
            var error = socket.load(ordering: .acquiring) >= 0 ? 0 : start(&state)
            if error == 0 { error = hold(set, outputs, state) }
            if error == 0 { state.held[set] = outputs }
            return (set, error)
        }
        guard error == 0 else { throw noGuard(error, device) }
        return set
    }

    public func release(_ set: GuardedSet) {
        state.withLock { state in
            guard state.held.removeValue(forKey: set) != nil else { return }
            // Without a guard there is no copy to close.
            _ = exchange(.release(set), state)
        }
    }

    private func noGuard(_ error: Int32, _ device: String) -> DriverFault {
        let why =
            error == EBUSY
            ? "the guard of another hapticd with the same socket does not let go"
            : "its guard process could not be started (\(String(cString: strerror(error))))"
        return DriverFault(
            .unusable(
                why: why, remedy: "nothing is driven without a guard; see that \(lockPath) can be written, it is tried again"),
            device: device)
    }

    // MARK: The executor's heartbeat

    /// Executor's thread; never waits. What does not get through is as if it had not been sent.
    public func beat() { tell(beatBytes) }

    /// Executor's thread; never waits.
    public func rest() { tell(restBytes) }

    private func tell(_ bytes: [UInt8]) {
        let socket = socket.load(ordering: .acquiring)
        if socket >= 0 { _ = clinux_send_message(socket, bytes, bytes.count, nil, 0) }
    }

    // MARK: The process

    /// A descriptor that can be read, at its end, once the guard has gone; -1 where there is none. Stays the link's.
    public var lifeline: Int32 { state.withLock { $0.lifeline } }

    /// Whether a guard runs or has run: then `lifeline` is to be watched.
    public var isStarted: Bool { socket.load(ordering: .acquiring) >= 0 }

    /// The guard has gone on its own: starts another and gives it what the first had. Where that fails there is none, and
    /// what it guarded must not be driven.
    public func replace() throws(DriverFault) {
        let error = state.withLock { state in
            bury(&state)
            var error = start(&state)
            for (set, outputs) in state.held where error == 0 { error = hold(set, outputs, state) }
            // Something may be on, and the executor's next beat is a while away: the daemon could stop before it.
            if error == 0 { beat() } else if socket.load(ordering: .acquiring) >= 0 { bury(&state) }
            return error
        }
        guard error == 0 else { throw noGuard(error, "what is guarded") }
    }

    /// Ends the guard. Every driver has released its outputs.
    public func end() {
        state.withLock { state in
            guard socket.load(ordering: .acquiring) >= 0 else { return }
            tell(GuardMessage.goodbye.bytes)
            // It has nothing left to do: this takes a millisecond.
            var poller = pollfd(fd: state.lifeline, events: Int16(POLLIN), revents: 0)
            poll(&poller, 1, 500)
            bury(&state)
        }
    }

    private func start(_ state: inout State) -> Int32 {
        var sockets: [Int32] = [-1, -1]
        var life: [Int32] = [-1, -1]
        var error = clinux_message_pair(&sockets)
        guard error == 0 else { return error }
        error = clinux_message_pair(&life)
        guard error == 0 else {
            for descriptor in sockets { close(descriptor) }
            return error
        }
        let texts = [GuardProcess.name, GuardProcess.argument, lockPath]
        var arguments: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        arguments.append(nil)
        let process = clinux_spawn_session(program, &arguments, [sockets[1], life[1]], 2)
        for argument in arguments { free(argument) }
        close(sockets[1])
        close(life[1])
        state.process = process
        state.lifeline = life[0]
        var patience = Self.answerTime
        setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        socket.store(sockets[0], ordering: .releasing)
        error = process > 0 ? answer() : -process
        if error != 0 { bury(&state) }
        return error
    }

    private func bury(_ state: inout State) {
        let socket = socket.exchange(-1, ordering: .acquiringAndReleasing)
        // The executor may be about to send on it: its number must not become another's meanwhile, so it is closed when the next one ends.
        if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
        if state.formerSocket >= 0 { close(state.formerSocket) }
        state.formerSocket = socket
        if state.lifeline >= 0 { close(state.lifeline) }
        state.lifeline = -1
        if state.process > 0 { reap(state.process) }
        state.process = 0
    }

    /// Its lifeline ends a moment before the process does.
    private func reap(_ process: pid_t) {
        var patience = 100
        while patience > 0, waitpid(process, nil, WNOHANG) == 0 {
            usleep(1000)
            patience -= 1
        }
    }

    private func hold(_ set: GuardedSet, _ outputs: [GuardedOutput], _ state: State) -> Int32 {
        let kinds = outputs.map { output -> GuardMessage.Kind in
            switch output {
            case .line: .line
            case .zero: .zero
            }
        }
        return exchange(.hold(set, kinds), state, descriptors: outputs.map(\.descriptor))
    }

    /// Sends a message that is answered. 0 or an errno.
    private func exchange(_ message: GuardMessage, _ state: State, descriptors: [Int32] = []) -> Int32 {
        let socket = socket.load(ordering: .acquiring)
        guard socket >= 0 else { return EPIPE }
        let bytes = message.bytes
        let error = clinux_send_message(socket, bytes, bytes.count, descriptors, Int32(descriptors.count))
        guard error == 0 else { return error }
        let result = answer()
        // One that is stopped or starved guards nothing, and would do later what is given up here: it is replaced as if it had died.
        if result == EAGAIN { kill(state.process, SIGKILL) }
        return result
    }

    private func answer() -> Int32 {
        var result: Int32 = 0
        var none = [Int32](repeating: -1, count: GuardMessage.most)
        var count: Int32 = 0
        let length = clinux_receive_message(
            socket.load(ordering: .acquiring), &result, MemoryLayout<Int32>.size, &none, &count)
        if length == MemoryLayout<Int32>.size { return result }
        return length < 0 ? Int32(-length) : EPIPE
    }
}
