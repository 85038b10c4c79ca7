// SPDX-License-Identifier: MIT
private import Glibc
private import Synchronization

/// The descriptors of line requests of this process. libgpiod 1.6 keeps to itself which one it got, so it is the one that is new.
///
/// The helper thread requests lines, and so do the threads that switch off what a daemon before this one drove. They take turns, and those that give
/// lines back with them: else the new one might be another's, or have the number of one that has just gone.
enum LineHandles {
    /// As the kernel names them in /proc/self/fd, whichever version of its interface they come by.
    static let line = "anon_inode:gpio-line"
    private static let turn = Mutex(())

    /// Does `open`, and returns its result with the descriptor that it has opened, of those whose targets begin with `name`. Any thread; waits its turn.
    static func opening<Result>(_ name: String = line, _ open: () -> Result) -> (result: Result, descriptor: Int32?) {
        turn.withLock { _ in
            let before = current(name)
            let result = open()
            return (result, current(name).subtracting(before).first)
        }
    }

    /// Does `close`. Any thread; waits its turn.
    static func closing(_ close: () -> Void) { turn.withLock { _ in close() } }

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
