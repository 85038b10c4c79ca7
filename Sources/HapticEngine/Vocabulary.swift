// SPDX-License-Identifier: MIT
public import HapticCore

/// Who sends an input: one connection of one user, as the kernel says. What a client says about itself is the input's `app`.
public struct ClientIdentity: Hashable, Sendable, Codable {
    /// Of the connection; never used twice while the daemon runs. 0: the daemon's own devices.
    public var connection: UInt64
    /// The peer's user id.
    public var user: UInt32
    /// The number of the scope that the connection has named by `hello`; nil: none.
    public var scope: UInt32?
    /// The number of the peer's process, when it connected; nil: the daemon has none for it.
    public var process: Int32?
    /// Whether it may take the place of what another user plays at equal priority.
    public var mayEndOthers: Bool
    /// Whether what it says of its app is believed: else that can only lower what is felt.
    public var maySpeakFor: Bool
    /// Whether it may name the class `alarm`.
    public var mayAlarm: Bool

    public init(
        connection: UInt64, user: UInt32, scope: UInt32? = nil, process: Int32? = nil, mayEndOthers: Bool = true,
        maySpeakFor: Bool = false, mayAlarm: Bool = true
    ) {
        self.connection = connection
        self.user = user
        self.scope = scope
        self.process = process
        self.mayEndOthers = mayEndOthers
        self.maySpeakFor = maySpeakFor
        self.mayAlarm = mayAlarm
    }

    /// A hand on the board itself, of which no client speaks. `user`: the daemon's.
    public static func device(user: UInt32) -> ClientIdentity { ClientIdentity(connection: 0, user: user) }

    /// The owner of the ids and values that it sends.
    public var owner: Owner { Owner(user: user, scope: Canary.is("scopes-share-ids") ? nil : scope) }
    var isDevice: Bool { connection == 0 }
    var origin: Decision.Origin { isDevice ? .device : .client }
}
