// SPDX-License-Identifier: MIT
import HapticWire

/// One request of a client of the walk, and what may be said to it.
struct Sent {
    /// Nil: a notification.
    var id: Int?
    /// What its decision is known by; nil: it comes to none.
    var app: String?
    /// The member that its result begins with.
    var result = ""
    /// Nothing but an error is in order.
    var mustFail = false
    /// The answer comes when it has ended.
    var isAwaited = false
    /// Its playbacks end with its connection.
    var endsWithClient = false
    /// It sets something, and the answer comes once that is stored.
    var isSetting = false
    /// Something in its line is set, so its answer may come late.
    var isHeld = false
    /// A `transaction` has it that nothing is felt of it.
    var isSilent = false
    /// One that stands before it is wrong.
    var isUndone = false
    /// It lets go of a hold. Where its client presses that, nothing refuses it.
    var isRelease = false
    var topics: Set<Topic>?
    /// How much there was to be notified of when it was said.
    var counts = NoticeCounts()
}

/// How much there was to be notified of, of the topics that are counted: for the others, only settings tell.
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
    /// The daemon has a fault.
    static let fault = -32603
}
