// SPDX-License-Identifier: MIT
import CPrograms
import Foundation
import HapticCore
import Testing

@testable import HapticConfig

/// The real store in a process of its own, which is stopped at each call of the system, and killed there.
@Suite("A killed writer of settings")
struct KilledWriterTests {
    /// Where the build put it: beside the test bundle.
    private static let writer: String = {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        while !FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent("settings-writer").path) {
            precondition(folder.path != "/", "no settings-writer beside the tests: run `swift build --build-tests` first")
            folder.deleteLastPathComponent()
        }
        return folder.appendingPathComponent("settings-writer").path
    }()

    private struct Ran {
        /// Else it has ended by itself.
        var wasKilled: Bool
        /// A letter for each call that was made (`cprograms_run_to_call`).
        var calls: String
    }

    private struct Failed: Error { let errno: Int32 }

    private func run(_ arguments: [String], to call: Int) throws -> Ran {
        var strings = ([Self.writer] + arguments).map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        var calls = [CChar](repeating: 0, count: 4096)
        let result = cprograms_run_to_call(Self.writer, &strings, Int32(call), &calls, Int32(calls.count))
        guard result >= 0 else { throw Failed(errno: -result) }
        return Ran(
            wasKilled: result == 1, calls: String(decoding: calls.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        )
    }

    /// The status with which it ends.
    private func start(_ arguments: [String], errors: String) throws -> Int32 {
        let file = open(errors, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        var strings = ([Self.writer] + arguments).map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        let process = cprograms_start(Self.writer, &strings, &environment, [file, file, file])
        guard process > 0 else { throw Failed(errno: -process) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {}
        return status & 0x7f == 0 ? status >> 8 & 0xff : -1
    }

    /// Kills the writer at each call of the system in turn, each time in a new folder in which `percents` were kept one after the other,
    /// with this `off`; `isDamaged`: the last of them is damaged. `judge` gets the folder, with how far it came. Returns the calls of one
    /// that ran through.
    private func killAtEachCall(
        of arguments: [String], in percents: [Int], off: Off? = .forGood, isDamaged: Bool = false,
        judge: (Folder, Ran) throws -> Void
    ) throws -> String {
        for call in 1...500 {
            let folder = try Folder()
            if !percents.isEmpty { try keep(percents, off: off, in: folder) }
            if isDamaged { try folder.write("", to: "settings.json") }
            let ran = try run([arguments[0], folder.path] + arguments.dropFirst(), to: call)
            try judge(folder, ran)
            if !ran.wasKilled { return ran.calls }
        }
        Issue.record("it makes more calls than are tried")
        return ""
    }

    private func keep(_ percents: [Int], off: Off? = .forGood, in folder: Folder) throws {
        let store = try folder.store()
        _ = store.load()
        for percent in percents { try store.keep(stored(percent, off: off)) }
    }

    @Test("A writer that is killed at any system call leaves either the old settings or the new ones, whole")
    func whileWriting() throws {
        var found: [Int] = []
        let calls = try killAtEachCall(of: ["keep", "30"], in: [10, 20]) { folder, ran in
            let loaded = try folder.load()
            #expect(loaded.damage.isEmpty, "\(ran): \(loaded)")
            #expect(loaded.obstacle == nil, "\(ran): \(loaded)")
            let percent = try #require(loaded.settings?.percent, "\(ran): \(loaded)")
            #expect([20, 30].contains(percent), "\(ran)")
            #expect(loaded.settings == stored(percent))
            found.append(percent)
            // What the one that was killed has left is in nobody's way.
            try keep([40], in: folder)
            #expect(try folder.load().settings == stored(40))
        }
        #expect((found, found.first) == (found.sorted(), 20), "\(found)")
        #expect(found.last == 30, "\(found)")
        // What a power cut needs: the new file is on the disk before it gets the name, and then the names are.
        #expect(calls.filter { "wfr".contains($0) } == "wfrrf", "\(calls)")
    }

    @Test("A writer killed at any system call leaves feedback on or off; once off is stored, damage does not switch it on")
    func whileSwitchingOff() throws {
        for percents in [[10, 20], []] {
            let former = percents.last.map { stored($0, off: nil) }
            let calls = try killAtEachCall(of: ["keep", "30"], in: percents, off: nil) { folder, ran in
                let loaded = try folder.load()
                #expect(loaded.damage.isEmpty, "\(ran): \(loaded)")
                #expect([former, stored(30)].contains(loaded.settings), "\(ran): \(loaded)")
                guard !ran.wasKilled else { return }
                try folder.write("", to: "settings.json")
                #expect(try folder.load().settings == stored(30))
            }
            // Each of the two is as one alone: at every instant one of the generations is whole, and on the disk.
            let once = percents.isEmpty ? "wfrf" : "wfrrf"
            #expect(calls.filter { "wfr".contains($0) } == once + "wfrrf", "\(calls)")
        }
    }

    @Test("A new folder is brought to the disk with the one above it")
    func newFolder() throws {
        let folder = try Folder()
        for isThere in [false, true] {
            let calls = try run(["load", folder["new"]], to: 500).calls
            #expect(calls.filter { $0 == "f" } == (isThere ? "" : "f"), "\(calls)")
        }
        #expect(try permissions(folder["new"]) == 0o700)
    }

    @Test("A reader killed at any system call while it sets a damaged file aside still leaves the earlier settings in force")
    func whileSettingAside() throws {
        _ = try killAtEachCall(of: ["load"], in: [10, 20], isDamaged: true) { folder, ran in
            let loaded = try folder.load()
            #expect(loaded.settings == stored(10), "\(ran): \(loaded)")
        }
    }

    @Test(
        "If a system call fails, the old settings stay, and the error names the call and the remedy",
        arguments: [
            ("o", ENOSPC, "open"), ("o", EROFS, "open"), ("o", EACCES, "open"), ("o", EDQUOT, "open"), ("w", ENOSPC, "write"),
            ("w", EIO, "write"), ("f", EIO, "fsync"), ("r", EROFS, "rename"), ("r", ENOSPC, "rename"), ("u", EROFS, "unlink"),
        ] as [(String, Int32, String)])
    func failingCall(letter: String, code: Int32, call: String) throws {
        let folder = try Folder()
        try keep([10, 20], in: folder)
        // What one that was killed has left.
        if letter == "u" { try folder.write("x", to: "settings.new.json") }
        let errors = folder["errors"]
        #expect(try start(["keep", folder.path, "30", letter, "\(code)"], errors: errors) == 3)
        let said = try #require(folder.read("errors").map { String(decoding: $0, as: UTF8.self) })
        #expect(said.hasPrefix("\(call) of \(folder.path)/"), "\(said)")
        #expect(said.contains("failed: \(String(cString: strerror(code))); "), "\(said)")
        #expect(try folder.load() == SettingsStore.Loaded(settings: stored(20)))
    }

    @Test("A file that was set aside is reported, also if the folder cannot be brought to the disk then")
    func setAsideWithoutSync() throws {
        let folder = try Folder()
        try keep([10, 20], in: folder)
        try folder.write("", to: "settings.json")
        #expect(try start(["load", folder.path, "f", "\(EIO)"], errors: folder["errors"]) == 0)
        let said = try #require(folder.read("errors").map { String(decoding: $0, as: UTF8.self) })
        #expect(said.contains("; it is now settings.damaged-1.json; "), "\(said)")
    }
}
