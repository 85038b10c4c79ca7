// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticWire

/// What there is to say to the subscribers of one event: each notice is written once for those who may see all of it, and once for
/// the others, and put together once for all who get the same.
struct NoticeFanOut {
    /// Lines of notifications, as one.
    struct Text {
        var lines: [UInt8] = []
        var count = 0
    }

    private struct Entry {
        let topic: Topic
        let line: [UInt8]
        /// Where it has what others may not see.
        let masked: Notice?
        /// Whose it is.
        let owner: Owner?
        /// What they get in its place, once somebody does.
        var maskedLine: [UInt8]?

        init(_ notice: Notice, of topic: Topic) {
            self.topic = topic
            line = WireWriter.notification(notice)
            masked = notice.masked
            owner =
                switch notice {
                case .decision(let decision): decision.owner
                case .hold(let hold): hold.owner
                case .actuation(let actuation): actuation.followedOwner
                default: nil
                }
        }

        mutating func line(for owner: Owner?) -> [UInt8] {
            guard let masked, let owner, self.owner != owner else { return line }
            let line = maskedLine ?? WireWriter.notification(masked)
            maskedLine = line
            return line
        }
    }

    private struct Recipients: Hashable {
        let topics: Set<Topic>
        let owner: Owner?
    }

    private var entries: [Entry] = []
    private var texts: [Recipients: Text] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// No effect where nobody can subscribe to it.
    mutating func add(_ notice: Notice) {
        if let topic = notice.topic { entries.append(Entry(notice, of: topic)) }
    }

    /// `owner`: the recipient; nil: a recipient who may see ids and values of everyone.
    mutating func text(for topics: Set<Topic>, to owner: Owner?) -> Text {
        // Of most events there is one line: nothing is to be put together.
        if entries.count == 1 {
            return topics.contains(entries[0].topic) ? Text(lines: entries[0].line(for: owner), count: 1) : Text()
        }
        let recipients = Recipients(topics: topics, owner: owner)
        if let made = texts[recipients] { return made }
        var text = Text()
        for index in entries.indices where topics.contains(entries[index].topic) {
            text.lines += entries[index].line(for: owner)
            text.count += 1
        }
        texts[recipients] = text
        return text
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        texts = [:]
    }
}
