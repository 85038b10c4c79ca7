// SPDX-License-Identifier: MIT
import HapticClient
import HapticTerminal
import HapticWire

/// What `--version` says: of this program, and of the daemon that it talks to.
struct Versions {
    struct Daemon: Hashable, Encodable {
        var version: String
        var socket: String
    }

    /// How long the daemon has for its answer, in seconds.
    private static let patience = 0.3

    private(set) var hapticd: Daemon?
    /// Why `hapticd` is nil.
    private(set) var problem: String?

    init(hapticd: Daemon) { self.hapticd = hapticd }

    /// Asks the daemon. `socket`: of the command line.
    init(socket: String?) {
        var common = CommonOptions()
        common.socket = socket
        do {
            let client = try common.connect(isPatient: false)
            do {
                let status = try client.call(StatusParams(), timeout: Self.patience)
                hapticd = Daemon(version: status.version, socket: client.path)
            } catch ClientError.timedOut {
                problem = "hapticd at \(client.path) does not answer; look at its log, or restart it"
            }
        } catch ClientError.noDaemon(let tried) {
            problem = "no hapticd at \(tried.joined(separator: " or "))"
        } catch {
            problem = "hapticd cannot be asked: \(error)"
        }
    }

    /// The version of this program comes first, alone on its line.
    var lines: [String] {
        guard let hapticd else { return [HapticVersion.current, problem ?? ""] }
        let lines = [HapticVersion.current, "hapticd \(hapticd.version) at \(hapticd.socket)"]
        guard hapticd.version != HapticVersion.current else { return lines }
        return lines + ["hapticctl and hapticd are of two versions: update both, then restart hapticd"]
    }

    func show(_ console: Console) throws(Failure) {
        try console.writeJSON(self)
        for line in lines { try console.emit(line) }
        try console.flush()
    }
}

extension Versions: Encodable {
    private enum CodingKeys: CodingKey { case hapticctl, hapticd, problem }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(HapticVersion.current, forKey: .hapticctl)
        // `encode`, not `encodeIfPresent`, which leaves out what is nil.
        try container.encode(hapticd, forKey: .hapticd)
        try container.encode(problem, forKey: .problem)
    }
}
