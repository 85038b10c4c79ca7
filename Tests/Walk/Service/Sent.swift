// SPDX-License-Identifier: MIT
import HapticEngine
import HapticWire

/// One request of a client of the walk, and what may be said to it.
struct Sent {
    /// Nil: a notification.
    var id: Int?
    /// What its decision is known by; nil: it comes to none.
    var app: String?
    /// The member that its result begins with.
    var result = ""
    /// The errors that are in order.
    var errors: Set<Int> = []
    /// Nothing but an error is.
    var mustFail = false
    /// The answer comes when it has ended.
    var isAwaited = false
    /// Its playbacks end with its connection.
    var endsWithClient = false
    /// It sets something, and the answer comes once that is stored.
    var isSetting = false
    /// Something in its line is set, so its answer may come late.
    var isHeld = false
    /// What is to be felt of it.
    var request: Request?
    var source: String?
    /// A `transaction` has it that nothing is felt of it.
    var isSilent = false
    /// One that stands before it is wrong.
    var isUndone = false
    var topics: Set<Topic>?
    /// When it was said.
    var counts = NoticeCounts()
}

/// How much there was to be notified of.
struct NoticeCounts {
    private var counts = Topic.allCases.map { _ in 0 }

    private static func index(_ topic: Topic) -> Int {
        switch topic {
        case .decisions: 0
        case .playbacks: 1
        case .actuations: 2
        case .actuators: 3
        case .holds: 4
        case .profile: 5
        case .settings: 6
        }
    }

    mutating func add(_ count: Int = 1, of topic: Topic) { counts[Self.index(topic)] += count }

    func sum(of topics: Set<Topic>) -> Int { topics.reduce(0) { $0 + counts[Self.index($1)] } }
}

/// The errors of docs/protocol.md.
enum ErrorNumber {
    static let request = -32600
    static let method = -32601
    static let params = -32602
    static let quota = -32000
    static let tooLong = -32001
    static let configuration = -32003
    static let stopping = -32004
    static let notAllowed = -32005
    static let notStored = -32006
}
