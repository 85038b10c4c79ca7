// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticTerminal

/// What other programs print, for `hapticctl progress`. In which pieces it comes does not matter.
public enum Records: FuzzTarget {
    public static let name = "records"

    public static func run(_ bytes: [UInt8]) {
        var (whole, split) = (RecordParser(max: 100), RecordParser(max: 100))
        var values = whole.take(bytes)
        if let last = whole.finish() { values.append(last) }
        var same = bytes.flatMap { split.take([$0]) }
        if let last = split.finish() { same.append(last) }
        require(values == same && whole.counts == split.counts, "pieces do not matter")
        require(values.allSatisfy { (0...1).contains($0.value) }, "progress is in 0...1")
        require(whole.counts.used == values.count && whole.counts.clamped <= values.count, "what is used is counted")
        let ends = bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 1
        require(whole.counts.used + whole.counts.skipped <= ends, "a record counts once")
    }
}
