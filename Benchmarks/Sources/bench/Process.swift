// SPDX-License-Identifier: MIT
internal import CHarness
internal import FoundationEssentials
internal import Glibc

/// What the kernel says of processes.
enum ProcessTable {
    /// The process and all of its descendants that still run.
    static func family(of process: pid_t) -> [pid_t] {
        let children = threads(of: process).flatMap { numbers(in: read("/proc/\(process)/task/\($0)/children")) }
        return [process] + children.flatMap(family)
    }

    static func threads(of process: pid_t) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return names.compactMap { pid_t($0) }
    }

    static func name(ofThread thread: pid_t, of process: pid_t) -> String {
        String(read("/proc/\(process)/task/\(thread)/comm").split(separator: "\n").first ?? "")
    }

    /// How often its threads have left a processor, of their own accord or not. Each time is a wake-up before or after.
    static func contextSwitches(of process: pid_t) -> [pid_t: Int] {
        let counts = threads(of: process).map { thread in
            let status = read("/proc/\(process)/task/\(thread)/status")
            return (thread, field("voluntary_ctxt_switches:", in: status) + field("nonvoluntary_ctxt_switches:", in: status))
        }
        return Dictionary(uniqueKeysWithValues: counts)
    }

    /// Nanoseconds of processors, user and system.
    static func cpuTime(of process: pid_t) throws -> Int64 {
        let time = charness_cpu_time(process)
        guard time >= 0 else { throw Failure("process \(process) has ended too early") }
        return time
    }

    /// In bytes.
    static func memory(of process: pid_t) -> (privateDirty: Int, proportional: Int) {
        let rollup = read("/proc/\(process)/smaps_rollup")
        return (field("Private_Dirty:", in: rollup) * 1024, field("Pss:", in: rollup) * 1024)
    }

    static func read(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    private static func numbers(in text: String) -> [pid_t] {
        text.split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
    }

    private static func field(_ name: String, in text: String) -> Int {
        for line in text.split(separator: "\n") where line.hasPrefix(name) {
            return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        }
        return 0
    }
}
