// SPDX-License-Identifier: MIT
internal import HapticEngine
internal import HapticWire

/// How a session's bytes get out. On the event loop.
protocol SessionOutput: AnyObject {
    /// False while more than the backlog's bound waits for the client to read.
    var hasRoom: Bool { get }
    /// Takes `line` in any case; it goes out at the next `flush`.
    func write(_ line: [UInt8])
    func flush()
    /// An answer that was due later has been given.
    func answeredLate()
}

/// One connection: who it is, what it is told of, what it still waits for. On the event loop.
final class Session {
    let client: ClientIdentity
    let peer: Peer
    let user: ConnectedUser
    var budget = RequestBudget()
    /// A request was refused for there were too many, since this was looked at last.
    var isOverRate = false
    var topics: Set<Topic> = []
    /// Answers that come later: of `wait`, `reload` and `prepare`. A client that closed its half is kept until they are given.
    private(set) var pendingAnswers = 0
    /// Notifications left out since the last `missed`.
    private var missed: UInt64 = 0
    private let output: any SessionOutput
    private var hasUnflushed = false

    init(connection: UInt64, peer: Peer, user: ConnectedUser, output: any SessionOutput) {
        client = ClientIdentity(connection: connection, user: peer.user)
        self.peer = peer
        self.user = user
        self.output = output
    }

    func write(_ line: [UInt8]) {
        hasUnflushed = true
        output.write(line)
    }

    func flush() {
        guard hasUnflushed else { return }
        hasUnflushed = false
        output.flush()
    }

    func willAnswerLater() { pendingAnswers += 1 }

    func answerLate(_ line: [UInt8]) {
        pendingAnswers -= 1
        write(line)
        flush()
        output.answeredLate()
    }

    /// Tells of something. False where it had to be left out, for the client reads too slowly.
    func tell(_ line: [UInt8]) -> Bool {
        guard output.hasRoom else {
            missed += 1
            return false
        }
        tellMissed()
        write(line)
        return true
    }

    /// Tells how much was left out, once there is room again.
    func tellMissed() {
        guard missed > 0, output.hasRoom else { return }
        write(WireWriter.notification(.missed(.init(count: missed))))
        missed = 0
    }
}
