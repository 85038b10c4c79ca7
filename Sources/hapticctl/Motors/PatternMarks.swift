// SPDX-License-Identifier: MIT
import HapticCore
import HapticFormats
import HapticText
import HapticYAML

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
        if let root {
            let path = Self.written(path, in: root)
            return (Self.node(at: path, in: root).mark, path)
        }
        guard let at, let first = places.min(by: { $0.at < $1.at }) else { return (SourceMark(line: 1, column: 1), "") }
        // Of several at one time the last: of a step that is its upper end.
        let place = places.reduce(first) { latest, place in place.at <= at && place.at >= latest.at ? place : latest }
        return (place.mark, place.path)
    }

    /// Whether the file writes `key` in the entry at `path`; true of another format than ours, which leaves nothing to a default.
    func has(_ key: String, at path: String) -> Bool {
        guard let root else { return true }
        return Self.member(key, of: Self.node(at: path, in: root)) != nil
    }

    /// The path in the file: `pulses` counts as the track after those of `tracks`.
    private static func written(_ path: String, in root: Node) -> String {
        guard let start = path.firstRange(of: "tracks["), let index = Int(path[start.upperBound...].prefix { $0 != "]" }) else {
            return path
        }
        let before = path[..<start.lowerBound]
        let holder = node(at: before, in: root)
        guard member("pulses", of: holder) != nil else { return path }
        if let tracks = member("tracks", of: holder), member("\(index)", of: tracks) != nil { return path }
        return before + "pulses"
    }

    /// A member such as `tracks[0].keyframes[3]`, or as much of it as there is.
    private static func node(at path: some StringProtocol, in root: Node) -> Node {
        var node = root
        for step in path.split(whereSeparator: { ".[]".contains($0) }) {
            guard let next = member(String(step), of: node) else { break }
            node = next
        }
        return node
    }

    private static func member(_ step: String, of node: Node) -> Node? {
        switch node.content {
        case .object(let members): members.first { $0.key == Text(step) }?.value
        case .list(let items): Int(step).flatMap { items.indices.contains($0) ? items[$0] : nil }
        default: nil
        }
    }
}
