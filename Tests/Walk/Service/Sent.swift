// SPDX-License-Identifier: MIT
import HapticWire

/// One request of a client of the walk, and its valid answers.
struct Sent {
    /// The id; nil for a notification.
    var id: Int?
    /// The app by which its decision is recognised; nil if it has none.
    var app: String?
    /// The first member of its result.
    var result = ""
    /// Whether only an error is a valid answer.
    var mustFail = false
    /// Whether the answer comes at the end of its playback.
    var isAwaited = false
    /// Whether its playbacks end with its connection.
    var endsWithClient = false
    /// Whether it changes settings, so that the answer comes once they are stored.
    var isSetting = false
    /// Whether its line changes settings, so that its answer may come late.
    var isHeld = false
    /// Whether a `transaction` keeps it from being felt.
    var isSilent = false
    /// Whether a `transaction` before it is refused.
    var isUndone = false
    /// Whether it releases a hold. If its client presses the hold, no bound refuses the release.
    var isRelease = false
    var topics: Set<Topic>?
    /// The numbers of notices at the time of the request.
    var counts = NoticeCounts()
}

/// The numbers of notices of the counted topics.
struct NoticeCounts {
    static let counted: Set<Topic> = [.decisions, .playbacks, .actuations, .actuators, .holds]

    private var counts: [Topic: Int] = [:]

    mutating func add(_ count: Int = 1, of topic: Topic) { counts[topic, default: 0] += count }

    func sum(of topics: Set<Topic>) -> Int { topics.reduce(0) { $0 + (counts[$1] ?? 0) } }
}

/// The errors of docs/protocol.md.
enum ErrorNumber {
    static let quota = -32000
    static let tooLong = -32001
    static let stopping = -32004
    /// The error of a fault in the daemon.
    static let fault = -32603
}
