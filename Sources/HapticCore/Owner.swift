// SPDX-License-Identifier: MIT

/// The owner of ids and values: a user, or one scope of a user whose connection has said `hello`.
///
/// Bounds count the user; everything that is found by an id, or hidden from others, goes by the owner.
public struct Owner: Hashable, Sendable {
    /// The user id of the peer, as the kernel reports it.
    public var user: UInt32
    /// The number of the scope; `nil`: the connection has none.
    public var scope: UInt32?

    public init(user: UInt32, scope: UInt32? = nil) {
        self.user = user
        self.scope = scope
    }
}

extension Owner: Comparable {
    /// A user's own come before those of the user's scopes.
    public static func < (a: Self, b: Self) -> Bool { (a.user, a.scope ?? 0) < (b.user, b.scope ?? 0) }
}
