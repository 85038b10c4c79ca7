// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON

/// Make these ready, so that the first one is not late.
public struct PrepareParams: WireCall {
    public typealias Result = PrepareResult

    public static let method = "prepare"
    public static let summary = "make patterns and actuators ready, so that the first one is not late"

    public var patterns: [String]?
    public var actuators: [String]?

    public init(patterns: [String]? = nil, actuators: [String]? = nil) {
        self.patterns = patterns
        self.actuators = actuators
    }

    public func check(at place: LinePlace) throws(WireError) { try refuseInBatch(place) }

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .optional("patterns", \.patterns, .list(of: .text()), "names of patterns"),
        .optional("actuators", \.actuators, .list(of: .text()), "names of actuators"),
    ]

    public func check() throws(WireError) {
        guard patterns != nil || actuators != nil else {
            throw .invalid("patterns", "is missing; give `patterns`, `actuators` or both")
        }
    }
}

public struct PrepareResult: WireResult {
    public var patterns: [String]
    public var actuators: [String]
    public var readyForMs: Double?

    public init(patterns: [String], actuators: [String], readyForMs: Double?) {
        self.patterns = patterns
        self.actuators = actuators
        self.readyForMs = readyForMs
    }

    public static let blank = Self(patterns: [], actuators: [], readyForMs: nil)

    public static let members: [WireMember<Self>] = [
        .required("patterns", \.patterns, .items(of: .anyText), "the patterns that are ready"),
        .required("actuators", \.actuators, .items(of: .anyText), "the actuators that are ready"),
        .nullable(
            "readyForMs", \.readyForMs, .amount, "for how long; null: until the configuration changes or the device goes"),
    ]
}
