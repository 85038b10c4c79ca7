// SPDX-License-Identifier: MIT
import Glibc

/// Asks systemd of the units, where it runs.
enum ServiceQuestion {
    private static let properties = [
        "Id", "LoadState", "ActiveState", "SubState", "UnitFileState", "Result", "NRestarts", "MainPID", "ExecMainStatus",
        "MemoryCurrent",
        "MemoryMax",
    ]

    static func ask() -> ServiceFacts {
        var facts = ServiceFacts()
        // As sd_booted(3) finds out.
        guard access("/run/systemd/system", F_OK) == 0, let tool = Tool("systemctl") else { return facts }
        let wanted = properties.flatMap { ["-p", $0] }
        guard let answer = tool.ask(["show", "--no-pager"] + wanted + ServiceFacts.names), answer.status == 0 else {
            facts.isSilent = true
            return facts
        }
        facts.units = units(answer.text)
        facts.lastError = lastError()
        return facts
    }

    /// Blocks of `NAME=VALUE`, an empty line between; each says its unit's name as `Id`.
    static func units(_ text: String) -> [String: [String: String]] {
        var (units, block): ([String: [String: String]], [String: String]) = ([:], [:])
        for line in (text + "\n").split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                if let id = block["Id"] { units[id] = block }
                block = [:]
            } else if let sign = line.firstIndex(of: "=") {
                block[String(line[..<sign])] = String(line[line.index(after: sign)...])
            }
        }
        return units
    }

    /// This user may have no right to read the log; then there is none.
    private static func lastError() -> String? {
        let arguments = ["-u", "hapticd.service", "-p", "err", "-n", "1", "-b", "-o", "cat", "-q", "--no-pager"]
        guard let answer = Tool("journalctl")?.ask(arguments), answer.status == 0 else { return nil }
        return answer.text.split(separator: "\n").first.map { String($0.prefix(500)) }
    }
}
