// SPDX-License-Identifier: MIT

/// Draws how often lengths of time occurred: a bar for each bucket of a logarithmic scale, percentiles below.
package struct LatencyPicture {
    /// In characters.
    var width: Int
    var isUnicode: Bool

    /// More empty buckets than these between two others are one line.
    private static let mostEmpty = 2

    package init(width: Int, isUnicode: Bool) { (self.width, self.isUnicode) = (width, isUnicode) }

    package func lines(_ title: String, _ figures: LatencyFigures) -> [String] {
        guard figures.count > 0 else { return ["\(title): nothing was measured"] }
        let buckets = figures.buckets
        let labels = buckets.map { Words.time($0.fromNs) }
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
        let words = shares.map { "\($0) \(Words.time(figures.percentile($1)))" }
        return "  \(words.joined(separator: ", ")) of \(figures.count)"
    }

    /// Whatever occurred is seen.
    private func bar(_ count: Int, of most: Int, _ room: Int) -> String {
        guard isUnicode else { return String(repeating: "#", count: max(1, count * room / most)) }
        let eighths = max(1, count * room * 8 / most)
        let rest = Array(" ▏▎▍▌▋▊▉")[eighths % 8]
        return String(repeating: "█", count: eighths / 8) + (eighths % 8 > 0 ? String(rest) : "")
    }
}
