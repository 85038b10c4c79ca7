// SPDX-License-Identifier: MIT
public import HapticWire

/// A connection to the daemon that waits for its answers. To be used by one thread at a time.
///
/// Requests may be sent ahead with `send` and their answers taken in any order; `call` does both.
public final class HapticClient {
    /// How long an answer may take that nobody waits longer for, in seconds.
    public static let patience = 5.0
    /// The most requests that may be sent ahead while nobody takes their answers.
    public static let mostUntaken = 1024

    /// The notifications of a subscription; called from within the calls that wait.
    public var onNotice: ((Notice) -> Void)?
    /// While this descriptor is readable, waiting ends with `interrupted`; so a signal handler can end it. Not closed here.
    public var interruptDescriptor: Int32?
    /// A pattern has gone in several lines, and may not be complete.
    var hasSentParts = false
    /// The path that was connected to.
    public let path: String
    /// What inputs give as their `app` that name none: who this program is.
    public let app: String?
    /// The first line of the connection, if the program is a door; `reconnect` sends it again.
    public private(set) var hello: HelloParams?

    /// Just before the last line was given to the kernel, on CLOCK_MONOTONIC in nanoseconds; 0 before the first.
    public private(set) var writtenAt: Int64 = 0
    /// Just after the kernel last had bytes for us, as `writtenAt`.
    public private(set) var receivedAt: Int64 = 0

    private let socket: ClientSocket
    private var framer = LineFramer(limit: WireLimit.daemonLine)
    private var answers = AnswerTable()

    /// Requests that were sent and whose answers nobody has taken or given up.
    public var untakenCount: Int { answers.count }

    /// To wait for it along with others, by `poll`: readable when something has come or the connection is lost. Not to be read or closed.
    public var descriptor: Int32 { socket.descriptor }

    /// Connects to the first path of `paths` where a daemon listens.
    ///
    /// `app`: who this program is, see `InputParams.app`. `isPatient`: where as many wait to be connected as can, waits
    /// `patience` seconds; else throws `timedOut` at once.
    public init(paths: [String], app: String? = nil, isPatient: Bool = true) throws(ClientError) {
        self.app = app
        var failure: ClientError = .noDaemon(tried: paths)
        for path in paths {
            do {
                socket = try ClientSocket(path: path, timeout: isPatient ? Int(Self.patience) : nil)
                self.path = path
                return
            } catch .noDaemon {
                continue
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Connects as a door that speaks for one of its clients: sends `hello` as the first line, and waits for the answer. Throws `refused`
    /// if the daemon refuses it; `access: speakFor` of its configuration has to name the user.
    public convenience init(paths: [String], hello: HelloParams) throws(ClientError) {
        try self.init(paths: paths, app: hello.app)
        try begin(hello)
    }

    /// Sends the first line of a door, and waits for the answer.
    func begin(_ hello: HelloParams) throws(ClientError) {
        _ = try call(hello)
        self.hello = hello
    }

    /// Sends a request and waits up to `timeout` seconds (nil: for ever) for its answer. One that comes later is dropped.
    public func call<Call: WireCall>(_ call: Call, timeout: Double? = patience) throws(ClientError) -> Call.Result {
        let id = try send(call)
        defer { giveUp(id) }
        return try answer(to: id, as: Call.Result.self, timeout: timeout)
    }

    /// As above; an input that does not say when it happened has happened now, and one that names no `app` has that of this
    /// client.
    public func call<Input: InputParams>(_ input: Input, timeout: Double? = patience) throws(ClientError) -> Input.Result {
        let id = try send(input)
        defer { giveUp(id) }
        return try answer(to: id, as: Input.Result.self, timeout: timeout)
    }

    /// Sends a request; its answer is taken by `answer(to:)`, or given up by `giveUp`. Throws `tooManyUntaken`, and sends nothing, where
    /// `mostUntaken` are neither.
    public func send(_ call: some WireCall) throws(ClientError) -> RequestID { try request(call) }

    /// As above; an input that does not say when it happened has happened now, and one that names no `app` has that of this
    /// client.
    public func send(_ input: some InputParams) throws(ClientError) -> RequestID { try request(stamp(input)) }

    /// Sends a notification: nothing comes back.
    public func notify(_ input: some InputParams) throws(ClientError) { try write(WireWriter.request(stamp(input), id: nil)) }

    /// Sends all of `batch` in one line, as requests; the answer to each is taken by the id that stands here for it, or given up.
    /// Throws `tooManyUntaken`, and sends nothing, where `mostUntaken` would not be enough. The daemon refuses more than
    /// `WireLimit.batchItems`, `defaults` included, and closes the connection behind a line of more than `WireLimit.clientLine` bytes.
    public func send(_ batch: Batch) throws(ClientError) -> [RequestID] {
        guard !batch.isEmpty else { return [] }
        let ids = try answers.makeIDs(batch.count)
        try write(batch.line(ids, app: app, at: MonotonicClock.now))
        answers.expect(ids)
        return ids
    }

    /// Sends all of `batch` in one line, as notifications: nothing comes back.
    public func notify(_ batch: Batch) throws(ClientError) {
        if !batch.isEmpty { try write(batch.line(app: app, at: MonotonicClock.now)) }
    }

    /// Says that nobody will take the answer to `id`.
    public func giveUp(_ id: RequestID) { answers.giveUp(id) }

    /// Waits for the answer to `id`, up to `timeout` seconds (nil: for ever). It is kept until it is taken or given up.
    public func answer<Answer: WireResult>(
        to id: RequestID, as _: Answer.Type, timeout: Double? = patience
    ) throws(ClientError) -> Answer {
        var patience = FinalRead(deadline: Self.deadline(after: timeout))
        while true {
            switch answers.take(id) {
            case .failure(let error): throw .refused(error)
            case .success(let answer): return try Self.result(of: answer)
            case nil: break
            }
            try receive(&patience)
        }
    }

    /// Receives notices, up to `timeout` seconds (nil: for ever), until `isDone` says so after one of them.
    ///
    /// Throws `timedOut`, `interrupted` and `closed` as the other calls do.
    public func receiveNotices(timeout: Double? = nil, until isDone: () -> Bool) throws(ClientError) {
        var patience = FinalRead(deadline: Self.deadline(after: timeout))
        while !isDone() { try receive(&patience) }
    }

    private static func result<Answer: WireResult>(of answer: ServerLine.Answer) throws(ClientError) -> Answer {
        do throws(WireError) {
            return try answer.result(as: Answer.self)
        } catch {
            throw .notUnderstood("\(error)")
        }
    }

    func request(_ call: some WireCall) throws(ClientError) -> RequestID {
        let ids = try answers.makeIDs(1)
        // trap: one was asked for.
        let id = ids[0]
        try write(WireWriter.request(call, id: id))
        answers.expect(ids)
        return id
    }

    /// Sends an input that happens when the daemon decides it, unless it has an `atNs`.
    func send(unstamped play: PlayParams) throws(ClientError) -> RequestID {
        var play = play
        play.app = play.app ?? app
        return try request(play)
    }

    func stamp<Input: InputParams>(_ input: Input) -> Input {
        input.stamped(app: app, at: MonotonicClock.now)
    }

    private static func deadline(after timeout: Double?) -> Int64? {
        // trap: seconds that a program of ours gives; no number of the daemon.
        timeout.map { MonotonicClock.now + Int64($0 * 1e9) }
    }

    /// Writes all of `line`, and reads what comes meanwhile: else a daemon that waits for us would wait for ever.
    private func write(_ line: [UInt8]) throws(ClientError) {
        let deadline = Self.deadline(after: Self.patience)
        var rest = line[...]
        writtenAt = MonotonicClock.now
        while true {
            do throws(ClientError) {
                rest = rest.dropFirst(try socket.write(rest))
            } catch {
                // Before it closed the connection it may have said why.
                while error == .closed, try readLines() {}
                throw error
            }
            if rest.isEmpty { return }
            switch try socket.wait(forWriting: true, interrupt: nil, deadline: deadline) {
            case .readable: _ = try readLines()
            case .writable, .interrupted: break
            case .timedOut: throw .timedOut
            }
        }
    }

    /// Reads once after the deadline, and no more: a daemon that does not stop talking is not waited for.
    private struct FinalRead {
        let deadline: Int64?
        var isTaken = false
    }

    private func receive(_ patience: inout FinalRead) throws(ClientError) {
        if patience.isTaken { throw .timedOut }
        patience.isTaken = patience.deadline.map { MonotonicClock.now >= $0 } ?? false
        switch try socket.wait(forWriting: false, interrupt: interruptDescriptor, deadline: patience.deadline) {
        case .readable: _ = try readLines()
        case .writable: break
        case .interrupted: throw .interrupted
        case .timedOut: throw .timedOut
        }
    }

    /// False where nothing is there.
    private func readLines() throws(ClientError) -> Bool {
        guard let bytes = try socket.read() else { throw .closed }
        guard !bytes.isEmpty else { return false }
        receivedAt = MonotonicClock.now
        framer.append(bytes)
        while let output = framer.next() {
            if output == .empty { continue }
            guard case .line(let line) = output else { throw .notUnderstood("a line of more than \(WireLimit.daemonLine) bytes") }
            do {
                try take(ServerLine(line))
            } catch let error as ClientError {
                throw error
            } catch {
                throw .notUnderstood("\(error)")
            }
        }
        return true
    }

    private func take(_ line: ServerLine) throws(ClientError) {
        switch line {
        case .notice(let notice): onNotice?(notice)
        case .answer(let id, let answer): answers.store(.success(answer), for: id)
        // An error without an id is about the line or the connection: nobody else waits for it.
        case .refusal(.null, let error): throw .refused(error)
        case .refusal(let id, let error): answers.store(.failure(error), for: id)
        case .batch(let answers): for answer in answers { try take(answer) }
        }
    }
}
