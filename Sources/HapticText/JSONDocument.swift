// SPDX-License-Identifier: MIT
internal import HapticCore

/// A file of JSON, read with the place of each value, so that a diagnostic can point at it.
public enum JSONDocument {
    public enum Limit {
        public static let bytes = 1 << 20
    }

    /// The document's tree; nil where it is no JSON, which goes to `report`. UTF-8; a byte order mark at its start is skipped. `commaNotes`
    /// gets a note for each comma at the end of a list or an object; without it such a comma is an error.
    public static func parse(_ bytes: [UInt8], report: DocumentReport, commaNotes: DocumentReport? = nil) -> Node? {
        guard bytes.count <= Limit.bytes else {
            report.add("the file has \(bytes.count) bytes; at most \(Limit.bytes) are read", at: nil)
            return nil
        }
        let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
        let text = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
        do throws(JSONError) {
            return try JSONReader.markedNode(text, commaNotes: commaNotes)
        } catch {
            var marks = MarkCounter()
            report.add("not JSON: \(error.message)", at: marks.mark(at: error.offset, in: text))
            return nil
        }
    }
}

/// Counts lines and columns of a text, forwards only: all of them together take one look at each byte.
struct MarkCounter {
    private var position = 0
    private var next = SourceMark(line: 1, column: 1)

    /// Where the byte at `offset` is, which is not before the one before.
    mutating func mark(at offset: Int, in bytes: [UInt8]) -> SourceMark {
        while position < min(offset, bytes.count) {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\n") {
                next = SourceMark(line: next.line + 1, column: 1)
            } else if byte & 0xc0 != 0x80 {
                next.column += 1
            }
            position += 1
        }
        return next
    }
}
