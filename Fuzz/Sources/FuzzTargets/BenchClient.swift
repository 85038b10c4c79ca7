// SPDX-License-Identifier: MIT
internal import HapticService
internal import HapticWire
internal import NIOCore
internal import NIOEmbedded

@testable internal import HapticServer

/// One connection: what it sent, and what came back.
final class BenchClient {
    /// The user of all of them.
    static let user: UInt32 = 1000

    private let channel: EmbeddedChannel
    private let reader = SlowReader()
    private var sent = LineFramer(limit: WireLimit.clientLine)
    private var received = LineFramer(limit: WireLimit.daemonLine)
    private var isHalfClosed = false
    private var isClosed = false

    init(_ server: FeedbackServer, _ loop: EmbeddedEventLoop) {
        let session = SessionHandler(server, peer: Peer(user: Self.user, groups: [Self.user]))
        channel = EmbeddedChannel(handlers: [reader, session], loop: loop)
        try? channel.connect(to: SocketAddress(unixDomainSocketPath: "/fuzz")).wait()
    }

    func send(_ bytes: some Collection<UInt8>) {
        guard !isClosed, !isHalfClosed, channel.isActive else { return }
        sent.append(bytes)
        _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        // Not by `finish`, which cancels what the event loop is to do later for all clients.
        channel.close(promise: nil)
        channel.embeddedEventLoop.run()
    }

    func closeHalf() {
        guard !isHalfClosed, channel.isActive else { return }
        isHalfClosed = true
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    var isBlocked: Bool { reader.isBlocked }

    func toggleReading() { reader.toggle() }

    /// Every request that can be read has one answer; what cannot be read, and a batch, has one at most.
    func check() {
        while let buffer = try? channel.readOutbound(as: ByteBuffer.self) { received.append(buffer.readableBytesView) }
        var answers: [String: Int] = [:]
        var others = 0
        while let output = received.next() {
            guard case .line(let line) = output else { fatalError("does not hold: the daemon's lines have at most 1 MiB") }
            guard let read = PlainJSON.read(line) else { fatalError("does not hold: the daemon writes JSON") }
            if read.value["method"] != nil { continue }
            if let id = read.value["id"]?.text { answers[id, default: 0] += 1 } else { others += 1 }
        }
        // A client that has closed its half is served for as long as it reads.
        guard channel.isActive || isHalfClosed && !reader.hasMissed else { return }
        var expected: [String: Int] = [:]
        var mayBeAnswered = 0
        while let output = sent.next() ?? (isHalfClosed ? sent.finish() : nil) {
            if output == .empty { continue }
            guard case .line(let line) = output else { return }
            let read = PlainJSON.read(line).flatMap { $0.depth <= 64 && $0.longestName <= 256 ? $0 : nil }
            if let request = read?.value, request["jsonrpc"]?.text == "2.0", request["method"]?.text != nil,
                let id = request["id"]?.text,
                id.utf8.count <= 256
            {
                expected[id, default: 0] += 1
            } else {
                mayBeAnswered += 1
            }
        }
        for (id, count) in expected {
            // Strings are compared as Swift does, so ids that look alike count together on both sides.
            let given = answers[id] ?? 0
            require(given >= count, "request \(id) is answered \(count) times, not \(given)")
        }
        let given = answers.values.reduce(0, +) + others
        require(given <= expected.values.reduce(0, +) + mayBeAnswered, "\(given) answers are too many")
    }
}

/// What is written while the client does not read waits, as it does in a full socket.
private final class SlowReader: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private var context: ChannelHandlerContext?
    private var held: [(data: NIOAny, promise: EventLoopPromise<Void>?)] = []
    private(set) var isBlocked = false
    /// The channel was closed before it had read all.
    private(set) var hasMissed = false

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        let lost = held
        hasMissed = !lost.isEmpty
        held = []
        for write in lost { write.promise?.fail(ChannelError.ioOnClosedChannel) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isBlocked { held.append((data, promise)) } else { context.write(data, promise: promise) }
    }

    func toggle() {
        isBlocked.toggle()
        guard !isBlocked, let context else { return }
        let writes = held
        held = []
        for write in writes { context.write(write.data, promise: write.promise) }
        context.flush()
    }
}
