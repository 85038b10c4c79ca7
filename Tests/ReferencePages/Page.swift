// SPDX-License-Identifier: MIT

/// A Markdown page with generated parts, each between two comments: `<!-- generated: NAME -->` and `<!-- end -->`.
struct Page {
    /// A generated part.
    struct Part {
        let name: String
        /// The link target of the heading above.
        let anchor: String
    }

    private enum Piece {
        case line(String)
        case part(Part)
    }

    private let pieces: [Piece]

    init(_ text: String) throws {
        let (start, end) = ("<!-- generated: ", "<!-- end -->")
        var pieces: [Piece] = []
        var (heading, isCode, isGenerated) = ("", false, false)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isCode.toggle() }
            if line.hasPrefix(start), line.hasSuffix(" -->") {
                guard !isGenerated else { throw Failure("`\(end)` is missing before `\(line)`; add it") }
                pieces.append(.part(Part(name: String(line.dropFirst(start.count).dropLast(4)), anchor: heading)))
                isGenerated = true
            } else if line == end {
                guard isGenerated else { throw Failure("`\(end)` follows no `\(start)NAME -->`; remove it") }
                isGenerated = false
            } else if !isGenerated {
                if line.hasPrefix("#"), !isCode { heading = Self.anchor(line) }
                pieces.append(.line(String(line)))
            }
        }
        guard !isGenerated else { throw Failure("the last generated part has no `\(end)`; add it") }
        self.pieces = pieces
    }

    /// The link target of a heading, as GitHub makes it.
    static func anchor(_ heading: some StringProtocol) -> String {
        let words = heading.drop { $0 == "#" || $0 == " " }.lowercased()
        return String(words.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.map { $0 == " " ? "-" : $0 })
    }

    var parts: [Part] { pieces.compactMap { if case .part(let part) = $0 { part } else { nil } } }

    /// The page with new tables.
    ///
    /// - Throws: A `Failure` if the page lacks a table, or has a place for an unknown one.
    func updated(with tables: Tables) throws -> String {
        var texts = try tables.texts(for: parts)[...]
        let lines = pieces.map { piece in
            switch piece {
            case .line(let line): line
            case .part(let part): "<!-- generated: \(part.name) -->\n\(texts.removeFirst())\n<!-- end -->"
            }
        }
        return lines.joined(separator: "\n")
    }
}
