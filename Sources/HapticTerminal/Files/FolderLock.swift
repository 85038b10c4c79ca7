// SPDX-License-Identifier: MIT
import Glibc
import HapticClient

/// Has several `hapticctl` that ask for something and then set it take turns: a lock on the folder of the daemon's socket. Other programs
/// do not know of it.
package struct FolderLock: ~Copyable {
    /// Each of the others waits for the disk, a second at the most.
    private static let mostWaits = 1500
    private static let wait: UInt32 = 20_000

    /// -1: this user may not read the folder, and locks nothing.
    private let descriptor: Int32

    /// Waits for who has it. Throws where that takes longer than half a minute.
    package init(besides socket: String) throws(Failure) {
        let end = socket.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = end.map { $0 == socket.startIndex ? "/" : String(socket[..<$0]) } ?? "."
        let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        descriptor = opened
        guard opened >= 0 else { return }
        for _ in 0..<Self.mostWaits {
            if flock(opened, LOCK_EX | LOCK_NB) == 0 { return }
            usleep(Self.wait)
        }
        throw Failure("others set quiet hours all the time; `hapticctl quiet` shows which there are, then try again")
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
