// SPDX-License-Identifier: MIT

/// Numbers of several runs, in the order of the runs.
public struct Samples: Hashable, Sendable {
    public var values: [Double]

    /// What is not a number was not measured.
    public init(_ values: [Double]) { self.values = values }

    public var isEmpty: Bool { values.isEmpty }
    /// NaN where there is none; of an even number the mean of the two in the middle.
    public var median: Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty, !values.contains(where: \.isNaN) else { return .nan }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
    public var least: Double { values.min() ?? .nan }
    public var most: Double { values.max() ?? .nan }

    /// Compares neighbours: what changed on the machine between two rounds is in both, and falls out.
    public static func ratios(_ product: Samples, to reference: Samples) -> Samples {
        Samples(zip(product.values, reference.values).compactMap { $1 == 0 || ($0 / $1).isNaN ? nil : $0 / $1 })
    }
}

/// The least of `values` that at least `share` of them (above 0, at most 1) do not exceed; NaN where there is none.
public func percentile(_ share: Double, of values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted[max(0, min(sorted.count, Int((share * Double(sorted.count)).rounded(.up))) - 1)]
}
