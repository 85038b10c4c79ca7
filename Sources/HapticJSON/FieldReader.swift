// SPDX-License-Identifier: MIT
internal import HapticCore

/// The keys of one object while they are read; see `NodeReader.object`.
public struct FieldReader {
    private let reader: NodeReader
    private let members: [Node.Member]
    private var asked: [String] = []
    private var missing: [String] = []
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
        // A word of ours, so it is shown as it is: looking that up takes most of the time that reading a pattern does.
        return reader.child(member.value, path: reader.path.isEmpty ? key : "\(reader.path).\(key)")
    }

    /// The value of `key`; where the object does not have it, that is reported.
    @usableFromInline mutating func required(_ key: String) -> NodeReader? {
        let value = optional(key)
        if value == nil { missing.append(key) }
        return value
    }

    /// Keys not asked for are not reported: which ones are right is not known, since what says it is wrong itself.
    public mutating func ignoreUnknownKeys() { isOpen = true }

    /// A key that is missing and also written with a typo is reported once, as the typo. Once; no key is asked for after it.
    @usableFromInline mutating func reportUnknownAndMissing() {
        guard !isReported else { return }
        isReported = true
        var missing = missing
        let absent = asked.filter { key in !members.contains { $0.key == Text(key) } }
        for member in members where !isOpen && !asked.contains(where: { Text($0) == member.key }) {
            let meant = reader.failUnknown(member, asked: asked, absent: absent)
            if meant != nil { hasTypo = true }
            missing.removeAll { $0 == meant }
        }
        for key in missing { reader.fail("the key \(quoted(key)) is missing") }
    }
}
