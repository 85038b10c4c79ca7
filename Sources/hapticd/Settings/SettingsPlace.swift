// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticConfig
internal import HapticCore
internal import Logging

/// Where this daemon keeps what people set, and what was there when it started.
struct SettingsPlace: Sendable {
    /// Until a daemon that is being replaced has ended.
    private static let patience = Nanoseconds.milliseconds(500)

    /// Nil: nowhere, as it was asked for.
    let store: Result<SettingsStore, StateFailure>?
    let loaded: SettingsStore.Loaded

    /// `explicit`: of the command line. Blocks.
    static func open(explicit: String?, isSimulated: Bool) -> SettingsPlace {
        var environment: [String: String] = [:]
        for name in ["STATE_DIRECTORY", "XDG_STATE_HOME", "HOME"] {
            if let value = getenv(name) { environment[name] = String(cString: value) }
        }
        do throws(StateFailure) {
            let place = try StatePlace.choose(
                explicit: explicit, isSimulated: isSimulated, environment: environment, isRoot: geteuid() == 0)
            guard let place else { return SettingsPlace(store: nil, loaded: SettingsStore.Loaded()) }
            let store = try SettingsStore(place.folder, makesParents: place.makesParents, patience: patience)
            return SettingsPlace(store: .success(store), loaded: store.load())
        } catch {
            return SettingsPlace(store: .failure(.atStart(error)), loaded: SettingsStore.Loaded(obstacle: .atStart(error)))
        }
    }

    /// Says what is wrong, if anything is.
    func log(_ logger: Logger) {
        for sentence in loaded.damage { logger.error("\(sentence)") }
        if let obstacle = loaded.obstacle { logger.error("what people set counts until hapticd ends only: \(obstacle)") }
    }

    /// Why what people had set may not be in force; nil: it is.
    var damage: String? { loaded.damage.isEmpty ? nil : loaded.damage.joined(separator: "; ") }
}
