// SPDX-License-Identifier: MIT
import HapticWire

/// What `--json` writes: objects, one a line, each with the version of what it says as its first member.
enum JSONLines {
    /// Members may be added without a new number. Where one goes away, or means something else, the number grows.
    static let schema = 1

    /// One line with its LF. Fails where `value` is no object, which has no place for the version.
    static func line(_ value: some Encodable) throws(Failure) -> [UInt8] {
        let line = WireWriter.line(value)
        guard line.first == UInt8(ascii: "{") else {
            throw Failure("cannot write \(type(of: value)) as JSON: it is no object; please report this")
        }
        let rest = line.dropFirst()
        let comma = rest.first == UInt8(ascii: "}") ? "" : ","
        return Array("{\"schema\":\(schema)\(comma)".utf8) + rest
    }
}

/// An error that ends a command, on standard error.
struct ErrorLine: Encodable {
    private enum CodingKeys: CodingKey { case error }
    private enum Members: CodingKey { case code, message, details, status, number, data }

    var failure: Failure

    func encode(to encoder: any Encoder) throws {
        var line = encoder.container(keyedBy: CodingKeys.self)
        var members = line.nestedContainer(keyedBy: Members.self, forKey: .error)
        try members.encode(failure.code.rawValue, forKey: .code)
        try members.encode(failure.message, forKey: .message)
        try members.encode(failure.details, forKey: .details)
        try members.encode(failure.status, forKey: .status)
        // `encode`, not `encodeIfPresent`, which leaves out what is nil.
        try members.encode(failure.refusal?.code, forKey: .number)
        try members.encode(failure.refusal?.data, forKey: .data)
    }
}

/// What a command has to say beside its output, on standard error.
struct WarningLine: Encodable {
    struct Warning: Encodable {
        var message: String
    }

    var warning: Warning
}
