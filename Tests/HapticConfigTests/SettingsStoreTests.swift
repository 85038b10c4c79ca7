// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import Testing

@testable import HapticConfig

@Suite("The store of settings")
struct SettingsStoreTests {
    @Test("Kept settings are there for the next daemon, with the generation before them, and for nobody else to read")
    func kept() throws {
        let folder = try Folder()
        do {
            let store = try folder.store()
            #expect(store.load() == SettingsStore.Loaded())
            try store.keep(stored(10, off: nil))
            #expect(try folder.names() == ["settings.json"])
            try store.keep(stored(20))
            try store.keep(stored(30))
        }
        #expect(try folder.names() == ["settings.json", "settings.previous.json"])
        #expect(try permissions(folder["settings.json"]) == 0o600)
        #expect(try folder.load() == SettingsStore.Loaded(settings: stored(30)))
        #expect(try StoredSettings.read(try #require(folder.read("settings.previous.json"))) == .settings(stored(20)))
    }

    @Test("The folder is created, with its parents on request, and only this user may enter it")
    func made() throws {
        let folder = try Folder()
        let path = folder["a/b/hapticd"]
        #expect(throws: StateFailure.self) { try SettingsStore(path, makesParents: false) }
        _ = try SettingsStore(path, makesParents: true)
        for part in ["a", "a/b", "a/b/hapticd"] { #expect(try permissions(folder[part]) == 0o700) }
    }

    @Test(
        "A folder that others may write in, that is a link, or that is none is not used",
        arguments: ["others", "group", "link", "link/", "file"])
    func untrusted(kind: String) throws {
        let folder = try Folder()
        var path = folder["state"]
        switch kind {
        case "link", "link/":
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path)
            if kind == "link/" { path += "/" }
        case "file": try folder.write("", to: "state")
        default:
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try FileManager.default.setAttributes([.posixPermissions: kind == "group" ? 0o770 : 0o702], ofItemAtPath: path)
        }
        do throws(StateFailure) {
            _ = try SettingsStore(path, makesParents: false)
            Issue.record("it was used")
        } catch {
            guard case .unusable = error else {
                Issue.record("\(error)")
                return
            }
            #expect("\(error)".contains("--state DIR"))
        }
    }

    @Test("A second daemon is refused the store with the folder that is in use")
    func twoDaemons() throws {
        let folder = try Folder()
        let first = try folder.store()
        #expect(throws: StateFailure.inUse(folder: folder.path)) { try SettingsStore(folder.path, makesParents: false) }
        try first.keep(stored(10))
    }

    // MARK: Damage

    enum Damage: String, CaseIterable {
        case zeros, half, empty, notJSON, badValue, unknownKey, tooLarge, folder, fullFolder, link, fifo

        /// Puts it in the place of a file that is whole.
        func make(_ name: String, in folder: Folder) throws {
            let path = folder[name]
            let whole = try #require(folder.read(name))
            if ![.zeros, .half].contains(self) { try FileManager.default.removeItem(atPath: path) }
            switch self {
            case .zeros: try folder.write([UInt8](repeating: 0, count: whole.count), to: name)
            case .half: try folder.write(Array(whole.prefix(whole.count / 2)), to: name)
            case .empty: try folder.write("", to: name)
            case .notJSON: try folder.write("version: 1\n", to: name)
            case .badValue: try folder.write(#"{"version": 1, "strength": 7}"#, to: name)
            case .unknownKey: try folder.write(#"{"version": 1, "of": true}"#, to: name)
            case .tooLarge: try folder.write([UInt8](repeating: 0x20, count: StoredSettings.mostBytes) + whole, to: name)
            case .folder, .fullFolder:
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                if self == .fullFolder { try folder.write("x", to: "\(name)/x") }
            case .link:
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder["settings.previous.json"])
            case .fifo: #expect(mkfifo(path, 0o600) == 0)
            }
        }
    }

    /// Two generations, of 10 and 20 %.
    private func twoGenerations() throws -> Folder {
        let folder = try Folder()
        let store = try folder.store()
        _ = store.load()
        try store.keep(stored(10))
        try store.keep(stored(20))
        return folder
    }

    @Test(
        "A damaged file is set aside and named, and the one before it is used: damage does not undo off",
        arguments: Damage.allCases)
    func damaged(_ damage: Damage) throws {
        let folder = try twoGenerations()
        try damage.make("settings.json", in: folder)
        do {
            let store = try folder.store()
            let loaded = store.load()
            #expect(loaded.settings == stored(10))
            #expect(loaded.obstacle == nil)
            #expect(loaded.damage.count == 2)
            #expect(loaded.damage[0].hasPrefix("\(folder.path)/settings.json cannot be used ("), "\(loaded.damage)")
            #expect(loaded.damage[0].hasSuffix("); it is now settings.damaged-1.json"), "\(loaded.damage)")
            #expect(loaded.damage[1] == "what was stored before it is in force")
            #expect(try folder.names() == ["settings.damaged-1.json", "settings.previous.json"])
        }
        // It is said once, and what is set afterwards is kept beside the generation that was saved.
        let store = try folder.store()
        #expect(store.load() == SettingsStore.Loaded(settings: stored(10)))
        try store.keep(stored(30))
        #expect(try StoredSettings.read(try #require(folder.read("settings.previous.json"))) == .settings(stored(10)))
        try store.keep(stored(40))
        #expect(try StoredSettings.read(try #require(folder.read("settings.previous.json"))) == .settings(stored(30)))
    }

    /// `off` of one state after the other, each of which may be damaged: what is in force then.
    @Test(
        "Damage does not undo a last change that switched feedback off, or off for longer; nor does it end off sooner",
        arguments: [
            [(.forGood, .forGood)], [(nil, nil), (.forGood, .forGood)], [(.minutes(1), .minutes(1)), (.minutes(2), .minutes(2))],
            [(nil, nil), (.forGood, .forGood), (.minutes(1), .minutes(1)), (.forGood, .forGood)],
            // Damage may keep it off.
            [(.forGood, .forGood), (nil, .forGood), (nil, nil)],
        ] as [[(Off?, Off?)]])
    func damagedOff(steps: [(Off?, Off?)]) throws {
        let folder = try Folder()
        for (number, (off, found)) in steps.enumerated() {
            do {
                let store = try folder.store()
                _ = store.load()
                try store.keep(stored(number + 1, off: off))
            }
            let damaged = try Folder()
            for name in try folder.names() {
                try damaged.write(name == "settings.json" ? [] : try #require(folder.read(name)), to: name)
            }
            #expect(try damaged.load().settings?.off == stored(0, off: found).off, "step \(number) of \(steps)")
        }
    }

    @Test("If both generations are damaged, both are set aside, and the configuration counts", arguments: Damage.allCases)
    func bothDamaged(_ damage: Damage) throws {
        let folder = try twoGenerations()
        try damage.make("settings.json", in: folder)
        if damage != .link {
            try damage.make("settings.previous.json", in: folder)
        } else {
            try folder.write("", to: "settings.previous.json")
        }
        let loaded = try folder.load()
        #expect(loaded.settings == nil, "\(loaded)")
        #expect(loaded.obstacle == nil, "\(loaded)")
        #expect(loaded.damage.count == 3, "\(loaded)")
        #expect(try folder.names() == ["settings.damaged-1.json", "settings.damaged-2.json"])
    }

    @Test("Only the last three damaged files are kept")
    func oftenDamaged() throws {
        let folder = try twoGenerations()
        for round in 1...6 {
            try folder.write("round \(round)", to: "settings.json")
            #expect(try folder.load().settings == stored(10))
        }
        #expect(
            try folder.names()
                == ["settings.damaged-1.json", "settings.damaged-2.json", "settings.damaged-3.json", "settings.previous.json"])
        #expect(folder.read("settings.damaged-1.json") == Array("round 6".utf8))
        #expect(folder.read("settings.damaged-3.json") == Array("round 4".utf8))
    }

    @Test("A file that cannot be set aside stays, and is reported; nothing replaces the generation before it")
    func notSetAside() throws {
        let folder = try twoGenerations()
        for number in 1...3 {
            try FileManager.default.createDirectory(
                atPath: folder["settings.damaged-\(number).json/x"], withIntermediateDirectories: true)
        }
        try folder.write("", to: "settings.json")
        let store = try folder.store()
        let loaded = store.load()
        #expect(loaded.settings == stored(10))
        #expect(loaded.damage[0].contains("it could not be set aside: rename of"))
        try store.keep(stored(30))
        #expect(try StoredSettings.read(try #require(folder.read("settings.previous.json"))) == .settings(stored(10)))
    }

    // MARK: Later versions

    @Test("A file of a later version is left as it is, nothing is used, and nothing is written", arguments: [true, false])
    func newer(isPresent: Bool) throws {
        let folder = try twoGenerations()
        let text = Array(#"{"version": 7, "off": "maybe"}"#.utf8)
        let name = isPresent ? "settings.json" : "settings.previous.json"
        try folder.write(text, to: name)
        if !isPresent { try FileManager.default.removeItem(atPath: folder["settings.json"]) }
        let names = try folder.names()
        let store = try folder.store()
        let failure = StateFailure.atStart(.newer(file: folder[name], version: 7))
        #expect("\(failure)".hasSuffix("or move the file away, then restart hapticd"))
        #expect(store.load() == SettingsStore.Loaded(obstacle: failure))
        #expect(throws: failure) { try store.keep(stored(30)) }
        #expect(try (folder.names(), folder.read(name)) == (names, text))
    }

    // MARK: What cannot be read for the moment

    @Test("A file that may be whole but must not be read is left as it is, nothing is used, and nothing is written")
    func denied() throws {
        let folder = try twoGenerations()
        let names = try folder.names()
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder["settings.json"])
        let store = try folder.store()
        // Root may read everything; as another user, and that is this thread alone, it may not.
        let name = try #require(dlsym(nil, "setfsuid"), "the module Glibc has no <sys/fsuid.h>")
        let setfsuid = unsafeBitCast(name, to: (@convention(c) (uid_t) -> CInt).self)
        let user = setfsuid(65_534)
        let loaded = store.load()
        _ = setfsuid(uid_t(bitPattern: user))
        let message = String(cString: strerror(EACCES))
        let failure = StateFailure.atStart(.unreadable(file: folder["settings.json"], errno: EACCES, message: message))
        #expect(loaded == SettingsStore.Loaded(obstacle: failure))
        #expect("\(failure)".contains("is left as it is"))
        #expect("\(failure)".contains("give it to the user that hapticd runs as"))
        #expect(throws: failure) { try store.keep(stored(30)) }
        #expect(try folder.names() == names)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder["settings.json"])
        #expect(try folder.names() == names)
        #expect(try folder.read("settings.json") != nil)
    }

    @Test("An error of the disk is not taken for damage")
    func diskError() throws {
        let folder = try StateFolder(try Folder().path, makesParents: true, patience: .zero)
        do throws(StateFailure) {
            // A regular file whose first bytes give EIO.
            let found = try folder.read("/proc/self/mem", limit: 10)
            Issue.record("\(found)")
        } catch {
            guard case .unreadable(_, EIO, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}

extension Off {
    fileprivate static func minutes(_ count: Int64) -> Off { .until(.zero + .seconds(60 * count)) }
}
