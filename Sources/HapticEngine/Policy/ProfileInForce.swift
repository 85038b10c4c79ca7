// SPDX-License-Identifier: MIT
public import HapticCore

/// The profile in force, and by whose word it is.
public struct ProfileInForce: Hashable, Sendable {
    /// Who may say which profile there is. A later one goes before an earlier one, whoever spoke last.
    public enum Origin: CaseIterable, Hashable, Sendable {
        case configuration
        /// From the first time that a client sets one: only another set takes its place, and only a restart ends it.
        case client
    }

    private var configured: Profile
    /// By a client.
    private var chosen: Profile?

    init(configured: Profile) { self.configured = configured }

    public var profile: Profile { chosen ?? configured }
    public var origin: Origin { chosen == nil ? .configuration : .client }

    /// `origin` wants `profile` from now on.
    mutating func set(_ profile: Profile, by origin: Origin) {
        switch origin {
        case .configuration: configured = profile
        case .client: chosen = profile
        }
    }
}
