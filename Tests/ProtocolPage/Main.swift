// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc

/// `protocol-page ROOT [--check]`: writes the tables of ROOT/docs/protocol.md, and the words of the wire in two dictionaries of the fuzzer.
/// With `--check` it only names the files that are out of date.
@main
enum Main {
    static func main() {
        do {
            try run(CommandLine.arguments.dropFirst())
        } catch {
            print("protocol-page: \(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: ArraySlice<String>) throws {
        guard let root = arguments.first, arguments.dropFirst().allSatisfy({ $0 == "--check" }) else {
            throw Failure("usage: protocol-page ROOT [--check]")
        }
        let stale = try Self.stale(in: root)
        guard !arguments.contains("--check") else {
            if stale.isEmpty { return }
            throw Failure("out of date; run `make protocol-page`: \(stale.map(\.path).joined(separator: ", "))")
        }
        for file in stale { try Data(file.text.utf8).write(to: URL(filePath: file.path)) }
    }

    /// The files that the description of the wire changes, each with its new text.
    static func stale(in root: String) throws -> [(path: String, text: String)] {
        let generators: [(String, (String) throws -> String)] = [
            ("docs/protocol.md", { try Page($0).updated(with: Tables.all) }),
            ("Fuzz/Dictionaries/lines.dict", { try WireWords.sent.updated(dictionary: $0) }),
            ("Fuzz/Dictionaries/daemon.dict", { try WireWords.received.updated(dictionary: $0) }),
        ]
        return try generators.compactMap { name, generate in
            let path = "\(root)/\(name)"
            let text = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            let updated = try generate(text)
            return updated == text ? nil : (path, updated)
        }
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
