// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc
private import HapticCore
private import HapticThreads

/// The file by which the guards of one place find each other, and find out whether their daemons live.
///
/// A guard locks the bytes from 0 to the number of its bond, by a lock of POSIX. The kernel says which process has that lock, and
/// its length says which bond it is. The guard's daemon locks one byte for that bond, far behind. Both locks go with their
/// process, however it ends.
public enum GuardLock {
    /// How long an earlier guard may take to let go.
    private static let longestTakeOver = Nanoseconds.seconds(1)
    /// How long one without a daemon may take to obey before it is killed.
    private static let patience = Nanoseconds.milliseconds(500)

    /// Who has the outputs that belong to a lock.
    public enum Holder: Hashable, Sendable {
        /// This process, from now until it ends; or there is no lock, so that nobody has.
        case nobodyElse
        /// The guard of a daemon that lives: this process. Or it has no daemon, and cannot even be killed.
        case guardian(Int32)
        /// A daemon that lives, and whose guard is being replaced.
        case daemon
        /// It could not be found out, for this errno.
        case unknown(errno: Int32)
    }

    /// Ties a daemon to one guard. Nobody takes that guard for an orphan while the daemon lives and has the descriptor open.
    struct Bond {
        /// Hardly ever had twice. That of a daemon has the number of its process in it.
        let number: Int32
        let descriptor: Int32
    }

    /// Half of what a file's offset has room for everywhere: numbers are below it, the bytes of daemons above.
    private static let half: Int32 = 1 << 30
    /// Daemons have the numbers from here on, and who takes a lock without a guard those below.
    private static let daemons: Int32 = 1 << 29
    /// No process has a number of more bits.
    private static let processBits: Int32 = 22

    /// Has the guard of a daemon that has gone let go, and takes its lock, which this process then has until it ends. Makes no lock.
    /// Waits for a second at most.
    public static func takeOver(_ path: String) -> Holder {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return errno == ENOENT ? .nobodyElse : .unknown(errno: errno) }
        let number = Int32.random(in: 1..<daemons)
        // As a daemon of its own: nobody is to kill it for an orphan.
        _ = clinux_lock_share(descriptor, half + number)
        let holder = lock(descriptor, number)
        // The guard of a daemon that lives may just have been killed.
        if holder == nil, !hasAnyDaemon(descriptor, daemons..<half) { return .nobodyElse }
        close(descriptor)
        return holder.map(Holder.guardian) ?? .daemon
    }

    /// The daemon's end, to be had before its guard is started, which gets the number. An errno instead where the file cannot be had.
    static func bind(_ path: String, process: Int32 = getpid()) -> (Bond?, Int32) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return (nil, errno) }
        let number = daemons | Int32.random(in: 0..<128) << processBits | process
        let error = clinux_lock_share(descriptor, half + number)
        guard error != 0 else { return (Bond(number: number, descriptor: descriptor), 0) }
        close(descriptor)
        return (nil, error)
    }

    /// The guard's end: takes the lock, from an earlier guard where there is one. Its descriptor, or -1 and an errno.
    static func make(_ path: String, bond number: Int32) -> (Int32, Int32) {
        guard (1..<half).contains(number) else { return (-1, EINVAL) }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return (-1, errno) }
        // The daemon's lock may be on a file that has been moved away since: in this one it would count as dead.
        let error = hasDaemon(descriptor, number) ? lock(descriptor, number) == nil ? 0 : EBUSY : ESTALE
        guard error != 0 else { return (descriptor, 0) }
        close(descriptor)
        return (-1, error)
    }

    private static func hasDaemon(_ descriptor: Int32, _ number: Int32) -> Bool {
        !clinux_lock_is_free(descriptor, half + number)
    }

    private static func hasAnyDaemon(_ descriptor: Int32, _ numbers: Range<Int32>) -> Bool {
        guard !numbers.isEmpty else { return false }
        let number = clinux_lock_any(descriptor, half + numbers.lowerBound, Int32(numbers.count)) - half
        guard numbers.contains(number) else { return false }
        // One that was killed and that a device keeps from ending will not switch off any more.
        guard hasEnded(number & (1 << processBits - 1)) else { return true }
        return hasAnyDaemon(descriptor, numbers.lowerBound..<number) || hasAnyDaemon(descriptor, number + 1..<numbers.upperBound)
    }

    /// Whether the process is at its end, be it that some of its threads are not. False where it cannot be seen: it may be
    /// another namespace's.
    private static func hasEnded(_ process: Int32) -> Bool {
        let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 128)
        let length = read(file, &text, text.count)
        // The state follows the name, which may have any sign in it.
        guard length > 0, let name = text[..<length].lastIndex(of: UInt8(ascii: ")")) else { return false }
        let state = text[(name + 1)..<length].first { $0 != UInt8(ascii: " ") }
        return state == UInt8(ascii: "Z") || state == UInt8(ascii: "X")
    }

    /// Takes the lock, and has the guard that stands in the way let go. Returns the process of one that does not, or nil: the lock is
    /// ours.
    private static func lock(_ descriptor: Int32, _ number: Int32) -> Int32? {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_len = off_t(number)
        let start = SystemClock.now
        var last: Int32 = 0
        var end = MonotonicInstant.distantFuture
        while fcntl(descriptor, F_SETLK, &lock) != 0 {
            let now = SystemClock.now
            guard now < end else { return last }
            // Patience may be over late, where this process stood still: what is killed then has its time to go all the same.
            if now >= start + patience { end = min(end, max(start + longestTakeOver, now + patience)) }
            if let holder = holder(descriptor) {
                last = holder.process
                ask(holder, descriptor, isPatient: end == .distantFuture)
            }
            usleep(2000)
        }
        return nil
    }

    private struct Guardian: Equatable {
        var process: Int32
        /// Outside of `1..<half` for the lock of another program.
        var bond: Int32
    }

    private static func holder(_ descriptor: Int32) -> Guardian? {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_len = 1
        guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid > 0 else { return nil }
        return Guardian(process: lock.l_pid, bond: Int32(truncatingIfNeeded: lock.l_len))
    }

    /// Asks a guard, and no other program, to let go, which it does where it has no daemon any more. One without that does not, for
    /// it is stopped or hangs, is killed once patience is over: what it holds would stay on for good.
    private static func ask(_ guardian: Guardian, _ descriptor: Int32, isPatient: Bool) {
        guard (1..<half).contains(guardian.bond) else { return }
        let process = clinux_process_open(guardian.process)
        guard process >= 0 else { return }
        defer { close(process) }
        // Asked again now that the process is had: whoever may have got its number since it was seen with the lock is spared.
        guard holder(descriptor) == guardian else { return }
        if isPatient {
            _ = clinux_process_signal(process, SIGTERM)
        } else if !hasDaemon(descriptor, guardian.bond), !Canary.is("hung-guard-spared") {
            _ = clinux_process_signal(process, SIGKILL)
        }
    }
}
