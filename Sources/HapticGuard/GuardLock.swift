// SPDX-License-Identifier: MIT
private import Glibc
private import HapticCore
private import HapticThreads

/// The lock by which the guards of one place find each other: one of POSIX, which tells who has it.
public enum GuardLock {
    /// How long an earlier guard may take to let go.
    private static let longestTakeOver = Nanoseconds.seconds(1)

    /// Who has the outputs that belong to a lock.
    public enum Holder: Hashable, Sendable {
        /// This process, from now until it ends; or there is no lock, so that nobody has.
        case nobodyElse
        /// The guard of a daemon that lives: this process.
        case guardian(Int32)
        /// It could not be found out, for this errno.
        case unknown(errno: Int32)
    }

    /// Has the guard of a daemon that has gone let go, and takes its lock, which this process then has until it ends. Makes no lock.
    /// Waits for a second at most.
    public static func takeOver(_ path: String) -> Holder {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return errno == ENOENT ? .nobodyElse : .unknown(errno: errno) }
        guard let holder = lock(descriptor) else { return .nobodyElse }
        close(descriptor)
        return .guardian(holder)
    }

    /// Makes the lock and takes it, from an earlier guard where there is one. Its descriptor, or -1 and an errno.
    static func make(_ path: String) -> (Int32, Int32) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return (-1, errno) }
        guard lock(descriptor) != nil else { return (descriptor, 0) }
        close(descriptor)
        return (-1, EBUSY)
    }

    /// The process that does not let go; nil: it is ours.
    private static func lock(_ descriptor: Int32) -> Int32? {
        let end = SystemClock.now + longestTakeOver
        var holder: Int32 = 0
        while true {
            var lock = flock()
            lock.l_type = Int16(F_WRLCK)
            lock.l_whence = Int16(SEEK_SET)
            if fcntl(descriptor, F_SETLK, &lock) == 0 { return nil }
            guard SystemClock.now < end else { return holder }
            if fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid > 0 {
                holder = lock.l_pid
                kill(holder, SIGTERM)
            }
            usleep(2000)
        }
    }
}
