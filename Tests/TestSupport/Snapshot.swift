// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import HapticCore

/// Whether tests record their snapshots instead of comparing them: `make snapshots` sets HAPTICD_REWRITE_SNAPSHOTS.
public let isRewritingSnapshots = getenv("HAPTICD_REWRITE_SNAPSHOTS") != nil

/// Compares `text` with the file `Snapshots/NAME.txt` beside the test. `make snapshots` writes it there instead.
///
/// - Throws: `SnapshotDifference` if the file is missing or holds another text.
public func expectSnapshot(of text: String, _ name: String, testFile: String = #filePath) throws {
    let folder = snapshots(beside: testFile)
    let file = folder.appending(path: "\(name).txt")
    let text = text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n"
    if isRewritingSnapshots {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let recorded = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    guard !recorded.utf8.elementsEqual(text.utf8) else { return }
    throw SnapshotDifference(
        name: "\(name).txt", lines: lineDifferences(from: lines(recorded), to: lines(text), of: "\(name).txt"))
}

/// The headings of a snapshot of `SnapshotCases`, for a test whose cases are lines of text. A new heading in the file is a new
/// case.
public func snapshotHeadings(_ name: String, testFile: String = #filePath) throws -> [String] {
    let file = snapshots(beside: testFile).appending(path: "\(name).txt")
    let mark = SnapshotCases.mark
    return lines(try String(contentsOf: file, encoding: .utf8)).filter { $0.hasPrefix(mark) }.map {
        String($0.dropFirst(mark.count))
    }
}

/// The snapshots beside `testFile` that no test in its folder names.
public func unnamedSnapshots(testFile: String = #filePath) throws -> [String] {
    let folder = URL(filePath: testFile).deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    let sources = try names.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    let files = try FileManager.default.contentsOfDirectory(atPath: snapshots(beside: testFile).path).sorted()
    return files.filter { file in !sources.contains { $0.contains(", \"\(file.prefix { $0 != "." })\")") } }
}

private func snapshots(beside testFile: String) -> URL {
    URL(filePath: testFile).deletingLastPathComponent().appending(path: "Snapshots")
}

private func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}

/// The lines in which a snapshot differs, as the error of a test.
public struct SnapshotDifference: Error, CustomStringConvertible {
    let name: String
    let lines: [String]
    private static let mostLines = 60

    public var description: String {
        let more = lines.count > Self.mostLines ? ["and \(lines.count - Self.mostLines) more"] : []
        return
            (["\(name) differs: `-` is recorded, `+` is new"] + lines.prefix(Self.mostLines) + more
            + ["`make snapshots` records what is new"]).joined(separator: "\n")
    }
}

/// Compares line by line: `-` is only in `old`, `+` only in `new`. Each difference begins with its place in `old`, whose first
/// line is line `firstLine` of `file`.
public func lineDifferences(from old: [String], to new: [String], of file: String, firstLine: Int = 1) -> [String] {
    var (removed, inserted) = (Set<Int>(), Set<Int>())
    // By bytes, so that two encodings of one character differ.
    for change in new.map({ Text($0) }).difference(from: old.map { Text($0) }) {
        switch change {
        case .remove(let offset, _, _): removed.insert(offset)
        case .insert(let offset, _, _): inserted.insert(offset)
        }
    }
    var found: [String] = []
    var (oldIndex, newIndex) = (0, 0)
    while oldIndex < old.count || newIndex < new.count {
        let place = "\(file):\(firstLine + oldIndex):"
        if removed.contains(oldIndex) {
            found.append("\(place) - \(old[oldIndex])")
            oldIndex += 1
        } else if inserted.contains(newIndex) {
            found.append("\(place) + \(new[newIndex])")
            newIndex += 1
        } else {
            (oldIndex, newIndex) = (oldIndex + 1, newIndex + 1)
        }
    }
    return found
}

/// A text of many cases, each below its heading.
public struct SnapshotCases {
    static let mark = "=== "
    public private(set) var text = ""

    public init() {}

    public mutating func add(_ heading: String, _ lines: [String]) {
        text += "\(Self.mark)\(heading)\n" + lines.map { $0 + "\n" }.joined() + "\n"
    }
}
