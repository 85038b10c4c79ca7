// SPDX-License-Identifier: MIT

/// Bounds on who may be connected and how much they may ask for. Nil: there is none.
public struct ClientBounds: Hashable, Sendable {
    /// Connections at one time.
    public var clients: Int
    public var clientsPerUser: Int?
    /// Requests and notifications of one connection in a second; each item of a batch is one. See `RequestBudget`.
    public var requestsPerClient: Int?
    /// The same of all connections of one user together.
    public var requestsPerUser: Int?

    public init(clients: Int, clientsPerUser: Int? = nil, requestsPerClient: Int? = nil, requestsPerUser: Int? = nil) {
        self.clients = clients
        self.clientsPerUser = clientsPerUser
        self.requestsPerClient = requestsPerClient
        self.requestsPerUser = requestsPerUser
    }

    /// No user can have all connections. Requests are not counted: what a rate refuses is lost, and a burst of events is in order.
    public static let standard = ClientBounds(clients: 1024, clientsPerUser: 256)
}
