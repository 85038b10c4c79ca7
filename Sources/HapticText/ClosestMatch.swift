// SPDX-License-Identifier: MIT
internal import HapticCore

/// The candidate that someone who wrote `text` most likely meant; nil where none is near.
///
/// First by `Synonyms`, then by edit distance of bytes (insert, delete, replace, swap two neighbours), case of ASCII ignored: one edit for
/// each three characters, at least one and at most three. The first of equally near ones wins. O(candidates · length²), with lengths
/// up to 64.
public func closestMatch(to text: String, in candidates: some Collection<String>) -> String? {
    guard (1...64).contains(text.utf8.count) else { return nil }
    if let meant = Synonyms.meaning(of: text, among: candidates) { return meant }
    let wanted = lowercased(text)
    var best: (candidate: String, distance: Int)?
    var alike: [String] = []
    for candidate in candidates where Text(candidate) != Text(text) {
        let other = lowercased(candidate)
        if beginAlike(wanted, other) { alike.append(candidate) }
        let allowed = min(3, max(1, max(wanted.count, other.count) / 3))
        guard !other.isEmpty, abs(other.count - wanted.count) <= allowed else { continue }
        let distance = editDistance(wanted, other)
        if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.candidate ?? (alike.count == 1 ? alike[0] : nil)
}

/// Whether they have a beginning in common that is half of either, as `success` and `succeeded` have.
private func beginAlike(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    let common = zip(a, b).prefix { $0 == $1 }.count
    return common >= 4 && 2 * common >= max(a.count, b.count)
}

/// The bytes, with small letters of ASCII in place of large ones.
func lowercased(_ text: String) -> [UInt8] {
    text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
}

/// The `count` candidates with the least edit distance from `text`, the nearest first. O(candidates · length²), by the first 64 bytes of each.
private func nearestMatches(_ count: Int, to text: String, in candidates: some Collection<String>) -> [String] {
    let wanted = Array(lowercased(text).prefix(64))
    var nearest: [(candidate: String, distance: Int)] = []
    for candidate in candidates {
        let distance = editDistance(wanted, Array(lowercased(candidate).prefix(64)))
        let index = nearest.firstIndex { distance < $0.distance } ?? nearest.count
        guard index < count else { continue }
        nearest.insert((candidate, distance), at: index)
        if nearest.count > count { nearest.removeLast() }
    }
    return nearest.map(\.candidate)
}

/// The message about a word that is none of those that are known, and the word that was meant.
public struct UnknownWord: Hashable, Sendable {
    /// "unknown key `patern`, did you mean `pattern`?", or with the candidates.
    public let message: String
    /// Nil if none is near.
    public let didYouMean: String?

    /// Creates the message about `text`, which is no `kind`, such as `key`. It suggests the word that was meant, or names candidates: the
    /// three nearest if a command lists all, otherwise the first 40. `meant`: the word that was meant, if the caller knows better than
    /// `closestMatch`. `command`: lists all candidates.
    public init(
        _ kind: String, _ text: String, candidates: some Collection<String>, meant: String? = nil, listedBy command: String? = nil
    ) {
        let start = "unknown \(kind) \(quoted(text))"
        didYouMean = meant ?? closestMatch(to: text, in: candidates)
        if let didYouMean {
            message = "\(start), did you mean \(quoted(didYouMean))?"
        } else if candidates.isEmpty {
            message = "\(start); there is no \(kind) to name"
        } else if let command, candidates.count > 3 {
            let nearest = nearestMatches(3, to: text, in: candidates).map(quoted).joined(separator: ", ")
            message = "\(start); the nearest are \(nearest), and `\(command)` lists all"
        } else {
            let shown = candidates.prefix(40).map(quoted).joined(separator: ", ")
            message = "\(start); there is \(shown)\(candidates.count > 40 ? " and \(candidates.count - 40) more" : "")"
        }
    }

    private init(message: String) { (self.message, didYouMean) = (message, nil) }

    /// The remedy for plain pulses in a place that takes the name of a pattern.
    package static let pulsesRemedy =
        "put pulses and pauses into a pattern file, as `pulses: [20, 60, 20]`, and write its name here"

    /// Creates the message about an unknown pattern. `words` are effects, which the same place takes. `isInFile`: a word for plain pulses is
    /// answered with the pattern file to write.
    public init(
        pattern name: String, candidates: some Collection<String>, orOther words: [String] = [], isInFile: Bool = false
    ) {
        let kind = words.isEmpty ? "pattern" : "effect or pattern"
        if isInFile, Synonyms.meansPulses(Text(name)) {
            self.init(message: "unknown \(kind) \(quoted(name)); \(Self.pulsesRemedy)")
            return
        }
        self.init(kind, name, candidates: words + candidates, listedBy: "hapticctl patterns")
    }
}

/// The message of `UnknownWord` about `text`.
public func unknownMessage(
    _ kind: String, _ text: String, candidates: some Collection<String>, meant: String? = nil
) -> String {
    UnknownWord(kind, text, candidates: candidates, meant: meant).message
}

/// The optimal-string-alignment distance, three rows at a time.
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
        var row = [i]
        for j in 1...b.count {
            let replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
            var least = min(replaced, last[j] + 1, row[j - 1] + 1)
            if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { least = min(least, beforeLast[j - 2] + 1) }
            row.append(least)
        }
        (beforeLast, last) = (last, row)
    }
    return last[b.count]
}
