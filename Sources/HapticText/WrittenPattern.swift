// SPDX-License-Identifier: MIT
internal import HapticCore

/// A regular expression of the texts that `Units.swift` reads, without their range. ECMAScript and Python read it alike.
struct WrittenPattern {
    let pattern: String
    /// The words of an editor where it does not match. JSON Schema has no such keyword, so validators pass over it.
    let message: String

    /// The keywords of a schema. `other`: the type of what may be there instead.
    func keywords(and other: String? = nil) -> [Text: JSONValue] {
        let type: JSONValue = other.map { ["string", .string($0)] } ?? "string"
        return ["type": type, "pattern": .string(pattern), "patternErrorMessage": .string(message)]
    }

    private static let exponent = "[eE][-+]?[0-9]+"
    private static let mantissa = #"([0-9]+\.?[0-9]*|\.[0-9]+)"#
    private static let number = "\(mantissa)(\(exponent))?"
    /// A minus stands only before this where a negative value is out of range. The reader also takes one that it rounds to 0.
    private static let zero = #"(0+\.?0*|\.0+)(\#(exponent))?"#
    private static let time = "(ns|us|ms|s|m|h)"

    static func duration(_ range: ClosedRange<Nanoseconds>) -> Self {
        Self(pattern: time(range), message: "write a duration with its unit, such as `20ms` or `1.6s`")
    }

    static func seconds(_ range: ClosedRange<Nanoseconds>) -> Self {
        Self(pattern: time(range), message: "write a time, such as `0.2` (seconds) or `200ms`")
    }

    private static func time(_ range: ClosedRange<Nanoseconds>) -> String {
        if range.lowerBound < .zero { return "^[-+]?\(number)\(time)$" }
        if range.lowerBound == .zero { return #"^(\+?\#(number)|-\#(zero))\#(time)$"# }
        return #"^(?!\+?\#(zero)\#(time)$)\+?\#(number)\#(time)$"#
    }

    static let frequency = Self(
        pattern: #"^(?!\+?\#(zero)k?Hz$)\+?\#(number)k?Hz$"#, message: "write a frequency, such as `200Hz` or `20kHz`")

    /// `range` begins above 0.
    static func rate(_ range: ClosedRange<Int>) -> Self {
        let more = String(range.upperBound).utf8.count - 1
        return Self(pattern: #"^\+?0*[1-9][0-9]{0,\#(more)}/s$"#, message: "write a rate, such as `10/s`")
    }

    /// In percent, up to 150. The range is left out where there is an exponent.
    static let strength =
        #"^(\+?(0*(1[0-4][0-9]|[0-9]{1,2})(\.[0-9]*)?|0*150(\.0*)?|0*\.[0-9]+|\#(mantissa)\#(exponent))|-\#(zero))%$"#

    /// Of a text; a share may also be a number. The range is left out where there is an exponent.
    static func share(isOpen: Bool) -> Self {
        let percent = #"(0*100(\.0*)?|0*[0-9]{1,2}(\.[0-9]*)?|0*\.[0-9]+|\#(mantissa)\#(exponent))%"#
        let fraction = #"(0*1(\.0*)?|0+(\.[0-9]*)?|0*\.[0-9]+|\#(mantissa)\#(exponent))"#
        let positive = #"\+?(\#(percent)|\#(fraction))"#
        return Self(
            pattern: isOpen ? #"^(?!\+?\#(zero)%?$)\#(positive)$"# : "^(\(positive)|-\(zero)%?)$",
            message: "write a share from 0 to 1, such as `0.4` or `40%`")
    }
}
