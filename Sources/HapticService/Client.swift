// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticEngine
public import HapticWire

/// Who is at the other end of a connection, as the kernel noted it when they connected: a group that a user joins later does not
/// count.
public struct Peer: Hashable, Sendable {
    public var user: UInt32
    /// The primary group and the supplementary ones.
    public var groups: [UInt32]
    /// The process that connected; nil where this one has no number for it, as for one outside of its container.
    public var process: Int32?

    public init(user: UInt32, groups: [UInt32], process: Int32? = nil) {
        self.user = user
        self.groups = groups
        self.process = process
    }
}

/// One connection, as the service knows it. On the service's thread.
public final class Client {
    /// Its number is never used again.
    public let connection: UInt64
    public let peer: Peer
    let user: ConnectedUser
    /// As the configuration in force has it.
    var identity: ClientIdentity
    var greeting = Greeting.open
    var budget = RequestBudget()
    /// What it is notified of.
    public internal(set) var topics: Set<Topic> = []
    /// A request of it was refused for there were too many, since this was set to false.
    public var isOverRate = false
    /// What it has said of a set last, if that was refused and has no answer by which it knows: its next part of a set brings it along.
    private(set) var gap: PresentGap?
    /// It has hung up. What it has said is still done, and its questions are not answered.
    public var hasHungUp = false

    init(connection: UInt64, peer: Peer, user: ConnectedUser) {
        self.connection = connection
        self.peer = peer
        self.user = user
        identity = ClientIdentity(connection: connection, user: peer.user, process: peer.process)
    }

    /// The owner of the ids and values that it sends.
    public var owner: Owner { identity.owner }

    /// A part of a set, or what may be one, has not come. Where nothing is known of it, what is known of one before stays.
    func miss(_ new: PresentGap) {
        if gap == nil || new.name != nil || new.continues != nil { gap = new }
    }

    func gapIsPassedOn() { gap = nil }
}
