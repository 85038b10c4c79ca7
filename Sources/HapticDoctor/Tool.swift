// SPDX-License-Identifier: MIT
import Glibc
import HapticClient

/// A program of the system that is asked something: it has little time, and little of what it says is read.
struct Tool {
    struct Answer: Hashable, Sendable {
        /// Nil: it was ended, because it took too long or said too much.
        var status: Int32?
        var output: [UInt8]

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    static let folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]
    /// Nothing of the user's: no pager, no colour, no other language.
    private static let environment = [
        "PATH=/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C.UTF-8", "SYSTEMD_COLORS=0", "SYSTEMD_PAGER=",
    ]

    let path: String
    /// How long one that was killed is waited for, in nanoseconds.
    private static let killTimeout: Int64 = 500_000_000

    /// In nanoseconds.
    var patience: Int64 = 3_000_000_000
    /// In bytes.
    var most = 256 * 1024

    /// Nil where this system has no such program.
    init?(_ name: String, in folders: [String] = folders) {
        guard let path = folders.map({ folder -> String in "\(folder)/\(name)" }).first(where: { access($0, X_OK) == 0 }) else {
            return nil
        }
        self.path = path
    }

    /// What it says on standard output; nil where it could not be started.
    func ask(_ arguments: [String]) -> Answer? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process = start(arguments, output: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        guard let process else { return nil }
        let (output, isWhole) = read(ends[0])
        // It leads a group of its own: what it has started ends with it.
        if !isWhole { kill(-process, SIGKILL) }
        guard let status = wait(for: process, patience) else {
            kill(-process, SIGKILL)
            // Who waits for a disk ends when that answers.
            _ = wait(for: process, Self.killTimeout)
            return Answer(status: nil, output: output)
        }
        return Answer(status: isWhole ? status : nil, output: output)
    }

    private func start(_ arguments: [String], output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var process: pid_t = 0
        let error = Self.withStrings([path] + arguments) { words in
            Self.withStrings(Self.environment) { posix_spawn(&process, path, &actions, &attributes, words, $0) }
        }
        return error == 0 ? process : nil
    }

    /// Whether that was all.
    private func read(_ descriptor: Int32) -> (output: [UInt8], isWhole: Bool) {
        let end = MonotonicClock.now + patience
        var (output, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 16_384))
        while output.count < most {
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = (max(0, end - MonotonicClock.now) + 999_999) / 1_000_000
            let ready = poll(&poller, 1, Int32(clamping: left))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return (output, false) }
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return (output, count == 0) }
            output += chunk[..<min(count, most - output.count)]
        }
        return (output, false)
    }

    /// Its exit status; nil where it does not end, though it has closed its output.
    private func wait(for process: pid_t, _ patience: Int64) -> Int32? {
        let end = MonotonicClock.now + patience
        while true {
            var status: Int32 = 0
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f }
            if ended < 0, errno != EINTR { return nil }
            guard MonotonicClock.now < end else { return nil }
            usleep(2_000)
        }
    }

    private static func withStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
