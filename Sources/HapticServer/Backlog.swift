// SPDX-License-Identifier: MIT

/// What all sessions of one user have in common. On the event loop.
final class UserBacklog {
    let id: UInt32
    fileprivate(set) var connections = 0
    /// Bytes that are kept for its sessions, see `Backlog.bytes`.
    fileprivate(set) var unread = 0

    fileprivate init(_ id: UInt32) { self.id = id }
}

/// What the daemon keeps for all sessions together because their clients do not read. On the event loop.
final class Backlog {
    /// Bytes of all sessions. Past it the largest are closed.
    static let most = 32 * 1024 * 1024
    /// Bytes of all sessions of one user, past which it gets no notices and its sessions are not read from. Only its own count:
    /// what one user does not read decides nothing for another.
    static let mostOfUser = most / 2
    /// Bytes of one session past which it is not read from, and gets no notices; until no more than `fewOfOne` are left.
    static let mostOfOne = 256 * 1024
    static let fewOfOne = 64 * 1024
    /// Bytes that are written before anyone makes more of them: what was only not written yet must not count as not read.
    static let mostUnwritten = 64 * 1024

    /// What has been written and not been read, and what had to be read ahead. Not what waits to be written: it is as much as the
    /// daemon makes of it, and says nothing of who reads.
    private(set) var bytes = 0
    /// A session has more than `mostUnwritten` to write.
    fileprivate(set) var hasMuchToWrite = false
    /// Those that have something to be done on their channel, each once.
    private var queue = FairQueue<UInt32, Session>()
    /// Of those who are connected.
    private var users: [UInt32: UserBacklog] = [:]

    var isEmpty: Bool { queue.isEmpty }

    /// `user` has one session more.
    func connect(_ id: UInt32) -> UserBacklog {
        let user = users[id] ?? UserBacklog(id)
        users[id] = user
        user.connections += 1
        return user
    }

    /// `user` has one session fewer.
    func disconnect(_ user: UserBacklog) {
        user.connections -= 1
        if user.connections == 0 { users[user.id] = nil }
    }

    /// Has `count` bytes more, or fewer, for `user`.
    func keep(_ count: Int, for user: UserBacklog) {
        bytes += count
        user.unread += count
    }

    fileprivate func add(_ session: Session) { queue.add(session, of: session.user.id) }

    /// The next to be written to.
    func next() -> Session? {
        let session = queue.next()
        if session == nil { hasMuchToWrite = false }
        return session
    }
}

/// What a session has to send, and what has become of it.
struct Outbox {
    let backlog: Backlog
    let user: UserBacklog
    private(set) var lines: [[UInt8]] = []
    /// Of `lines`.
    private var unwritten = 0
    /// Those that the channel has and the kernel has not, and those that are held.
    private(set) var unread = 0
    /// The client reads too slowly.
    private(set) var isHeldBack = false
    /// Notices that were left out since that was said last.
    var missed: UInt64 = 0

    /// How much the session may have, while all of its user have this much: the nearer they are to the bound, the less.
    private var share: Int { min(Backlog.mostOfOne, Backlog.mostOfUser - user.unread) }
    private var unsent: Int { unwritten + unread }

    init(_ backlog: Backlog, of user: UserBacklog) { (self.backlog, self.user) = (backlog, user) }

    mutating func append(_ bytes: [UInt8]) {
        lines.append(bytes)
        unwritten += bytes.count
        if unwritten > Backlog.mostUnwritten { backlog.hasMuchToWrite = true }
        if unsent > share { isHeldBack = true }
    }

    /// Whether so much may be added of what may also be left out.
    func hasRoom(for count: Int) -> Bool { !isHeldBack && user.unread + count <= Backlog.mostOfUser }

    /// Takes what is to be written; `sent` follows.
    mutating func take() -> [[UInt8]] {
        defer { lines = [] }
        keep(unwritten)
        unwritten = 0
        return lines
    }

    /// So many bytes are with the kernel, or are lost. True where the client has read enough to go on.
    mutating func sent(_ count: Int) -> Bool {
        keep(-count)
        guard isHeldBack, unsent == 0 || unsent <= min(Backlog.fewOfOne, share) else { return false }
        isHeldBack = false
        return true
    }

    /// Keeps so many bytes of answers that may not be given yet.
    mutating func hold(_ count: Int) {
        keep(count)
        if unsent > share { isHeldBack = true }
    }

    /// Those are to be written now, or are lost.
    mutating func release(_ count: Int) { keep(-count) }

    private mutating func keep(_ count: Int) {
        unread += count
        backlog.keep(count, for: user)
    }

    /// The session has ended: nobody will write this.
    mutating func drop() { _ = sent(take().reduce(0) { $0 + $1.count }) }
}

extension Session {
    /// Has the service look at its channel.
    func needsChannel() {
        guard !isWaitingForChannel else { return }
        isWaitingForChannel = true
        backlog.add(self)
    }
}
