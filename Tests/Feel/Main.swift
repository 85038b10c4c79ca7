// SPDX-License-Identifier: MIT
import FoundationEssentials

/// `haptic-feel ROOT [--check]`: puts what the measure of feel comes to into ROOT/docs/feel.md, and its pictures into
/// ROOT/docs/pictures/feel. With `--check` it only says which of them are not what it would write.
@main
enum Main {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let root = arguments.first, arguments.dropFirst().allSatisfy({ $0 == "--check" }) else {
            throw Failure.usage("haptic-feel ROOT [--check]")
        }
        let path = root + "/docs/feel.md"
        let page = Page(try OtherPatterns(in: root), try AsShipped(in: root))
        let text = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        guard let marker = text.firstRange(of: Page.marker) else { throw Failure.noMarker(file: path, putBack: Page.marker) }
        let pictures = root + "/docs/pictures/feel/"
        let files = [(path, text[..<marker.lowerBound] + page.text)] + Picture.all.map { (pictures + $0.file, $0.svg[...]) }
        if arguments.contains("--check") {
            let stale = files.filter { file, text in (try? Data(contentsOf: URL(filePath: file))) != Data(text.utf8) }
            guard stale.isEmpty else { throw Failure.stale(stale.map(\.0), remedy: "make feel") }
        } else {
            try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: true)
            for (file, text) in files { try Data(text.utf8).write(to: URL(filePath: file)) }
        }
        for figure in page.figures {
            print(figure.isMet ? "met   " : "missed", "\(figure.row): \(figure.measured) (\(figure.wanted))")
        }
    }

    enum Failure: Error {
        case usage(String)
        /// A shipped file has one motor, whose model it names.
        case noModel(file: String)
        /// The page lacks the line from which on it is generated.
        case noMarker(file: String, putBack: String)
        case stale([String], remedy: String)
    }
}
