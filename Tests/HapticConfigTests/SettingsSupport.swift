// SPDX-License-Identifier: MIT
import Foundation
import HapticCore

@testable import HapticConfig

/// A folder of its own for a test, gone with it.
final class Folder {
    let path = "/tmp/hapticd-\(UInt32.random(in: .min ... .max))"

    init() throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    subscript(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: self[name])) }
    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }
    func read(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: self[name]).map { Array($0) } }
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// While another test starts a program that one has our lock, too.
    func store() throws(StateFailure) -> SettingsStore { try SettingsStore(path, makesParents: false, patience: .seconds(30)) }

    /// What the next daemon finds.
    func load() throws -> SettingsStore.Loaded { try store().load() }
}

func permissions(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
}

/// With a strength to tell them apart.
func stored(_ percent: Int, off: Off? = .forGood) -> StoredSettings {
    StoredSettings(Settings(strength: Strength(Double(percent) / 100), off: off), at: .zero, wall: .first)
}

extension StoredSettings {
    var percent: Int? { settings.strength.map { Int(($0.value * 100).rounded()) } }
}
