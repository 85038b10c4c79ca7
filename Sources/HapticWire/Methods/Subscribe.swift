// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

/// A subject of notifications.
public enum Topic: String, CaseIterable, Codable, Hashable, Sendable {
    case decisions, playbacks, actuations, actuators, holds, settings
}

/// A subscription to `topics`, in place of the topics before; an empty list ends it.
public struct SubscribeParams: WireCall {
    public typealias Result = SubscribeResult

    public static let method = "subscribe"
    public static let summary = "receive notifications"

    public var topics: Set<Topic>

    public init(topics: Set<Topic>) { self.topics = topics }

    public static let blank = Self(topics: [])

    public static let members: [WireMember<Self>] = [
        .required(
            "topics", \.topics, .set(of: .choice()),
            "the topics, in place of the topics before; an empty list ends the subscription")
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
