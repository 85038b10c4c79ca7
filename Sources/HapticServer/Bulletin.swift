// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticWire

/// What there is to say to the subscribers of one event: each notice is written once, and put together once for all who want the
/// same topics.
struct Bulletin {
    /// Lines of notifications, as one.
    struct Text {
        var lines: [UInt8] = []
        var count = 0
    }

    private var notices: [(topic: Topic, line: [UInt8])] = []
    private var texts: [Set<Topic>: Text] = [:]

    var isEmpty: Bool { notices.isEmpty }

    mutating func add(_ line: [UInt8], of topic: Topic) { notices.append((topic, line)) }

    mutating func text(for topics: Set<Topic>) -> Text {
        // Of most events there is one line, which is as it is for all.
        if notices.count == 1 { return topics.contains(notices[0].topic) ? Text(lines: notices[0].line, count: 1) : Text() }
        if let made = texts[topics] { return made }
        var text = Text()
        for notice in notices where topics.contains(notice.topic) {
            text.lines += notice.line
            text.count += 1
        }
        texts[topics] = text
        return text
    }

    mutating func removeAll() {
        notices.removeAll(keepingCapacity: true)
        texts = [:]
    }
}
