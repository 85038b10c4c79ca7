// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

/// The preparation of patterns and actuators, so that the first playback is not late.
public struct PrepareParams: WireCall {
    public typealias Result = PrepareResult

    public static let method = "prepare"
    public static let summary = "make patterns and actuators ready, so that the first playback is not late; not in a batch"

    public var patterns: [String]?
    public var actuators: [String]?

    public init(patterns: [String]? = nil, actuators: [String]? = nil) {
        self.patterns = patterns
        self.actuators = actuators
    }

    public func check(at place: LinePlace) throws(WireError) { try refuseInBatch(place) }

    public static let blank = Self()

    public static let members: [WireMember<Self>] = [
        .optional("patterns", \.patterns, .list(of: .text()), "names of patterns; `patterns`, `actuators` or both are given"),
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
        .required("patterns", \.patterns, .items(of: .anyText), "the patterns that are ready on each of `actuators`"),
        .required("actuators", \.actuators, .items(of: .anyText), "the available actuators"),
        .nullable(
            "readyForMs", \.readyForMs, .amount,
            "the time for which they stay ready; null: until the configuration changes or the device is lost"),
    ]
}
