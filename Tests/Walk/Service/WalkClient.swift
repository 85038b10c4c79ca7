// SPDX-License-Identifier: MIT
import HapticCore
import HapticServer
import HapticService
import HapticWire
import NIOCore
import NIOEmbedded

/// A client of a walk: its lines, its requests and its connection.
final class WalkClient {
    /// The most bytes of one read by the daemon.
    private static let readAtOnce = 16 * 1024
    /// The most bytes that the daemon has not read, past which a client could not write more.
    static let mostUnread = 64 * 1024

    /// The daemon's number of the connection.
    let connection: UInt64
    let user: UInt32
    /// Whether it has all rights.
    let isPrivileged: Bool
    private let channel: EmbeddedChannel
    private let socket = WalkSocket()
    private var lastNumber = 0
    /// The rest of a line that was sent in part.
    private(set) var half: (text: String, sent: [Sent])?
    private(set) var isHalfClosed = false
    /// The instant at which the daemon notices that the client has closed its connection or half of it.
    private var endSeenAt = MonotonicInstant.distantFuture
    var receiver = Receiver()

    /// Connects, unless the service refuses it.
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
    /// Whether the client takes itself for connected.
    var isConnected: Bool { channel.isActive && !socket.hasHungUp }
    /// Whether its requests still get answers: it is connected, and its answers have not ended.
    var canReceive: Bool { isConnected && !receiver.isCut }
    var maySay: Bool { canReceive && !isHalfClosed && socket.unread.count < Self.mostUnread }
    var unreadCount: Int { socket.unread.count }

    /// Sends a line, behind the rest of one that it has sent in part.
    func say(_ text: String, _ sent: [Sent]) {
        finishHalf()
        socket.unread += Array(text.utf8)
        socket.unread.append(UInt8(ascii: "\n"))
        receiver.expect(sent)
    }

    /// Sends only the first `count` bytes of a line.
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
        if !isReading { receiver.mayMiss = true }
        socket.isReading = isReading
    }

    /// - Parameter seenAt: The instant at which the daemon notices it.
    func hangUp(seenAt: MonotonicInstant) {
        socket.hasHungUp = true
        endSeenAt = seenAt
    }

    func closeHalf(seenAt: MonotonicInstant) {
        // A line that was sent in part is unusable.
        if half != nil { receiver.mayBeRefused += 1 }
        half = nil
        isHalfClosed = true
        endSeenAt = seenAt
    }

    // MARK: What the daemon does

    /// The instant at which the daemon can read or write.
    var readableAt: MonotonicInstant {
        guard channel.isActive else { return .distantFuture }
        return socket.hasRoom || socket.isRead && !socket.unread.isEmpty ? .zero : endSeenAt
    }

    /// Reads and writes the client's socket once, as the daemon does.
    func beRead(at now: MonotonicInstant) {
        socket.writeHeld()
        guard channel.isActive else { return }
        if endSeenAt <= now {
            endSeenAt = .distantFuture
            // At the end all pending bytes are read, wanted or not.
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

    /// Whether the daemon has hung up, or knows that the client has.
    var isOver: Bool { !channel.isActive }
    /// The number of writes after the client had gone, and of those with bytes that were read only then.
    var lateAnswers: Int { socket.lateAnswers }
    var lateLines: Int { socket.lateLines }

    /// Takes the bytes that came since the last call.
    func received() -> [UInt8] {
        var bytes: [UInt8] = []
        while let buffer = try? channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
        return bytes
    }

    func close() { channel.close(promise: nil) }
}
