// SPDX-License-Identifier: MIT

/// Draws how often lengths of time occurred: a bar for each bucket of a logarithmic scale, percentiles below.
struct LatencyPicture {
    /// In characters.
    var width: Int
    var isUnicode: Bool

    /// More empty buckets than these between two others are one line.
    private static let mostEmpty = 2

    func lines(_ title: String, _ figures: LatencyFigures) -> [String] {
        guard figures.count > 0 else { return ["\(title): nothing was measured"] }
        let buckets = figures.buckets
        let labels = buckets.map { time($0.fromNs) }
        let labelWidth = labels.map(\.count).max() ?? 0
        let most = buckets.map(\.count).max() ?? 1
        let room = max(10, min(width, TimelinePicture.greatestWidth) - labelWidth - "\(most)".count - 8)
        var lines = [title]
        var empty: [String] = []
        for (bucket, label) in zip(buckets, labels) {
            let blanks = String(repeating: " ", count: labelWidth - label.count)
            let line = "  \(blanks)\(label) \(isUnicode ? "│" : "|")"
            guard bucket.count > 0 else {
                empty.append(line)
                continue
            }
            lines +=
                empty.count > Self.mostEmpty ? [String(repeating: " ", count: labelWidth + 3) + (isUnicode ? "⋮" : ":")] : empty
            empty = []
            lines.append("\(line)\(bar(bucket.count, of: most, room))  \(bucket.count)")
        }
        return lines + [summary(figures)]
    }

    private func summary(_ figures: LatencyFigures) -> String {
        let shares = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("worst", 1)]
        let words = shares.map { "\($0) \(time(figures.percentile($1)))" }
        return "  \(words.joined(separator: ", ")) of \(figures.count)"
    }

    /// Whatever occurred is seen.
    private func bar(_ count: Int, of most: Int, _ room: Int) -> String {
        guard isUnicode else { return String(repeating: "#", count: max(1, count * room / most)) }
        let eighths = max(1, count * room * 8 / most)
        let rest = Array(" ▏▎▍▌▋▊▉")[eighths % 8]
        return String(repeating: "█", count: eighths / 8) + (eighths % 8 > 0 ? String(rest) : "")
    }

    /// To three digits: `63 µs`, `1.25 ms`.
    func time(_ nanoseconds: Int64) -> String {
        var (unit, scale): (String, Int64) = ("ns", 1)
        // From 999.5 on three digits are no longer enough.
        for (larger, its) in [(isUnicode ? "µs" : "us", 1000), ("ms", 1_000_000), ("s", 1_000_000_000)] as [(String, Int64)]
        where nanoseconds * 2000 >= its * 1999 { (unit, scale) = (larger, its) }
        let value = Double(nanoseconds) / Double(scale)
        let decimals: Double = value < 9.995 ? 100 : value < 99.95 ? 10 : 1
        return "\(Words.plain((value * decimals).rounded() / decimals)) \(unit)"
    }
}
