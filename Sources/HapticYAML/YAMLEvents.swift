// SPDX-License-Identifier: MIT
private import CYAML
internal import HapticCore
internal import HapticText

/// One event of libyaml's parser, copied out of its memory.
struct YAMLEvent {
    enum Kind: Equatable {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias
        case scalar(Text, isPlain: Bool)
        case listStart, listEnd, objectStart, objectEnd
    }

    var kind: Kind
    var mark: SourceMark
    var hasAnchor = false
    var hasTag = false
}

/// Why the text is not YAML.
struct YAMLSyntaxError: Error {
    var mark: SourceMark
    var message: String
}

/// Owns a libyaml parser over bytes that outlive it.
struct YAMLEvents: ~Copyable {
    // On the heap because libyaml keeps a pointer to the parser inside the parser.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeBufferPointer<UInt8>

    /// `bytes` must stay where they are for as long as this lives.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        // trap: fails only where there is no memory, where Swift itself ends.
        precondition(yaml_parser_initialize(parser) == 1, "out of memory")
        // Without it libyaml would also take UTF-16, which nothing else here reads.
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deinitialize(count: 1)
        parser.deallocate()
    }

    mutating func next() throws(YAMLSyntaxError) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw syntaxError() }
        defer { yaml_event_delete(&event) }
        let mark = SourceMark(event.start_mark)
        switch event.type {
        case YAML_STREAM_START_EVENT: return YAMLEvent(kind: .streamStart, mark: mark)
        case YAML_DOCUMENT_START_EVENT: return YAMLEvent(kind: .documentStart, mark: mark)
        case YAML_DOCUMENT_END_EVENT: return YAMLEvent(kind: .documentEnd, mark: mark)
        case YAML_ALIAS_EVENT: return YAMLEvent(kind: .alias, mark: mark)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            return YAMLEvent(
                kind: .scalar(Text(text), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE), mark: mark,
                hasAnchor: scalar.anchor != nil, hasTag: scalar.tag != nil)
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            return YAMLEvent(kind: .listStart, mark: mark, hasAnchor: start.anchor != nil, hasTag: start.tag != nil)
        case YAML_SEQUENCE_END_EVENT: return YAMLEvent(kind: .listEnd, mark: mark)
        case YAML_MAPPING_START_EVENT:
            let start = event.data.mapping_start
            return YAMLEvent(kind: .objectStart, mark: mark, hasAnchor: start.anchor != nil, hasTag: start.tag != nil)
        case YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .objectEnd, mark: mark)
        // YAML_STREAM_END_EVENT, and YAML_NO_EVENT which libyaml gives from then on.
        default: return YAMLEvent(kind: .streamEnd, mark: mark)
        }
    }

    private func syntaxError() -> YAMLSyntaxError {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "out of memory"
        let context = parser.pointee.context.map { String(cString: $0) } ?? ""
        guard parser.pointee.error != YAML_READER_ERROR else {
            // by characters: libyaml's own words.
            let isControl = problem.hasPrefix("control characters")
            let advice = isControl ? "take it out, or write it as an escape in quotes" : "save the file as UTF-8"
            let found = isControl ? "a control character is not allowed here" : "this is not UTF-8 text (\(problem))"
            return YAMLSyntaxError(mark: mark(ofByte: parser.pointee.problem_offset), message: "\(found); \(advice)")
        }
        let place = context.isEmpty ? "" : " \(context) that begins on line \(parser.pointee.context_mark.line + 1)"
        return YAMLSyntaxError(
            mark: SourceMark(parser.pointee.problem_mark),
            message: "not valid YAML: \(problem)\(place)\(Self.advice(problem: problem, context: context))")
    }

    /// What is most often behind an error that libyaml reports in its own words.
    private static func advice(problem: String, context: String) -> String {
        // by characters: libyaml's own words.
        if context.contains("alias") { return "; text that begins with `*` needs quotes" }
        if problem.contains("tab character") { return "; indent with spaces, not tabs" }
        if problem.contains("cannot start any token") {
            return "; indent with spaces, not tabs, and quote text that begins with a sign"
        }
        if context.contains("flow mapping") { return "; put a `,` between its members and a `}` at its end" }
        if context.contains("flow sequence") { return "; put a `,` between its items and a `]` at its end" }
        if problem.contains("'-' indicator") || problem.contains("<document start>") {
            return "; check the indentation of this line"
        }
        if problem.contains("mapping values are not allowed") {
            return "; check the indentation, and quote text that contains `: `"
        }
        if problem.contains("expected key") || problem.contains("could not find expected ':'") {
            return "; check the indentation, and that each key has its `:`"
        }
        return ""
    }

    /// libyaml gives only the offset of bytes that it cannot read.
    private func mark(ofByte offset: Int) -> SourceMark {
        var mark = SourceMark(line: 1, column: 1)
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                mark = SourceMark(line: mark.line + 1, column: 1)
            } else if byte & 0xc0 != 0x80 {
                mark.column += 1
            }
        }
        return mark
    }
}

extension SourceMark {
    fileprivate init(_ mark: yaml_mark_t) { self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1) }
}
