// SPDX-License-Identifier: MIT

/// Prometheus' text exposition format, version 0.0.4, and stricter than it: one group a metric with its HELP and TYPE before
/// its samples, counters in `_total`, no series twice.
struct ExpositionParser {
    struct Violation: Error, Hashable { var line: String, what: String }

    struct Series: Hashable {
        var name: String
        var labels: [String: String]
    }

    private(set) var kinds: [String: String] = [:]
    private(set) var values: [Series: Double] = [:]
    private var metric: String?
    private var helped: String?

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Violation(line: text, what: "does not end with a line feed") }
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) { try take(String(line)) }
    }

    subscript(_ name: String, _ labels: [String: String] = [:]) -> Double? { values[Series(name: name, labels: labels)] }

    private mutating func take(_ line: String) throws {
        func require(_ condition: Bool, _ what: String) throws {
            guard condition else { throw Violation(line: line, what: what) }
        }
        if line.hasPrefix("# ") {
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
            try require(words.count == 4 && Self.isName(words[2], allowsColon: true), "a comment of another form")
            if words[1] == "HELP" {
                try require(kinds[words[2]] == nil && !words[3].isEmpty, "a second group of one metric, or no help")
                helped = words[2]
            } else {
                try require(words[1] == "TYPE" && helped == words[2], "TYPE does not follow its HELP")
                try require(["counter", "gauge", "summary"].contains(words[3]), "a kind that is not known here")
                metric = words[2]
                kinds[words[2]] = words[3]
            }
            return
        }
        var rest = line[...]
        let name = String(rest.prefix { $0 != "{" && $0 != " " })
        rest = rest.dropFirst(name.count)
        try require(Self.isName(name, allowsColon: true), "a bad name")
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest.removeFirst()
            repeat {
                let label = String(rest.prefix { $0 != "=" })
                rest = rest.dropFirst(label.count + 1)
                try require(Self.isName(label, allowsColon: false) && rest.first == "\"", "a bad label")
                rest.removeFirst()
                let value = try Self.value(&rest, line)
                try require(labels.updateValue(value, forKey: label) == nil, "a label twice")
                let end = rest.popFirst()
                if end == "}" { break }
                try require(end == ",", "labels that do not end")
            } while true
        }
        try require(rest.first == " ", "no blank before the value")
        let text = String(rest.dropFirst())
        let number = text == "NaN" ? Double.nan : Double(text)
        try require(number != nil && !text.contains(" ") && text.first != "+", "a value that is no number")
        let group = try checkedGroup(name, labels, number!, line)
        try require(group == metric, "a sample outside of its group")
        try require(values.updateValue(number!, forKey: Series(name: name, labels: labels)) == nil, "a series twice")
    }

    /// The metric that a sample is of.
    private func checkedGroup(_ name: String, _ labels: [String: String], _ value: Double, _ line: String) throws -> String? {
        guard let metric, let kind = kinds[metric] else { throw Violation(line: line, what: "a sample without a TYPE") }
        let hasQuantile = labels["quantile"] != nil
        let isFine =
            switch kind {
            case "counter": name.hasSuffix("_total") && value >= 0 && !hasQuantile
            case "summary" where name == metric: labels["quantile"].flatMap(Double.init).map { (0...1).contains($0) } ?? false
            case "summary": [metric + "_sum", metric + "_count"].contains(name) && value >= 0 && !hasQuantile
            default: !name.hasSuffix("_total") && !hasQuantile
            }
        guard isFine else { throw Violation(line: line, what: "not a sample of a \(kind)") }
        return kind == "summary" && name.hasPrefix(metric) ? metric : name
    }

    private static func isName(_ text: String, allowsColon: Bool) -> Bool {
        func isLetter(_ character: Character) -> Bool {
            character == "_" || character.isASCII && character.isLetter || allowsColon && character == ":"
        }
        guard let first = text.first, isLetter(first) else { return false }
        return text.allSatisfy { isLetter($0) || $0.isASCII && $0.isNumber }
    }

    /// Up to and with the quotation mark at its end.
    private static func value(_ rest: inout Substring, _ line: String) throws -> String {
        var value = ""
        while let character = rest.popFirst() {
            if character == "\"" { return value }
            guard character == "\\" else {
                value.append(character)
                continue
            }
            switch rest.popFirst() {
            case "\\": value.append("\\")
            case "\"": value.append("\"")
            case "n": value.append("\n")
            default: throw Violation(line: line, what: "an escape that the format does not have")
            }
        }
        throw Violation(line: line, what: "a label value without an end")
    }
}
