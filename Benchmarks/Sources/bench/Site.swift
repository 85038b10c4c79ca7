// SPDX-License-Identifier: MIT
internal import FoundationEssentials
internal import Glibc

/// Where everything is, and how much is to be measured.
final class Site {
    /// The path of hapticd, as it is shipped.
    let daemon: String
    /// The folder of the programs beside this one.
    let tools: String
    /// The folder of the repository.
    let root: String
    let plan: Plan
    private let folder: String
    private var folders = 0

    static let feedbackd = "/usr/libexec/feedbackd"

    init(root: String, folder: String, plan: Plan) throws {
        self.root = root
        self.folder = folder
        self.plan = plan
        daemon = root + "/dist/hapticd"
        var path = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &path, path.count)
        let own = String(decoding: path.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        tools = own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        for (path, remedy) in [
            (daemon, "`make release` builds it"), (tools + "/libNullGPIO.so", "`make bench` builds it"),
            ("/usr/bin/cyclictest", "install rt-tests"), (Self.feedbackd, "install feedbackd"),
            ("/usr/bin/dbus-daemon", "install dbus"), (Instructions.valgrind, "install valgrind"),
        ] where access(path, R_OK) != 0 {
            throw Failure("\(path) is not there; \(remedy)")
        }
    }

    /// Short: a socket's path has at most 107 bytes.
    func newFolder() throws -> String {
        folders += 1
        let path = "\(folder)/\(folders)"
        guard mkdir(path, 0o700) == 0 else { throw Failure("\(path) could not be made") }
        return path
    }

    func start(_ tool: String, _ arguments: [String], environment: [String: String] = [:]) throws -> Program {
        try Program("\(tools)/\(tool)", arguments, environment: environment, in: try newFolder())
    }

    /// Writes to standard error, for the person who waits.
    func say(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}

/// How much is measured. Many short runs say more than few long ones: a virtual machine can be half as fast for some seconds, which
/// neighbouring runs share.
struct Plan {
    /// Runs of each side of a row.
    let rounds: Int
    /// Seconds of a 5 ms schedule, and runs of it.
    let schedule: Int
    let scheduleRounds: Int
    /// Events of a run whose way is timed one by one.
    let taps: Int
    /// Lines of a flood.
    let lines: Int
    /// Runs of each size where growth is looked at.
    let growthRounds: Int
    /// Calls that wait for their answer.
    let calls: Int
    /// Events of the engine alone.
    let engineEvents: Int
    /// Seconds in which nothing is asked.
    let idle: Int
    /// Seconds of a motor that is on.
    let motor: Int
    let starts: Int

    static let full = Plan(
        rounds: 8, schedule: 7, scheduleRounds: 10, taps: 600, lines: 200_000, growthRounds: 15, calls: 4000,
        engineEvents: 500_000, idle: 10, motor: 8, starts: 10)
    static let quick = Plan(
        rounds: 3, schedule: 3, scheduleRounds: 4, taps: 250, lines: 100_000, growthRounds: 7, calls: 1000,
        engineEvents: 250_000, idle: 5, motor: 4, starts: 3)

    /// Lines of a flood where growth is looked at: more than there are sources.
    static let growthLines = 20_000
}
