// SPDX-License-Identifier: MIT
import FoundationEssentials

/// A line that the daemon has written, or one answer of a batch, read by Foundation: none of our readers is asked.
struct HeardLine: Decodable {
    /// The members of an object: the names of all and of those that are not null, numbers, words, and of the objects two.
    struct Members: Decodable {
        private(set) var names: Set<String> = []
        private(set) var given: Set<String> = []
        private var numbers: [String: Int] = [:]
        private var words: [String: String] = [:]
        private(set) var objects: [String: Members] = [:]

        private struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Name.self)
            names = Set(container.allKeys.map(\.stringValue))
            for key in container.allKeys where try !container.decodeNil(forKey: key) {
                let name = key.stringValue
                given.insert(name)
                if let number = try? container.decode(Int.self, forKey: key) { numbers[name] = number }
                if let word = try? container.decode(String.self, forKey: key) { words[name] = word }
                if name == "ending" || name == "decision" { objects[name] = try? container.decode(Members.self, forKey: key) }
            }
        }

        func number(_ name: String) -> Int? { numbers[name] }
        func word(_ name: String) -> String? { words[name] }
    }

    let id: Int?
    let method: String?
    let params: Members?
    let result: Members?
    let error: Members?
    private(set) var text = ""

    private enum CodingKeys: CodingKey { case id, method, params, result, error }

    /// The answers and notices in `bytes`; nil if these are not whole lines, or one is no JSON.
    static func lines(of bytes: [UInt8]) -> [HeardLine]? {
        guard !bytes.isEmpty else { return [] }
        guard bytes.last == UInt8(ascii: "\n") else { return nil }
        var lines: [HeardLine] = []
        for line in bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let (decoder, data) = (JSONDecoder(), Data(line))
            let isBatch = line.first == UInt8(ascii: "[")
            guard
                var heard = isBatch
                    ? try? decoder.decode([HeardLine].self, from: data)
                    : (try? decoder.decode(HeardLine.self, from: data)).map({ [$0] })
            else { return nil }
            for index in heard.indices { heard[index].text = String(decoding: line.prefix(300), as: UTF8.self) }
            lines += heard
        }
        return lines
    }
}
