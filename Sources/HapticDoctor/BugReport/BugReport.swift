// SPDX-License-Identifier: MIT
import HapticCore
import HapticText
import HapticWire

/// The text of a report: what is known of the machine, the daemon and its configuration, in lines.
package struct BugReport {
    /// In bytes: the whole, a line of it, and what is kept for a section that is known last and stands first.
    static let (most, mostOfLine, mostOfFirst) = (1_048_576, 4096, 131_072)

    /// Nil: names are shown.
    var hiding: HiddenNames?
    package private(set) var lines: [String] = []
    /// In bytes, without what says that something is left out.
    private var room = most - mostOfFirst - 200
    private var isCut = false

    init(hiding: HiddenNames?, date: String) {
        self.hiding = hiding
        append("hapticd report of \(date)")
        append(
            hiding == nil
                ? "Ids, names and values are shown (--full)."
                : "Ids, names and values are left out, and marked \(HiddenNames.mark). --full would have shown them.")
    }

    /// Names that no document has.
    mutating func hide(_ names: [String]) { for name in names { hiding?.add(name) } }

    mutating func section(_ title: String) {
        append("")
        append("== \(title)")
    }

    /// A section before the line of index `target`, which has room however much there is already.
    mutating func section(_ title: String, of text: [String], before target: Int) {
        let (start, restRoom, isRestCut) = (lines.count, room, isCut)
        (room, isCut) = (Self.mostOfFirst, false)
        section(title)
        add(text: text)
        (room, isCut) = (restRoom, isRestCut)
        let moved = lines[start...]
        lines.removeSubrange(start...)
        lines.insert(contentsOf: moved, at: target)
    }

    /// Lines of our own, with no name in them.
    mutating func add(plain lines: [String]) { for line in lines { append(line) } }

    /// Sentences of programs, in which names may be.
    mutating func add(text lines: [String]) {
        if hiding?.isFull == true, !lines.isEmpty {
            return append("left out: there are more names than can be looked for in it; --full shows it, with all names")
        }
        for line in lines { append(hiding?.text(line) ?? line) }
    }

    /// An answer, or a device, on one line.
    mutating func add(_ answer: some Encodable) {
        guard let node = try? JSONReader.node(WireWriter.line(answer)) else { return }
        append(String(decoding: WireWriter.line(hidden(node, hasOwnKeys: true)).dropLast(), as: UTF8.self))
    }

    /// A configuration: each value on a line, behind where it is.
    mutating func add(configuration: Node) {
        for line in leaves(hidden(configuration, hasOwnKeys: false), at: "") { append(line) }
    }

    private mutating func hidden(_ node: Node, hasOwnKeys: Bool) -> Node {
        hiding?.hidden(node, hasOwnKeys: hasOwnKeys) ?? node
    }

    private func leaves(_ node: Node, at path: String) -> [String] {
        switch node.content {
        case .object(let members) where !members.isEmpty:
            members.flatMap { leaves($0.value, at: path.isEmpty ? $0.key.string : "\(path).\($0.key.string)") }
        case .list(let items) where !items.isEmpty: items.enumerated().flatMap { leaves($0.element, at: "\(path)[\($0.offset)]") }
        default: ["\(path): \(String(decoding: WireWriter.line(node).dropLast(), as: UTF8.self))"]
        }
    }

    /// What is too much is left out, and said to be.
    private mutating func append(_ line: String) {
        guard !isCut else { return }
        var line = line.printable
        if line.utf8.count > Self.mostOfLine { line = Text(line).prefix(bytes: Self.mostOfLine) + " …" }
        guard line.utf8.count + 1 <= room else {
            isCut = true
            lines.append("What follows here is left out: a report has at most \(Self.most / 1_048_576) MiB.")
            return
        }
        room -= line.utf8.count + 1
        lines.append(line)
    }
}
