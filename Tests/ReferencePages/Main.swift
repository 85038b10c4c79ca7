// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc

/// `reference-pages ROOT [--check]`: writes the tables of docs/protocol.md and docs/configuration.md, and the words of four dictionaries
/// of the fuzzer, in the checkout ROOT. With `--check` it only names the files that are out of date.
@main
enum Main {
    static func main() {
        do {
            try run(CommandLine.arguments.dropFirst())
        } catch {
            print("reference-pages: \(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: ArraySlice<String>) throws {
        guard let root = arguments.first, arguments.dropFirst().allSatisfy({ $0 == "--check" }) else {
            throw Failure("usage: reference-pages ROOT [--check]")
        }
        let stale = try Self.stale(in: root)
        guard !arguments.contains("--check") else {
            if stale.isEmpty { return }
            throw Failure("out of date; run `make reference-pages`: \(stale.map(\.path).joined(separator: ", "))")
        }
        for file in stale { try Data(file.text.utf8).write(to: URL(filePath: file.path)) }
    }

    /// The files that are out of date, each with its new text.
    static func stale(in root: String) throws -> [(path: String, text: String)] {
        let generators: [(String, (String) throws -> String)] = [
            ("docs/protocol.md", { try Page($0).updated(with: .ofProtocol) }),
            ("docs/configuration.md", { try Page($0).updated(with: .ofConfiguration) }),
            ("Fuzz/Dictionaries/lines.dict", { try Words.sent.updated(dictionary: $0) }),
            ("Fuzz/Dictionaries/daemon.dict", { try Words.received.updated(dictionary: $0) }),
            ("Fuzz/Dictionaries/config.dict", { try Words.ofConfigurations.updated(dictionary: $0) }),
            ("Fuzz/Dictionaries/patterns.dict", { try Words.ofPatterns.updated(dictionary: $0) }),
        ]
        return try generators.compactMap { name, generate in
            let path = "\(root)/\(name)"
            let text = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            let updated: String
            do { updated = try generate(text) } catch { throw Failure("\(name): \(error)") }
            return updated == text ? nil : (path, updated)
        }
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
