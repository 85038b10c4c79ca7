// SPDX-License-Identifier: MIT
public import HapticText

/// A request for the description of the interface.
public struct DiscoverParams: WireCall {
    public typealias Result = DiscoverResult

    public static let method = "rpc.discover"
    public static let summary = "the interface as an OpenRPC document"

    public init() {}

    public static let blank = Self()
    public static let members: [WireMember<Self>] = []
}

/// An OpenRPC document.
public struct DiscoverResult: WireResult {
    public var openrpc = "1.2.6"
    public var info = JSONValue.object([:])
    public var methods = JSONValue.array([])
    public var notifications = JSONValue.array([])
    public var components = JSONValue.object([:])

    init() {}

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .required("openrpc", \.openrpc, .anyText, "the version of OpenRPC"),
        .required("info", \.info, .any, "the name and the version of the daemon"),
        .required("methods", \.methods, .any, "all methods with the schemas of their params and results"),
        .required("x-notifications", \.notifications, .any, "the notifications, for which OpenRPC has no word"),
        .required("components", \.components, .any, "the errors, and the schemas of a pattern object and of a part of one"),
    ]
}

extension WireForm where Value == JSONValue {
    /// Any object or list.
    fileprivate static var any: Self {
        Self(.either([.anyObject, .list(of: .anyObject, count: 0...WireLimit.daemonLine)]), "a JSON value") { node, _ in
            JSONValue(node)
        } write: { value, text in
            try text.write(value)
        }
    }
}
