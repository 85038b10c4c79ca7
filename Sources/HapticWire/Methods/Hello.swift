// SPDX-License-Identifier: MIT
internal import HapticText

/// The first line of a connection that speaks for a client of a door: one app, with ids of its own and the methods that it may call.
public struct HelloParams: WireCall {
    public typealias Result = HelloResult

    public static let method = "hello"
    public static let summary = "the first line of a connection that speaks for one client of a door"

    /// The app of all that the connection sends, whatever its lines say; 1 to 128 bytes.
    public var app: String
    /// The client, among all clients of the same user; 1 to 256 bytes.
    public var scope: String
    /// The names of the methods that the connection may call.
    public var methods: [String]

    public init(app: String, scope: String, methods: [String]) {
        self.app = app
        self.scope = scope
        self.methods = methods
    }

    public func check(at place: LinePlace) throws(WireError) { try refuseInBatch(place) }

    public static let blank = Self(app: "", scope: "", methods: [])

    public static let members: [WireMember<Self>] = [
        .required("app", \.app, .text(most: WireLimit.app), "the app of all that this connection sends"),
        .required(
            "scope", \.scope, .text(),
            "the client; ids, sets, holds, tasks and playbacks of a scope are separate from those of other scopes"),
        .required(
            "methods", \.methods, .list(of: .text(), count: 1...WireLimit.listItems),
            "the methods that this connection may call; all others are refused"),
    ]
}

/// The app, the scope and the methods in force for the connection.
public struct HelloResult: WireResult {
    public var app: String
    public var scope: String
    public var methods: [String]

    public init(app: String, scope: String, methods: [String]) {
        self.app = app
        self.scope = scope
        self.methods = methods
    }

    public static let blank = Self(app: "", scope: "", methods: [])

    public static let members: [WireMember<Self>] = [
        .required("app", \.app, .anyText, "the app"),
        .required("scope", \.scope, .anyText, "the scope"),
        .required("methods", \.methods, .items(of: .anyText), "the methods, each once"),
    ]
}
