// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc
public import HapticBackends
private import HapticCore
private import HapticThreads
internal import Synchronization

/// The daemon's end of the guard: starts the process and gives it the outputs.
///
/// `takeOver`, `hold`, `release`, `replace` and `end` wait for the guard's answers, a second or two at most: they are not for the
/// event loop. `beat` and `idle` are for the executor and never wait.
public final class GuardLink: OutputGuard {
    private struct State {
        var process: pid_t = 0
        /// Guards that end or have ended, and are still to be reaped.
        var ending: [pid_t] = []
        /// Of the guard before this one.
        var formerSocket: Int32 = -1
        var lastSet: UInt32 = 0
        /// By copies of the link's own, for a device may close its descriptors before its driver can release them, and the numbers
        /// would be others' by the time that another guard is given them.
        var held: [GuardedSet: [GuardedOutput]] = [:]
        /// Starts the guards. A guard takes the end of the thread that started it for the daemon's, and the threads that ask for one may
        /// end long before. Made when it is first needed.
        var starter: StandingThread?
    }

    private let lockPath: String
    private let program: String
    private let state = Mutex(State())
    /// The daemon's end; -1 while there is no guard.
    let socket = Atomic<Int32>(-1)
    /// Of this guard's bond; -1 while there is none. Closed only once the guard is no longer relied on.
    let bond = Atomic<Int32>(-1)
    /// Readable at its end once the guard has gone. Apart from the state, which is locked while a guard is waited for.
    private let life = Atomic<Int32>(-1)
    /// Made once, for the executor allocates nothing.
    private let beatBytes = GuardMessage.beat.bytes
    private let idleBytes = GuardMessage.idle.bytes

    /// `lockPath`: of a file by which the guards of one place find each other. `program`: hapticd itself.
    public init(lockPath: String, program: String = "/proc/self/exe") {
        self.lockPath = lockPath
        self.program = program
    }

    // MARK: OutputGuard

    public func takeOver(device: String) throws(DriverFault) {
        let error = state.withLock { state in isStarted ? 0 : start(&state) }
        guard error == 0 else { throw fault(error, device: device) }
    }

    public func hold(_ outputs: [GuardedOutput], device: String) throws(DriverFault) -> GuardedSet {
        let (set, error) = state.withLock { state in
            state.lastSet += 1
            let set = GuardedSet(state.lastSet)
            var error = isStarted ? 0 : start(&state)
            let copies = outputs.map { $0.copy() }
            if error == 0 { error = copies.contains { $0.descriptor < 0 } ? EMFILE : hold(set, copies, by: state.process) }
            if error == 0 {
                state.held[set] = copies
            } else {
                // It may only have been too slow to say so: then it must not keep what nobody will ask back.
                send(GuardMessage.release(set).bytes)
                for copy in copies { close(copy.descriptor) }
            }
            return (set, error)
        }
        guard error == 0 else { throw fault(error, device: device) }
        return set
    }

    public func release(_ set: GuardedSet) {
        state.withLock { state in
            guard let copies = state.held.removeValue(forKey: set) else { return }
            for copy in copies { close(copy.descriptor) }
            // Without a guard it has no copy to close.
            _ = exchange(.release(set), for: set, with: state.process)
        }
    }

    /// Why `device` cannot be driven where no guard could be had, for this errno.
    private func fault(_ error: Int32, device: String) -> DriverFault {
        let why =
            switch error {
            case EBUSY: "the guard of another hapticd in the same place does not let go"
            case EAGAIN: "its guard process does not answer"
            default: "its guard process could not be started (\(String(cString: strerror(error))))"
            }
        return DriverFault(
            .unusable(
                why: why,
                remedy: "nothing is driven without one; see that \(lockPath) can be written, it is tried again by itself"),
            device: device)
    }

    // MARK: The executor's heartbeat

    /// Executor's thread; never waits. What does not get through is as if it had not been sent.
    public func beat() { send(beatBytes) }

    /// Executor's thread; never waits.
    public func idle() { send(idleBytes) }

    private func send(_ bytes: [UInt8]) {
        let socket = socket.load(ordering: .acquiring)
        if socket >= 0 { _ = clinux_send_message(socket, bytes, bytes.count, nil, 0) }
    }

    // MARK: The process

    /// A descriptor that can be read, at its end, once the guard has gone; -1 where there is none. Stays the link's. Any thread.
    public var lifeline: Int32 { life.load(ordering: .acquiring) }

    /// Whether there is a guard: then `lifeline` is to be watched. Any thread.
    public var isStarted: Bool { socket.load(ordering: .acquiring) >= 0 }

    /// The guard has gone on its own: starts another and gives it what the first had. Where that fails there is none, and
    /// what it guarded must not be driven.
    public func replace() throws(DriverFault) {
        let error = state.withLock { state in
            // Kept until there is the next one: who switches off is to see all the time that the daemon lives.
            let former = bond.exchange(-1, ordering: .acquiringAndReleasing)
            defer { if former >= 0 { close(former) } }
            tearDown(&state)
            let error = start(&state)
            // Something may be on, and the executor's next beat is a while away: the daemon could stop before it.
            if error == 0 { beat() }
            return error
        }
        guard error == 0 else { throw fault(error, device: "what is guarded") }
    }

    /// Ends the guard. Every driver has released its outputs.
    public func end() {
        state.withLock { state in
            guard isStarted else { return }
            send(GuardMessage.goodbye.bytes)
            // It has nothing left to do: this takes a millisecond.
            var poller = pollfd(fd: lifeline, events: Int16(POLLIN), revents: 0)
            poll(&poller, 1, 500)
            tearDown(&state)
        }
    }

    /// Starts a guard and gives it what is held. 0 or an errno; then there is none.
    private func start(_ state: inout State) -> Int32 {
        do throws(SpawnedGuard.Failure) {
            adopt(try spawnToStay(&state), &state)
        } catch {
            return error.number
        }
        var error = answer(for: .none)
        for (set, outputs) in state.held where error == 0 { error = hold(set, outputs, by: state.process) }
        if error != 0 { tearDown(&state) }
        return error
    }

    private func adopt(_ spawned: SpawnedGuard, _ state: inout State) {
        state.process = spawned.process
        life.store(spawned.lifeline, ordering: .releasing)
        bond.store(spawned.bond, ordering: .releasing)
        socket.store(spawned.socket, ordering: .releasing)
    }

    private func spawnToStay(_ state: inout State) throws(SpawnedGuard.Failure) -> SpawnedGuard {
        if state.starter == nil { state.starter = StandingThread(name: "hapticd-guard") }
        guard let starter = state.starter else { throw SpawnedGuard.Failure(number: ENOMEM) }
        let (program, lockPath) = (program, lockPath)
        return try starter.perform {
            Result { () throws(SpawnedGuard.Failure) in try SpawnedGuard.start(program, lock: lockPath) }
        }.get()
    }

    private func tearDown(_ state: inout State) {
        let socket = socket.exchange(-1, ordering: .acquiringAndReleasing)
        // The executor may be about to send on it: its number must not become another's meanwhile, so it is closed when the next one ends.
        if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
        if state.formerSocket >= 0 { close(state.formerSocket) }
        state.formerSocket = socket
        let lifeline = life.exchange(-1, ordering: .acquiringAndReleasing)
        if lifeline >= 0 { close(lifeline) }
        let bond = bond.exchange(-1, ordering: .acquiringAndReleasing)
        if bond >= 0 { close(bond) }
        if state.process > 0 { state.ending.append(state.process) }
        state.process = 0
        // Its end of the lifeline closes a moment before it can be reaped, and one that hangs is not waited for: the next time, then.
        state.ending.removeAll { waitpid($0, nil, WNOHANG) != 0 }
    }

    private func hold(_ set: GuardedSet, _ outputs: [GuardedOutput], by process: pid_t) -> Int32 {
        exchange(.hold(set, outputs.map(\.off)), for: set, with: process, outputs.map(\.descriptor))
    }

    /// Sends a message that is answered. 0 or an errno.
    private func exchange(
        _ message: GuardMessage, for set: GuardedSet, with process: pid_t, _ descriptors: [Int32] = []
    ) -> Int32 {
        let socket = socket.load(ordering: .acquiring)
        guard socket >= 0 else { return EPIPE }
        let bytes = message.bytes
        let error = clinux_send_message(socket, bytes, bytes.count, descriptors, Int32(descriptors.count))
        guard error == 0 else { return error }
        let result = answer(for: set)
        // One that is stopped or starved guards nothing, and would do later what is given up here: it is replaced as if it had died.
        if result == EAGAIN, process > 0 { kill(process, SIGKILL) }
        return result
    }

    /// Waits for the answer that is about `set`. 0 or an errno.
    private func answer(for set: GuardedSet) -> Int32 {
        var bytes = [UInt8](repeating: 0, count: GuardAnswer.size)
        var none = [Int32](repeating: -1, count: GuardMessage.most)
        var count: Int32 = 0
        while true {
            let length = clinux_receive_message(socket.load(ordering: .acquiring), &bytes, bytes.count, &none, &count)
            guard length >= 0 else { return Int32(-length) }
            guard let answer = GuardAnswer(Array(bytes.prefix(length))) else { return EPIPE }
            if answer.set == set { return answer.error }
        }
    }
}

extension GuardedOutput {
    /// The same output by a descriptor of its own, close-on-exec; below 0 where there is none to be had.
    fileprivate func copy() -> GuardedOutput {
        GuardedOutput(descriptor: fcntl(descriptor, F_DUPFD_CLOEXEC, 0), off: off)
    }
}
