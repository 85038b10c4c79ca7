// SPDX-License-Identifier: MIT
package import HapticText

/// An error of a configuration as `--json` gives it.
package struct Problem: Encodable, Hashable {
    var file: String?
    var line: Int?
    var column: Int?
    var path = ""
    var message: String

    package init(_ diagnostic: Diagnostic) {
        file = diagnostic.file
        line = diagnostic.mark?.line
        column = diagnostic.mark?.column
        path = diagnostic.path
        message = diagnostic.message
    }

    /// From the text that the daemon gives of it, `file:line:column: path: message`; what is not in that form is all message.
    package init(text: String) {
        message = text
        var parts = text.split(separator: ": ", omittingEmptySubsequences: false)[...]
        guard parts.count > 1, let place = parts.popFirst() else { return }
        let numbers = place.split(separator: ":", omittingEmptySubsequences: false)
        if numbers.count > 2, let line = Int(numbers[numbers.count - 2]), let column = Int(numbers[numbers.count - 1]) {
            file = numbers.dropLast(2).joined(separator: ":")
            (self.line, self.column) = (line, column)
        } else if place.hasPrefix("/") {
            file = String(place)
        } else {
            return
        }
        if parts.count > 1, let first = parts.first, !first.contains(where: { $0 == " " || $0 == "`" }) {
            path = String(first)
            parts.removeFirst()
        }
        message = parts.joined(separator: ": ")
    }

    private enum CodingKeys: CodingKey { case file, line, column, path, message }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        // `encode`, not `encodeIfPresent`, which leaves out what is nil.
        try container.encode(file, forKey: .file)
        try container.encode(line, forKey: .line)
        try container.encode(column, forKey: .column)
        try container.encode(path, forKey: .path)
        try container.encode(message, forKey: .message)
    }
}
