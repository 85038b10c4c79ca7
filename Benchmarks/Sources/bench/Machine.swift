// SPDX-License-Identifier: MIT
internal import CHarness
internal import FoundationEssentials
internal import Glibc

/// Where it was measured, as a list in Markdown.
struct Machine {
    let lines: [String]
    let commit: String
    let date: String

    /// To be called before anything is measured, for the load average.
    init(_ site: Site) throws {
        // On arm64 the kernel names no processor, but the board.
        let board = ProcessTable.read("/proc/device-tree/model").replacing("\0", with: "")
        let cpu = Self.field("model name", in: "/proc/cpuinfo", ":") ?? (board.isEmpty ? "unknown" : board)
        let isVirtual =
            firstLine(of: "/usr/bin/systemd-detect-virt", ["--vm"], in: try site.newFolder()).map { $0 != "none" } ?? false
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        let system = Self.field("PRETTY_NAME", in: "/etc/os-release", "=")?.replacing("\"", with: "") ?? "unknown"
        let kernel = firstLine(of: "/bin/uname", ["-srvm"], in: try site.newFolder()) ?? "unknown"
        let swift =
            Self.find("swift").flatMap { firstLine(of: $0, ["--version"], in: (try? site.newFolder()) ?? "/tmp") } ?? "unknown"
        commit =
            firstLine(
                of: "/usr/bin/git", ["-C", site.root, "describe", "--always", "--dirty", "--abbrev=10"], in: try site.newFolder())
            ?? "unknown"
        date = firstLine(of: "/bin/date", ["-u", "+%Y-%m-%d %H:%M UTC"], in: try site.newFolder()) ?? "unknown"
        let load = ProcessTable.read("/proc/loadavg").split(separator: " ").prefix(3).joined(separator: ", ")
        let daemon = try Daemon(.simulated(motors: 1), site)
        let priority = daemon.fifoPriority
        let warnings = daemon.warnings
        daemon.stop()
        lines =
            [
                "- processor: \(cpu), \(cores) of them\(isVirtual ? ", in a virtual machine" : "")",
                "- kernel: \(kernel)", "- distribution: \(system)", "- Swift: \(swift)", "- commit: \(commit)",
                "- date: \(date); load average before: \(load)",
                "- real time: the daemon's timing thread \(priority > 0 ? "had SCHED_FIFO, priority \(priority)" : "had **no SCHED_FIFO**"), as the references; /dev/cpu_dma_latency was left alone by all",
                "- feedbackd \(Self.version("feedbackd", site)), rt-tests \(Self.version("rt-tests", site)) of the distribution",
            ]
            + warnings.map { "- the daemon warned at its start: \($0.drop { $0 != " " }.dropFirst())" }
    }

    private static func version(_ package: String, _ site: Site) -> String {
        firstLine(of: "/usr/bin/dpkg-query", ["-W", "-f", "${Version}\\n", package], in: (try? site.newFolder()) ?? "/tmp")
            ?? "(unknown version)"
    }

    private static func find(_ program: String) -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }

    private static func field(_ name: String, in path: String, _ separator: Character) -> String? {
        for line in ProcessTable.read(path).split(separator: "\n") where line.hasPrefix(name) {
            let parts = line.split(separator: separator, maxSplits: 1)
            if parts.count == 2 {
                let text = parts[1].drop(while: \.isWhitespace)
                return text.isEmpty ? nil : String(text)
            }
        }
        return nil
    }
}
