// SPDX-License-Identifier: MIT
internal import HapticCore

/// The candidate that someone who wrote `text` most likely meant; nil where none is near.
///
/// By edit distance of bytes (insert, delete, replace, swap two neighbours), case of ASCII ignored: one edit for each three
/// characters, at least one and at most three. The first of equally near ones wins. O(candidates · length²), with lengths up to
/// 64.
public func closestMatch(to text: String, in candidates: some Sequence<String>) -> String? {
    guard (1...64).contains(text.utf8.count) else { return nil }
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
private func lowercased(_ text: String) -> [UInt8] {
    text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
}

/// What to say of `text` that is none of `candidates`: "unknown key `patern`, did you mean `pattern`?", or the candidates.
/// `meant`: what was meant, where the caller knows better than the edit distance.
public func unknownMessage(
    _ kind: String, _ text: String, candidates: some Collection<String>, meant: String? = nil
) -> String {
    let start = "unknown \(kind) \(quoted(text))"
    if let meant = meant ?? closestMatch(to: text, in: candidates) { return "\(start), did you mean \(quoted(meant))?" }
    guard !candidates.isEmpty else { return "\(start); there is no \(kind) to name" }
    let shown = candidates.prefix(40).map(quoted).joined(separator: ", ")
    return "\(start); there is \(shown)\(candidates.count > 40 ? " and \(candidates.count - 40) more" : "")"
}

/// The optimal-string-alignment distance, three rows at a time.
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
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
