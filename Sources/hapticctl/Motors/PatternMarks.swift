// SPDX-License-Identifier: MIT
import HapticCore
import HapticDocuments
import HapticFormats
import HapticJSON

/// Where in a pattern file stands what a finding is about.
struct PatternMarks {
    /// Of a file of ours, whose members have the paths of findings.
    private let root: Node?
    /// Of one of another format: what is felt, by time.
    private let places: [EntryPlace]

    /// Of the file that `read` was read from.
    init(_ bytes: [UInt8], of read: ReadPattern, file: String) {
        root = read.format == .yaml ? YAML.parse(bytes, report: DocumentReport(file: file)) : nil
        places = read.places
    }

    /// The place of the entry at `path` of the pattern, which begins at `at` (nil: the pattern as a whole is meant, or it is not known).
    ///
    /// In another format than ours that is what begins last at that time, or else first, under the path that it has there.
    func place(of path: String, at: Nanoseconds?) -> (mark: SourceMark?, path: String) {
        if let root { return (Self.mark(of: path, in: root), path) }
        guard let at, let first = places.min(by: { $0.at < $1.at }) else { return (SourceMark(line: 1, column: 1), "") }
        // Of several at one time the last: of a step that is its upper end.
        let place = places.reduce(first) { latest, place in place.at <= at && place.at >= latest.at ? place : latest }
        return (place.mark, place.path)
    }

    /// Of a member such as `tracks[0].keyframes[3]`, or as much of it as there is.
    private static func mark(of path: String, in root: Node) -> SourceMark? {
        var node = root
        for step in path.split(whereSeparator: { ".[]".contains($0) }) {
            guard let next = member(String(step), of: node) else { break }
            node = next
        }
        return node.mark
    }

    private static func member(_ step: String, of node: Node) -> Node? {
        switch node.content {
        case .object(let members): members.first { $0.key == Text(step) }?.value
        case .list(let items): Int(step).flatMap { items.indices.contains($0) ? items[$0] : nil }
        default: nil
        }
    }
}
