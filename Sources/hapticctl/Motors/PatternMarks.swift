// SPDX-License-Identifier: MIT
import HapticCore
import HapticDocuments
import HapticFormats
import HapticJSON

/// Where the members of a pattern file stand.
struct PatternMarks {
    private let root: Node?
    /// The paths of findings are those of our own files; in others the file as a whole is meant.
    private let isOurs: Bool

    /// Of a text that has been read without errors.
    init(_ bytes: [UInt8], file: String) {
        let report = DocumentReport(file: file)
        isOurs = PatternFormat.of(bytes, file: file) == .yaml
        root = isOurs ? YAML.parse(bytes, report: report) : JSONDocument.parse(bytes, report: report)
    }

    /// Of a member such as `tracks[0].keyframes[3]`, or as much of it as there is.
    func mark(of path: String) -> SourceMark? {
        guard var node = root else { return nil }
        guard isOurs else { return node.mark }
        for step in path.split(whereSeparator: { ".[]".contains($0) }) {
            guard let next = Self.member(String(step), of: node) else { break }
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
