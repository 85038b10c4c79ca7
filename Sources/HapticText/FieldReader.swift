// SPDX-License-Identifier: MIT
public import HapticCore

/// The keys of one object while they are read; see `NodeReader.object`.
public struct FieldReader {
    private let reader: NodeReader
    private let members: [Node.Member]
    private var asked: [String] = []
    private var missing: [String] = []
    /// Values to propose for keys that are missing.
    @usableFromInline var examples: [Text: String] = [:]
    /// How many of the object's keys have been asked for.
    private var foundCount = 0
    private var homes: [MemberHome] = []
    private var isOpen = false
    private var isReported = false
    private var hasTypo = false

    init(_ reader: NodeReader, members: [Node.Member]) {
        self.reader = reader
        self.members = members
    }

    @usableFromInline var notation: Notation { reader.notation }

    /// The object as a whole, once its keys have been read; what they are blamed for is not said of it again.
    @usableFromInline var whole: NodeReader {
        var whole = reader
        whole.hasTypo = hasTypo
        return whole
    }

    /// The value of `key`; nil where the object does not have it.
    @usableFromInline mutating func optional(_ key: String) -> NodeReader? {
        asked.append(key)
        let name = Text(key)
        guard let member = members.first(where: { $0.key == name }) else { return nil }
        foundCount += 1
        // A word of ours, so it is shown as it is: looking that up takes most of the time that reading a pattern does.
        return reader.child(member.value, path: reader.path.isEmpty ? key : "\(reader.path).\(key)")
    }

    /// The value of `key`; where the object does not have it, that is reported, with `example` if there is one.
    @usableFromInline mutating func required(_ key: String, example: @autoclosure () -> String?) -> NodeReader? {
        let value = optional(key)
        if value == nil {
            missing.append(key)
            if let example = example() { examples[Text(key)] = example }
        }
        return value
    }

    /// Whether the object has keys that have not been asked for so far, and are not ignored.
    @usableFromInline var hasOthers: Bool { !isOpen && foundCount < members.count }

    /// Notes a key that holds keys of its own: one of those may stand in the object by mistake.
    @usableFromInline mutating func note(_ home: MemberHome) { homes.append(home) }

    /// Keys not asked for are not reported: which ones are right is not known, since what says it is wrong itself.
    public mutating func ignoreUnknownKeys() { isOpen = true }

    /// A key that is missing and also written with a typo is reported once, as the typo. Once; no key is asked for after it.
    @usableFromInline mutating func reportUnknownAndMissing() {
        guard !isReported else { return }
        isReported = true
        var missing = missing
        let absent = asked.filter { key in !members.contains { $0.key == Text(key) } }
        for member in members where !isOpen && !asked.contains(where: { Text($0) == member.key }) {
            let meant = reader.failUnknown(member, asked: asked, absent: absent, homes: homes)
            if meant != nil { hasTypo = true }
            missing.removeAll { $0 == meant }
        }
        for key in missing {
            let remedy = examples[Text(key)].map { "; write `\(key): \(shortened($0))`" } ?? ""
            reader.fail("the key \(quoted(key)) is missing\(remedy)")
        }
    }
}
