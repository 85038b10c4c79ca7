// SPDX-License-Identifier: MIT
import HapticConfig
import HapticJSON

/// The configuration that `--simulate` runs on.
enum ConfigurationFile {
    /// Where the daemon looks for its own.
    static let standardPath = "/etc/hapticd/hapticd.yaml"

    /// Nil: the built-in one.
    static func read(_ path: String?) throws(Failure) -> Configuration {
        guard let path else { return .builtIn }
        do throws(InvalidDocument) {
            return try Configuration.load(path: path)
        } catch {
            throw Failure(error)
        }
    }
}
