// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON

/// What a client can subscribe to.
public enum Topic: String, CaseIterable, Codable, Hashable, Sendable {
    case decisions, playbacks, actuations, actuators, holds, settings
}

/// Be notified of `topics` from now on, in place of those before; an empty list ends it.
public struct SubscribeParams: WireCall {
    public typealias Result = SubscribeResult

    public static let method = "subscribe"
    public static let summary = "be notified of what happens"

    public var topics: Set<Topic>

    public init(topics: Set<Topic>) { self.topics = topics }

    public static let blank = Self(topics: [])

    public static let members: [WireMember<Self>] = [
        .required("topics", \.topics, .set(of: .choice()), "what to be notified of; empty: nothing any more")
    ]
}

public struct SubscribeResult: WireResult {
    public var topics: Set<Topic>

    public init(_ topics: Set<Topic>) { self.topics = topics }

    public static let blank = Self([])

    public static let members: [WireMember<Self>] = [
        .required("topics", \.topics, .set(of: .choice()), "the topics from now on")
    ]
}
