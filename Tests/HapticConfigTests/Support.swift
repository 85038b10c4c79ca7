// SPDX-License-Identifier: MIT
import HapticConfig
import HapticText
import HapticYAML

/// Files in memory, by path.
func memory(_ files: [String: String]) -> FileAccess {
    @Sendable func read(_ path: String) throws(FileAccess.Failure) -> [UInt8] {
        guard let text = files[path] else { throw FileAccess.Failure("No such file or directory") }
        return Array(text.utf8)
    }
    return FileAccess(
        read: { path, _ throws(FileAccess.Failure) in try read(path) },
        directory: { path throws(FileAccess.Failure) in
            let names = files.keys.filter { $0.hasPrefix(path + "/") }.map { String($0.dropFirst(path.count + 1)) }
            guard !names.isEmpty else { throw FileAccess.Failure("No such file or directory") }
            return FileAccess.Directory(names: names) { name, _ throws(FileAccess.Failure) in try read("\(path)/\(name)") }
        })
}

/// The configuration that `text` makes, as `/etc/h.yaml`.
func configuration(_ text: String, files: [String: String] = [:]) throws(InvalidDocument) -> Configuration {
    try Configuration.read(yaml: Array(text.utf8), file: "/etc/h.yaml", files: memory(files), accounts: .few)
}

extension Accounts {
    /// A system with few users and groups, and a directory of more that cannot be asked.
    static let few = Accounts(
        user: { ["root": .id(0), "ada": .id(1001), "far": .failed("Connection refused")][$0] ?? .unknown },
        group: { ["haptics": .id(50), "desk": .id(51)][$0] ?? .unknown })
}

/// What is wrong with a configuration whose version and actuators (`main`, `pad`) are right and stand in lines 1 and 2.
func mistakes(_ rest: String, files: [String: String] = [:]) -> [String] {
    mistakes(whole: "version: 1\n\(twoActuators)\n\(rest)", files: files)
}

let twoActuators = "actuators: [{ name: main, backend: simulated }, { name: pad, backend: simulated }]"

/// What is wrong with a configuration, without the file's name where it is that of the configuration.
func mistakes(whole text: String, files: [String: String] = [:]) -> [String] {
    do throws(InvalidDocument) {
        _ = try configuration(text, files: files)
        return []
    } catch {
        return error.diagnostics.map { diagnostic in
            let text = diagnostic.description
            return text.hasPrefix("/etc/h.yaml:") ? String(text.dropFirst("/etc/h.yaml:".count)) : text
        }
    }
}
