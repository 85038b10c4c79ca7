// SPDX-License-Identifier: MIT

/// Written as the one value that it is made of. What cannot be made of one is refused when it is read.
public protocol SingleValueCodable: Codable {
    associatedtype Coded: Codable

    var coded: Coded { get }
    /// Nil where there is no such value.
    init?(coded: Coded)
}

extension SingleValueCodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(coded: try container.decode(Coded.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(Self.self) has no such value")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(coded)
    }
}

extension Nanoseconds: SingleValueCodable {
    public var coded: Int64 { count }
    public init?(coded: Int64) { self.init(coded) }
}

extension MonotonicInstant: SingleValueCodable {
    public var coded: Int64 { nanoseconds }
    public init?(coded: Int64) { self.init(nanoseconds: coded) }
}

extension UnitValue: SingleValueCodable {
    public var coded: Double { value }
    public init?(coded: Double) { self.init(coded) }
}

extension ActuatorIndex: SingleValueCodable {
    public var coded: Int { value }
    public init?(coded: Int) { self.init(coded) }
}

extension PlaybackID: SingleValueCodable {
    public var coded: UInt64 { value }
    public init?(coded: UInt64) { self.init(coded) }
}

extension RunIndex: SingleValueCodable {
    public var coded: Int { value }
    public init?(coded: Int) { self.init(coded) }
}

extension Text: SingleValueCodable {
    public var coded: String { string }
    public init?(coded: String) { self.init(coded) }
}

extension Glob: SingleValueCodable {
    public var coded: String { text }
    public init?(coded: String) { self.init(coded) }
}

extension WorkBudget: SingleValueCodable {
    public var coded: Int { left }
    public init?(coded: Int) { self.init(coded) }
}

extension Drive: SingleValueCodable {
    public var coded: Double { value }
    public init?(coded: Double) { self.init(coded) }
}
