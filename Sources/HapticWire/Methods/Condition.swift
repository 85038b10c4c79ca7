// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

/// Asserts an outside fact that changes the policy, or releases it.
public struct ConditionParams: WireCall {
    public typealias Result = ConditionResult

    public static let method = "condition"
    public static let summary =
        "assert or release an outside fact that changes the feedback, such as `camera`; the assertion ends with the connection"

    public var name: String
    public var on: Bool

    public init(_ name: String, on: Bool) {
        self.name = name
        self.on = on
    }

    public static let blank = Self("", on: false)

    public static let members: [WireMember<Self>] = [
        .required("name", \.name, .text(), "the `match` of an entry of `conditions` in the configuration"),
        .required("on", \.on, .boolean, "`true` asserts it until the connection closes, `false` releases it"),
    ]
}

/// The answer to `condition`.
public struct ConditionResult: WireResult {
    public var name: String
    public var inForce: Bool

    public init(name: String, inForce: Bool) {
        self.name = name
        self.inForce = inForce
    }

    public static let blank = Self(name: "", inForce: false)

    public static let members: [WireMember<Self>] = [
        .required("name", \.name, .anyText, "the condition"),
        .required(
            "inForce", \.inForce, .boolean,
            "whether the condition is in force now; also after a release, while another connection asserts it"),
    ]
}
