// SPDX-License-Identifier: MIT
import HapticCore
import HapticServer
import HapticService
import HapticWire
import NIOCore
import NIOEmbedded

/// A client of a walk: what it says and asks for, and its connection.
final class WalkClient {
    /// Of one read of the daemon.
    private static let readAtOnce = 16 * 1024
    /// Of what the daemon has not read: then a client could not write more.
    static let mostUnread = 64 * 1024

    /// As the daemon counts connections.
    let connection: UInt64
    let user: UInt32
    /// What is kept to some it may do all the same.
    let isPrivileged: Bool
    private let channel: EmbeddedChannel
    private let socket = WalkSocket()
    private var lastNumber = 0
    /// The rest of a line that was said in part.
    private(set) var half: (text: String, sent: [Sent])?
    private(set) var isHalfClosed = false
    /// When the daemon sees that it has closed something.
    private var endSeenAt = MonotonicInstant.distantFuture
    var ears = Ears()

    /// Connects, which may be refused.
    init(
        _ connection: UInt64, user: UInt32, groups: [UInt32], isPrivileged: Bool, to server: FeedbackServer, on loop: WatchedLoop
    ) throws {
        (self.connection, self.user, self.isPrivileged) = (connection, user, isPrivileged)
        channel = EmbeddedChannel(
            handlers: [socket, server.makeHandler(for: Peer(user: user, groups: groups))], loop: loop.inner)
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/walk"), promise: nil)
        channel.read()
    }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: What it does

    var isReading: Bool { socket.isReading }
    var hasHungUp: Bool { socket.hasHungUp }
    /// The connection is there, as far as it knows.
    var isConnected: Bool { channel.isActive && !socket.hasHungUp }
    /// Whatever it asked for is answered: it can hear, and was not cut off.
    var hears: Bool { isConnected && !ears.isCut }
    var maySay: Bool { hears && !isHalfClosed && socket.unread.count < Self.mostUnread }
    var unreadCount: Int { socket.unread.count }

    /// Says the line, behind the rest of one that it had said in part.
    func say(_ text: String, _ sent: [Sent]) {
        finishHalf()
        socket.unread += Array(text.utf8)
        socket.unread.append(UInt8(ascii: "\n"))
        ears.expect(sent)
    }

    /// Says only so many bytes of it.
    func sayHalf(_ text: String, _ sent: [Sent], count: Int) {
        finishHalf()
        socket.unread += Array(text.utf8.prefix(count))
        half = (String(decoding: text.utf8.dropFirst(count), as: UTF8.self), sent)
    }

    func finishHalf() {
        guard let half else { return }
        self.half = nil
        say(half.text, half.sent)
    }

    func setReading(_ isReading: Bool) {
        if !isReading { ears.mayMiss = true }
        socket.isReading = isReading
    }

    /// `seenAt`: when the daemon sees it.
    func hangUp(seenAt: MonotonicInstant) {
        socket.hasHungUp = true
        endSeenAt = seenAt
    }

    func closeHalf(seenAt: MonotonicInstant) {
        // What was said in part is a line that cannot be used.
        if half != nil { ears.mayBeRefused += 1 }
        half = nil
        isHalfClosed = true
        endSeenAt = seenAt
    }

    // MARK: What the daemon does

    /// When the daemon has something to read or to write.
    var readableAt: MonotonicInstant {
        guard channel.isActive else { return .distantFuture }
        return socket.hasRoom || socket.isRead && !socket.unread.isEmpty ? .zero : endSeenAt
    }

    /// The daemon takes one look at its socket.
    func beRead(at now: MonotonicInstant) {
        socket.writeHeld()
        guard channel.isActive else { return }
        if endSeenAt <= now {
            endSeenAt = .distantFuture
            // At the end all that is there is read, wanted or not.
            while !socket.unread.isEmpty { deliver() }
            channel.pipeline.syncOperations.fireChannelReadComplete()
            if socket.hasHungUp {
                channel.close(promise: nil)
            } else {
                channel.pipeline.syncOperations.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            }
        } else if socket.isRead, !socket.unread.isEmpty {
            socket.isRead = false
            deliver()
            channel.pipeline.syncOperations.fireChannelReadComplete()
            channel.read()
        }
    }

    private func deliver() {
        let bytes = ByteBuffer(bytes: socket.unread.prefix(Self.readAtOnce))
        socket.unread.removeFirst(bytes.readableBytes)
        channel.pipeline.syncOperations.fireChannelRead(NIOAny(bytes))
    }

    /// The daemon has hung up, or knows that the client has.
    var isOver: Bool { !channel.isActive }
    /// Writes that found nobody, and bytes that were read only then.
    var lateAnswers: Int { socket.lateAnswers }
    var lateLines: Int { socket.lateLines }

    /// What came since it was asked last.
    func heard() -> [UInt8] {
        var bytes: [UInt8] = []
        while let buffer = try? channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
        return bytes
    }

    func close() { channel.close(promise: nil) }
}
