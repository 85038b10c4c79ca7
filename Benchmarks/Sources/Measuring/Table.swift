// SPDX-License-Identifier: MIT

/// Rows as Markdown.
public enum Table {
    public static let header = """
        | what | hapticd | reference | ratio | wanted | |
        | --- | ---: | ---: | ---: | --- | --- |
        """

    public static func line(_ row: Row) -> String {
        let reference = row.reference.map { "\(text($0.samples, row.unit)) \($0.name)" } ?? "–"
        let ratio = row.ratios.isEmpty ? "–" : text(row.ratios)
        let verdict = row.isMet.map { $0 ? "met" : "**missed**" } ?? ""
        return
            "| \(row.what) | \(text(row.product, row.unit)) | \(reference) | \(ratio) | \(text(row.wanted, row.unit)) | \(verdict) |"
    }

    public static func lines(_ rows: [Row]) -> String { ([header] + rows.map(line)).joined(separator: "\n") }

    /// The notes on the rows that were missed; `notes` by key.
    public static func remarks(_ rows: [Row], notes: [String: String]) -> String {
        rows.filter { $0.isMet == false }.map { row in
            let note = notes[row.key] ?? "no reason is known yet; `Benchmarks/Missed.md` is the place for it, under `\(row.key)`."
            return "- **\(row.what)**: \(note)"
        }.joined(separator: "\n")
    }

    /// The median, and in brackets the least and the most of the runs.
    static func text(_ samples: Samples, _ unit: Unit? = nil) -> String {
        guard !samples.median.isNaN else { return "–" }
        let suffix = unit.map { $0.rawValue.isEmpty ? "" : $0 == .perSecond ? "/s" : " \($0.rawValue)" } ?? ""
        let isOne = samples.least == samples.most
        return number(samples.median) + suffix + (isOne ? "" : " (\(number(samples.least))…\(number(samples.most)))")
    }

    static func text(_ wanted: Wanted, _ unit: Unit) -> String {
        let suffix = unit.rawValue.isEmpty ? "" : unit == .perSecond ? "/s" : " \(unit.rawValue)"
        return switch wanted {
        case .nothing: ""
        case .ratioAtMost(let ratio): "at most \(number(ratio))"
        case .ratioAtLeast(let ratio): "at least \(number(ratio))"
        case .atMost(let most): "at most \(number(most))\(suffix)"
        case .atLeast(let least): "at least \(number(least))\(suffix)"
        }
    }

    /// Three significant digits, no exponent; thousands are set apart. Nothing is a dash.
    static func number(_ value: Double) -> String {
        guard !value.isNaN else { return "–" }
        guard value.isFinite else { return value > 0 ? "∞" : "−∞" }
        let size = value.magnitude
        let decimals = size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int64((size * scale).rounded())
        var whole = String(scaled / Int64(scale))
        var grouped = ""
        while whole.count > 3 {
            grouped = "," + whole.suffix(3) + grouped
            whole.removeLast(3)
        }
        var fraction = String(scaled % Int64(scale))
        while fraction.count < decimals { fraction = "0" + fraction }
        while fraction.last == "0" { fraction.removeLast() }
        let text = whole + grouped + (decimals > 0 && !fraction.isEmpty ? "." + fraction : "")
        return value < 0 && scaled > 0 ? "−" + text : text
    }
}
