// SPDX-License-Identifier: MIT

/// The program that these texts, streams and checks are part of.
package enum ThisProgram {
    /// The app of its connections and inputs.
    package static let app = "hapticctl"
}
