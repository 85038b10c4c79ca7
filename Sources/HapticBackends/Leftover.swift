// SPDX-License-Identifier: MIT

/// An output that a daemon which was killed may have left on.
public protocol Leftover: Sendable {
    /// In the words of its user.
    var name: String { get }

    /// What the backend reads to find it again. How it is driven is left out where switching off does not need it.
    var keys: [ConfigurationKey] { get }

    /// Switches it off, and takes nothing that it does not need for that: what is not there, or not as a daemon would have it, is
    /// not touched. No daemon uses it meanwhile. May block. Throws where it could not be switched off.
    func switchOffLeftover() throws(DriverFault)
}
