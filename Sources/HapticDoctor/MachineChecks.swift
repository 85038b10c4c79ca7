// SPDX-License-Identifier: MIT
import HapticCore
import HapticTerminal
import HapticWire

/// The checks of the machine: whether the daemon gets the time, the memory and the files that it needs.
enum MachineChecks {
    static func realTime(_ facts: Facts) -> [Finding] {
        guard let status = facts.daemon.status else { return [] }
        let (realtime, granted) = (status.realtime, status.realtime.granted)
        if granted.priority == false || granted.cpu == false {
            let limit = max(60, realtime.priority ?? 0)
            return [
                Finding(
                    .realtimeRefused, "real time is refused", details: realtime.remedies,
                    remedies: facts.dropIn("hapticd-realtime", ["LimitRTPRIO=\(limit)", "LimitMEMLOCK=infinity"]))
            ]
        }
        if granted.lockMemory == false {
            return [
                Finding(
                    .memoryUnlocked, "memory cannot be locked", details: realtime.remedies,
                    remedies: facts.dropIn("hapticd-realtime", ["LimitMEMLOCK=infinity"]))
            ]
        }
        return [.ok(.timing, StatusText.realtime(realtime))]
    }

    /// In nanoseconds; a tick of a kernel without high-resolution timers is 1 ms or more.
    private static let coarse: Int64 = 1000
    /// In KiB: less than all that the daemon needs.
    private static let leastMemory = 32_768

    static func machine(_ facts: Facts) -> [Finding] {
        var findings: [Finding] = []
        let machine = facts.machine
        if machine.clockResolution > coarse {
            findings.append(Finding(.clockCoarse, "the clock ticks every \(Words.time(machine.clockResolution))"))
        }
        if let available = machine.availableMemory, available < max(leastMemory, (machine.totalMemory ?? 0) / 50) {
            findings.append(
                Finding(
                    .memoryShort, "\(Words.mebibytes(kibibytes: available)) of memory are left",
                    remedies: [.user("ps -eo pid,rss,comm --sort=-rss | head")]))
        }
        if let current = number(facts, "MemoryCurrent"), let most = number(facts, "MemoryMax"), current > most / 10 * 9 {
            findings.append(
                Finding(
                    .memoryShort,
                    "the service has \(Words.mebibytes(current)) of the \(Words.mebibytes(most)) that it may have",
                    remedies: facts.dropIn("hapticd-memory", ["MemoryMax=\(most / 524_288)M"])))
        }
        if let files = facts.daemon.openFiles, let most = facts.daemon.mostOpenFiles, files > most / 5 * 4 {
            findings.append(
                Finding(
                    .descriptorsShort, "the daemon has \(files) of \(most) files open",
                    remedies: facts.dropIn("hapticd-files", ["LimitNOFILE=\(max(most, 1024) * 2)"])))
        }
        return findings.isEmpty ? [.ok(.machine, healthy(facts))] : findings
    }

    /// Not what systemd says of no limit: a word, or the greatest number there is.
    private static func number(_ facts: Facts, _ property: String) -> UInt64? {
        guard facts.isAboutService, let number = facts.service["hapticd.service", property].flatMap(UInt64.init) else {
            return nil
        }
        return number < UInt64.max / 2 ? number : nil
    }

    private static func healthy(_ facts: Facts) -> String {
        var parts = ["the clock is exact"]
        if let memory = facts.machine.availableMemory { parts.append("\(Words.mebibytes(kibibytes: memory)) of memory left") }
        if let files = facts.daemon.openFiles, let most = facts.daemon.mostOpenFiles {
            parts.append("the daemon has \(files) of \(most) files open")
        }
        if let locked = facts.daemon.lockedMemory { parts.append("\(Words.mebibytes(kibibytes: locked)) of its memory locked") }
        return parts.joined(separator: ", ")
    }
}
