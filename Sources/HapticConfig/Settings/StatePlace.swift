// SPDX-License-Identifier: MIT
internal import HapticCore

/// Where a daemon keeps what people set.
public struct StatePlace: Hashable, Sendable {
    public var folder: String
    /// What is above it is made, too, where it is missing.
    public var makesParents: Bool

    public init(folder: String, makesParents: Bool) {
        self.folder = folder
        self.makesParents = makesParents
    }

    // by characters: the environment is the owner's.
    /// In order: `explicit`, where the word `none` is nowhere; `$STATE_DIRECTORY`, which a service manager sets; nowhere where the daemon
    /// is `isSimulated`, for that is a trial; the system's place if root; the user's. Nil: nowhere. Throws `noPlace` only.
    public static func choose(
        explicit: String?, isSimulated: Bool, environment: [String: String], isRoot: Bool
    ) throws(StateFailure) -> StatePlace? {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let explicit { return Text(explicit) == "none" ? nil : StatePlace(folder: explicit, makesParents: false) }
        // systemd separates several directories by colons; ours is the first.
        if let folder = value("STATE_DIRECTORY")?.split(separator: ":").first {
            return StatePlace(folder: String(folder), makesParents: false)
        }
        if isSimulated { return nil }
        if isRoot { return StatePlace(folder: "/var/lib/hapticd", makesParents: false) }
        // By its specification one that is not absolute does not count.
        if let folder = value("XDG_STATE_HOME"), folder.begins(with: "/") {
            return StatePlace(folder: "\(folder)/hapticd", makesParents: true)
        }
        guard let home = value("HOME") else { throw .noPlace }
        return StatePlace(folder: "\(home)/.local/state/hapticd", makesParents: true)
    }
}
