// SPDX-License-Identifier: MIT
import Glibc

/// The environment that this program was started with.
package enum Environment {
    /// Nil where the variable is not set.
    package static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
