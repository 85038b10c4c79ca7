// SPDX-License-Identifier: MIT
private import Glibc

/// Finds the descriptor of a line request for libgpiod 1.6, which does not say which one it got: it is the new one among those of
/// this process.
///
/// While one thread looks, no other may request or release a line: otherwise the new descriptor might be another thread's, or
/// have the number of one that was just closed. Who needs no descriptor does not look, and waits for nobody who does not either:
/// of lines that are to be switched off, one whose chip hangs keeps no other one on.
enum LineHandles {
    /// As the kernel names them in /proc/self/fd, whichever version of its interface they come by.
    static let line = "anon_inode:gpio-line"
    /// Shared by those who do not look.
    nonisolated(unsafe) private static let turn = {
        let turn = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        pthread_rwlock_init(turn, nil)
        return turn
    }()

    /// Does `open`, and returns its result with the descriptor that it has opened. Only descriptors whose targets begin with
    /// `name` count. Any thread; waits its turn.
    static func opening<Result>(_ name: String = line, _ open: () -> Result) -> (result: Result, descriptor: Int32?) {
        pthread_rwlock_wrlock(turn)
        defer { pthread_rwlock_unlock(turn) }
        let before = current(name)
        let result = open()
        return (result, current(name).subtracting(before).first)
    }

    /// Does `change`, which requests or releases lines, or copies or closes their descriptors, and needs no new one. Any thread; waits while another one looks.
    static func changing<Result, Failure: Error>(_ change: () throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_rwlock_rdlock(turn)
        defer { pthread_rwlock_unlock(turn) }
        return try change()
    }

    private static func current(_ name: String) -> Set<Int32> {
        var handles: Set<Int32> = []
        for entry in entries(of: "/proc/self/fd") {
            var target = [CChar](repeating: 0, count: 128)
            let length = readlink("/proc/self/fd/\(entry)", &target, target.count)
            guard length > 0, let number = Int32(entry) else { continue }
            if target.prefix(length).map({ UInt8(bitPattern: $0) }).starts(with: name.utf8) { handles.insert(number) }
        }
        return handles
    }
}
