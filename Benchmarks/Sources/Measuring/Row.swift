// SPDX-License-Identifier: MIT

/// What is wanted of a row.
public enum Wanted: Hashable, Sendable {
    case ratioAtMost(Double)
    case ratioAtLeast(Double)
    /// In the row's unit.
    case atMost(Double)
    case atLeast(Double)
    /// Only shown.
    case nothing
}

public enum Unit: String, Hashable, Sendable {
    case microseconds = "µs"
    case milliseconds = "ms"
    case nanoseconds = "ns"
    case perSecond = "/s"
    case megabytes = "MB"
    case count = ""
    case microsecondsPerSecond = "µs/s"
}

/// One line of the table: what the daemon took in each run, and the reference in the run beside it.
public struct Row: Hashable, Sendable {
    /// Notes on the row are found by it.
    public var key: String
    public var what: String
    public var unit: Unit
    public var product: Samples
    /// Its name, and its runs; nil where there is nothing to compare with.
    public var reference: (name: String, samples: Samples)?
    public var wanted: Wanted

    public init(
        _ key: String, _ what: String, _ unit: Unit, _ product: [Double], against name: String? = nil, _ reference: [Double] = [],
        wanted: Wanted = .nothing
    ) {
        self.key = key
        self.what = what
        self.unit = unit
        self.product = Samples(product)
        self.reference = name.map { ($0, Samples(reference)) }
        self.wanted = wanted
    }

    /// The ratio of each run to the one beside it; empty without a reference or where that is 0.
    public var ratios: Samples { reference.map { Samples.ratios(product, to: $0.samples) } ?? Samples([]) }

    /// Whether the medians are what is wanted; nil where nothing is, or nothing was measured.
    public var isMet: Bool? {
        let (value, limit, isMost): (Double, Double, Bool)
        switch wanted {
        case .nothing: return nil
        case .ratioAtMost(let ratio): (value, limit, isMost) = (ratios.median, ratio, true)
        case .ratioAtLeast(let ratio): (value, limit, isMost) = (ratios.median, ratio, false)
        case .atMost(let most): (value, limit, isMost) = (product.median, most, true)
        case .atLeast(let least): (value, limit, isMost) = (product.median, least, false)
        }
        guard !value.isNaN else { return nil }
        return isMost ? value <= limit : value >= limit
    }

    public static func == (a: Row, b: Row) -> Bool {
        (a.key, a.what, a.unit, a.product, a.wanted) == (b.key, b.what, b.unit, b.product, b.wanted)
            && a.reference?.name == b.reference?.name && a.reference?.samples == b.reference?.samples
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
