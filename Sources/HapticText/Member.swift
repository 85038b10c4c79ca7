// SPDX-License-Identifier: MIT
public import HapticCore

/// One member of an object, as it is described. What reads it is made with the same kind, so the description is true.
public struct Member: Hashable, Sendable {
    /// What a value may be.
    public indirect enum Kind: Hashable, Sendable {
        case null
        case boolean
        /// A text of so many bytes, without control characters.
        case text(bytes: ClosedRange<Int>)
        case anyText
        /// A text that is written like the first one, and matches the regular expression.
        case textLike(String, pattern: String)
        case choice([String])
        /// A text, a number, true, false or null.
        case scalar
        /// 0…1, more than 0 where `isOpen`; in a file also `40%`.
        case share(isOpen: Bool)
        /// More than the lower bound where `isOpen`.
        case number(ClosedRange<Double>, isOpen: Bool)
        case integer(ClosedRange<Int64>)
        /// `20ms` in a file. On the wire a number of milliseconds, and the name ends in `Ms`.
        case duration(ClosedRange<Nanoseconds>)
        /// A number of seconds, or `20ms`, in files and on the wire.
        case seconds(ClosedRange<Nanoseconds>)
        /// A number of milliseconds; in a file also `20ms`.
        case milliseconds(ClosedRange<Nanoseconds>)
        /// So many times a second: `10/s`.
        case rate(ClosedRange<Int>)
        /// In hertz: `200Hz`.
        case frequency(ClosedRange<Int>)
        /// An object with whatever keys, which has a format of its own.
        case anyObject
        /// What another part of the document describes, by its place there: `#/components/schemas/pattern`.
        case reference(String)
        case list(of: Kind, count: ClosedRange<Int>)
        /// A list of exactly these.
        case tuple([Kind])
        /// An object of so many entries at most, whose keys are names of 1 to 128 bytes.
        case map(of: Kind, count: Int)
        case object([Member])
        /// At least one of them is there.
        case objectOfAny([Member])
        case either([Kind])
    }

    /// As it is in a file.
    public let name: String
    public let kind: Kind
    public let isRequired: Bool
    /// The value if the member is absent, in words; `nil`: none.
    public let standard: String?
    /// The meaning, in one line.
    public let summary: String

    public init(_ name: String, _ kind: Kind, isRequired: Bool, default standard: String? = nil, _ summary: String) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.standard = standard
        self.summary = summary
    }

    /// As it is on the wire: a time has its unit in its name.
    public var wireName: String { if case .duration = kind { name + "Ms" } else { name } }

    /// The same, which must be there.
    public var required: Member { Member(name, kind, isRequired: true, default: standard, summary) }
}

extension [Member] {
    /// The same, but for the member `name`, which may only be this.
    public func narrowing(_ name: String, to kind: Member.Kind) -> [Member] {
        map { $0.name == name ? Member(name, kind, isRequired: $0.isRequired, default: $0.standard, $0.summary) : $0 }
    }
}

extension Member.Kind {
    /// One of the raw values of `Choice`.
    public static func choice<Choice: CaseIterable & RawRepresentable<String>>(of _: Choice.Type) -> Self {
        .choice(Choice.allCases.map(\.rawValue))
    }
}

extension Member.Kind {
    /// The value, if only one is possible, as a document has it.
    @usableFromInline var onlyValue: String? {
        if case .integer(let range) = self, range.lowerBound == range.upperBound { "\(range.lowerBound)" } else { nil }
    }
}
