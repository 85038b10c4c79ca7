// SPDX-License-Identifier: MIT
import FoundationEssentials
import HapticCore
import HapticWire

@testable import hapticctl

extension [[Console.Span]] {
    /// The lines as a terminal shows them, without colours.
    var plain: [String] { map { $0.map(\.text.printable).joined() } }
}

/// The params of a call, as a line has them.
func params(_ call: some WireCall) -> String { String(decoding: WireWriter.params(call), as: UTF8.self) }

/// Encodes `value` as one line of JSON.
func jsonLine(_ value: some Encodable) -> String { String(decoding: WireWriter.line(value).dropLast(), as: UTF8.self) }

/// A decision on an input that is not felt: of the set `cart`, or with the id `pay`.
func notFelt(
    _ input: Decision.InputKind, _ reason: Reason?, _ value: Scalar? = nil, rule: String? = nil,
    change: (inout Decision) -> Void = { _ in }
) -> Decision {
    var decision = Decision(
        sequence: 1, at: .zero, input: input, source: input == .present ? nil : "pay", name: input == .present ? "cart" : nil,
        value: value, rule: rule, outcome: .suppressed, reason: reason)
    change(&decision)
    return decision
}

/// Runs `body` with a new folder, and removes the folder afterwards.
func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let path = "/tmp/hapticctl-\(UInt64.random(in: .min ... .max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
}

/// Runs `body` with a new file of that name and text.
func withFile<Result>(_ name: String, _ text: String, _ body: (String) throws -> Result) throws -> Result {
    try withFolder { folder in
        let path = "\(folder)/\(name)"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return try body(path)
    }
}
