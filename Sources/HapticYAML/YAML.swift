// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticText

/// YAML 1.2, core schema, one document, without anchors, aliases and tags: each value stands where it is used, so that a
/// diagnostic can point at it and no document is larger than its text.
public enum YAML {
    public enum Limit {
        public static let bytes = 1 << 20
        /// Keys and values.
        public static let nodes = 100_000
        /// Directives `%TAG`, each of which libyaml compares with all before it.
        static let tagDirectives = 16
    }

    /// The document's tree; nil where it is no YAML. Everything that is wrong goes to `report`; what can still be read is in
    /// the tree, so that its reader finds what else is wrong.
    public static func parse(_ bytes: [UInt8], report: DocumentReport) -> Node? {
        guard bytes.count <= Limit.bytes else {
            report.add("the file has \(bytes.count) bytes; at most \(Limit.bytes) are read", at: nil)
            return nil
        }
        let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
        let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
        guard tagDirectives(in: text) <= Limit.tagDirectives else {
            report.add("more than \(Limit.tagDirectives) times `%TAG`; tags are not read, so take that out", at: nil)
            return nil
        }
        return text.withUnsafeBufferPointer { buffer in
            var tree = TreeBuilder(events: YAMLEvents(buffer), report: report)
            do throws(YAMLSyntaxError) {
                return try tree.document()
            } catch {
                report.add(error.message, at: error.mark)
                return nil
            }
        }
    }
}

/// How often `%TAG` stands in it, as a directive or not.
private func tagDirectives(in text: ArraySlice<UInt8>) -> Int {
    text.withUnsafeBufferPointer { bytes in
        bytes.indices.count(where: { bytes[$0] == UInt8(ascii: "%") && bytes[$0...].starts(with: "%TAG".utf8) })
    }
}

private struct TreeBuilder: ~Copyable {
    private var events: YAMLEvents
    private let report: DocumentReport
    private var nodes = 0

    init(events: consuming YAMLEvents, report: DocumentReport) {
        self.events = events
        self.report = report
    }

    mutating func document() throws(YAMLSyntaxError) -> Node {
        var event = try events.next()
        if event.kind == .streamStart { event = try events.next() }
        guard event.kind == .documentStart else { return Node(.null, mark: SourceMark(line: 1, column: 1)) }
        let root = try node(try events.next(), depth: 1, path: "")
        _ = try events.next()
        let after = try events.next()
        if after.kind != .streamEnd {
            report.add("a second document begins here; one file holds one document, so take out the `---`", at: after.mark)
        }
        return root
    }

    private mutating func node(_ event: YAMLEvent, depth: Int, path: String) throws(YAMLSyntaxError) -> Node {
        try count(event)
        guard depth <= Node.depthLimit else {
            throw YAMLSyntaxError(mark: event.mark, message: "nested deeper than \(Node.depthLimit) levels")
        }
        if event.hasAnchor { report.add("anchors (`&name`) are not read; write the value out", at: event.mark, path: path) }
        if event.hasTag { report.add("tags (`!name`) are not read; take it out", at: event.mark, path: path) }
        switch event.kind {
        case .scalar(let text, let isPlain):
            let content = isPlain ? coreSchemaContent(ofPlain: text) : .string(text)
            if case .number(let number) = content, !number.isFinite { return Node(content, mark: event.mark, numeral: text) }
            return Node(content, mark: event.mark)
        case .listStart: return Node(.list(try list(depth: depth, path: path)), mark: event.mark)
        case .objectStart: return Node(.object(try object(depth: depth, path: path)), mark: event.mark)
        case .alias:
            report.add("aliases (`*name`) are not read; write the value out, or quote the text", at: event.mark, path: path)
            return Node(.invalid, mark: event.mark)
        case .streamStart, .streamEnd, .documentStart, .documentEnd, .listEnd, .objectEnd:
            throw YAMLSyntaxError(mark: event.mark, message: "not valid YAML: a value is missing")
        }
    }

    private mutating func list(depth: Int, path: String) throws(YAMLSyntaxError) -> [Node] {
        var items: [Node] = []
        while true {
            let event = try events.next()
            if event.kind == .listEnd { return items }
            items.append(try node(event, depth: depth + 1, path: "\(path)[\(items.count)]"))
        }
    }

    private mutating func object(depth: Int, path: String) throws(YAMLSyntaxError) -> [Node.Member] {
        var members: [Node.Member] = []
        var lines: [Text: Int] = [:]
        while true {
            let event = try events.next()
            if event.kind == .objectEnd { return members }
            guard case .scalar(let key, _) = event.kind else {
                report.add("a key must be plain text", at: event.mark, path: path)
                _ = try node(event, depth: depth + 1, path: path)
                _ = try node(try events.next(), depth: depth + 1, path: path)
                continue
            }
            let keyPath = joined(path, key)
            _ = try node(event, depth: depth + 1, path: keyPath)
            let value = try node(try events.next(), depth: depth + 1, path: keyPath)
            if let line = lines[key] {
                report.add("duplicate key \(quoted(key.string)); it is already on line \(line)", at: event.mark, path: keyPath)
            } else {
                lines[key] = event.mark.line
                members.append(Node.Member(key: key, keyMark: event.mark, value: value))
            }
        }
    }

    private mutating func count(_ event: YAMLEvent) throws(YAMLSyntaxError) {
        nodes += 1
        guard nodes <= YAML.Limit.nodes else {
            throw YAMLSyntaxError(
                mark: event.mark, message: "more than \(YAML.Limit.nodes) keys and values; make the file smaller")
        }
    }
}
