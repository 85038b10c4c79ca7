// SPDX-License-Identifier: MIT
public import HapticCore
private import HapticText
private import Synchronization

/// What people have set, on a disk, where it outlasts whatever happens: at every instant there is a whole generation of it. One daemon at
/// a time has a folder. May block; each call waits for those before it.
public final class SettingsStore: Sendable {
    /// In the folder, beside `damaged`.
    enum Name {
        static let present = "settings.json"
        /// The generation before it.
        static let previous = "settings.previous.json"
        /// On its way to become the present one.
        static let new = "settings.new.json"

        /// What could not be used, the newest first.
        static func damaged(_ number: Int) -> String { "settings.damaged-\(number).json" }
    }

    /// How many damaged files are kept.
    static let mostDamaged = 3

    private struct State {
        /// What the present file says; nil: it is not there, or not whole, so it may not take the place of the previous one.
        var present: Generation?
        /// Nil: nobody has looked, for the present file is whole.
        var previous: Generation?
        /// Why nothing may be written.
        var obstacle: StateFailure?
    }

    private struct Generation {
        let off: StoredSettings.Off?
    }

    private let folder: StateFolder
    private let state = Mutex(State())

    /// Makes the folder where it is missing; `makesParents`: those above it, too. It is this one's as long as this lives. `patience`: how
    /// long this waits for another daemon that has it to end.
    public init(_ path: String, makesParents: Bool, patience: Nanoseconds = .zero) throws(StateFailure) {
        folder = try StateFolder(path, makesParents: makesParents, patience: patience)
    }

    // MARK: Reading

    /// What is stored.
    public struct Loaded: Hashable, Sendable {
        /// Nil: nothing, or nothing that can be used.
        public var settings: StoredSettings?
        /// What was damaged, what has become of it, and what is used instead: sentences.
        public var damage: [String]
        /// Why nothing is kept from now on.
        public var obstacle: StateFailure?

        public init(settings: StoredSettings? = nil, damage: [String] = [], obstacle: StateFailure? = nil) {
            self.settings = settings
            self.damage = damage
            self.obstacle = obstacle
        }
    }

    /// From any thread, before `keep`. What cannot be used is set aside under another name, and the generation before it is used.
    public func load() -> Loaded {
        state.withLock { state in
            var loaded = Loaded()
            do throws(StateFailure) {
                switch try read(Name.present, &loaded) {
                case .settings(let settings)?:
                    loaded.settings = settings
                    state.present = Generation(off: settings.off)
                case .newer(let version)?: throw .newer(file: folder[Name.present], version: version)
                case nil:
                    switch try read(Name.previous, &loaded) {
                    case .settings(let settings)?:
                        loaded.settings = settings
                        state.previous = Generation(off: settings.off)
                    case .newer(let version)?: throw .newer(file: folder[Name.previous], version: version)
                    case nil: break
                    }
                }
            } catch {
                loaded.obstacle = .atStart(error)
                state.obstacle = loaded.obstacle
            }
            if !loaded.damage.isEmpty {
                loaded.damage.append(
                    loaded.settings == nil
                        ? "there are no settings to be used in its place, so what is configured is in force"
                        : "what was stored before it is in force")
            }
            return loaded
        }
    }

    /// Nil: there is no such file, or none that can be used, which then has another name.
    private func read(_ name: String, _ loaded: inout Loaded) throws(StateFailure) -> StoredSettings.Contents? {
        let why: String
        switch try folder.read(name, limit: StoredSettings.mostBytes) {
        case .nothing: return nil
        case .unusable(let reason): why = reason
        case .bytes(let bytes):
            do throws(InvalidDocument) {
                return try StoredSettings.read(bytes)
            } catch {
                // trap: a document that is invalid has at least one.
                why = error.diagnostics[0].description + (error.count > 1 ? ", and \(error.count - 1) more" : "")
            }
        }
        loaded.damage.append("\(folder[name]) cannot be used (\(why)); \(setAside(name))")
        return nil
    }

    /// What has become of it.
    private func setAside(_ name: String) -> String {
        do throws(StateFailure) {
            for number in (1..<Self.mostDamaged).reversed() {
                try? folder.rename(Name.damaged(number), to: Name.damaged(number + 1))
            }
            try folder.rename(name, to: Name.damaged(1))
            // Where that fails, the next one finds it damaged again, at worst.
            try? folder.sync()
            return "it is now \(Name.damaged(1))"
        } catch {
            return "it could not be set aside: \(error)"
        }
    }

    // MARK: Writing

    /// Stores these in place of what is stored. What was stored is kept as the generation before; where these switch feedback off, both
    /// say so, for damage of one shall not switch it on. From any thread. Throws the obstacle that `load` has found, `tooLong` or `system`.
    public func keep(_ settings: StoredSettings) throws(StateFailure) {
        try state.withLock { (state) throws(StateFailure) in
            if let obstacle = state.obstacle { throw obstacle }
            guard let text = settings.text else { throw .tooLong(most: StoredSettings.mostBytes) }
            try write(text, Generation(off: settings.off), &state)
            if settings.off != nil, state.previous?.off != settings.off, !Canary.is("off-in-one-generation") {
                try write(text, Generation(off: settings.off), &state)
            }
        }
    }

    private func write(_ text: [UInt8], _ generation: Generation, _ state: inout State) throws(StateFailure) {
        try folder.create(Name.new, text)
        if let present = state.present {
            try folder.rename(Name.present, to: Name.previous)
            // Until the next line the generation before is the only one, and that is on the disk.
            (state.present, state.previous) = (nil, present)
        }
        try folder.rename(Name.new, to: Name.present)
        state.present = generation
        try folder.sync()
    }
}
