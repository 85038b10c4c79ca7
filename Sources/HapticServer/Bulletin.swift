// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticWire

/// What there is to say to the subscribers of one event: each notice is written once for those who may see all of it, and once for
/// the others, and put together once for all who get the same.
struct Bulletin {
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
        let user: UInt32?
        /// What they get in its place, once somebody does.
        var maskedLine: [UInt8]?

        init(_ notice: Notice, of topic: Topic) {
            self.topic = topic
            line = WireWriter.notification(notice)
            masked = notice.masked
            user =
                switch notice {
                case .decision(let decision): decision.user
                case .hold(let hold): hold.user
                case .actuation(let actuation): actuation.followedUser
                default: nil
                }
        }

        mutating func line(for user: UInt32?) -> [UInt8] {
            guard let masked, let user, self.user != user else { return line }
            let line = maskedLine ?? WireWriter.notification(masked)
            maskedLine = line
            return line
        }
    }

    private struct Audience: Hashable {
        let topics: Set<Topic>
        let user: UInt32?
    }

    private var entries: [Entry] = []
    private var texts: [Audience: Text] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// No effect where nobody can subscribe to it.
    mutating func add(_ notice: Notice) {
        if let topic = notice.topic { entries.append(Entry(notice, of: topic)) }
    }

    /// `user`: who hears it; nil: one who may see ids and values of everyone.
    mutating func text(for topics: Set<Topic>, to user: UInt32?) -> Text {
        // Of most events there is one line: nothing is to be put together.
        if entries.count == 1 {
            return topics.contains(entries[0].topic) ? Text(lines: entries[0].line(for: user), count: 1) : Text()
        }
        let audience = Audience(topics: topics, user: user)
        if let made = texts[audience] { return made }
        var text = Text()
        for index in entries.indices where topics.contains(entries[index].topic) {
            text.lines += entries[index].line(for: user)
            text.count += 1
        }
        texts[audience] = text
        return text
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        texts = [:]
    }
}
