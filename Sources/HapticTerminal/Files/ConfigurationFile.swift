// SPDX-License-Identifier: MIT
package import HapticConfig
import HapticText

/// The configuration that `--simulate` runs on.
package enum ConfigurationFile {
    /// Where the daemon looks for its own.
    package static let standardPath = "/etc/hapticd/hapticd.yaml"

    /// Nil: the built-in one.
    package static func read(_ path: String?) throws(Failure) -> Configuration {
        guard let path else { return .builtIn }
        do throws(InvalidDocument) {
            return try Configuration.load(path: path)
        } catch {
            throw Failure(error)
        }
    }
}
