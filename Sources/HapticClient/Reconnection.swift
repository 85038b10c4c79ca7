// SPDX-License-Identifier: MIT
public import HapticWire

/// When to try to reach a daemon again that has gone, and when to give up.
///
/// A value that reads no clock: its owner says what time it is, does the trying, and reports every try that failed. Instants are
/// those of `MonotonicClock`. The first try comes at once, since a socket that systemd holds takes connections also while the daemon
/// starts; the next ones come after 50 ms, after twice as long each time, and at last every second. A refusal with `retryAfterMs` is
/// followed by that pause if it is longer.
///
/// Keep it until the daemon has answered, not only until it can be connected to: one that ends again at once would else be tried
/// without a pause.
public struct Reconnection: Hashable, Sendable {
    public enum Step: Hashable, Sendable {
        /// Try, and say `failed` where that comes to nothing.
        case tryNow
        /// Nothing is to be done before this instant.
        case wait(until: Int64)
        /// The last try has been made.
        case giveUp
    }

    /// From one try to the next, in nanoseconds: the first time, and at most.
    public static let (shortestPause, longestPause): (Int64, Int64) = (50_000_000, 1_000_000_000)

    /// When the connection was lost.
    public let lostAt: Int64
    /// When the last try is made; nil: never. At least one is made, also where this has passed.
    public var limit: Int64?
    private var nextTry: Int64
    private var pause = shortestPause
    private var lastFailure: Int64?

    /// `retryAfter`: the pause before the first try, if a refusal has ended the connection (`ClientError.retryAfter`).
    public init(lostAt: Int64, limit: Int64? = nil, retryAfter: Int64? = nil) {
        self.lostAt = lostAt
        self.limit = limit
        nextTry = lostAt + (retryAfter ?? 0)
    }

    /// What is to be done at `now`.
    public func step(at now: Int64) -> Step {
        if let limit, let lastFailure, lastFailure >= limit { return .giveUp }
        // The last try is made when the time is up, not before.
        let due = min(nextTry, limit ?? .max)
        return now >= due ? .tryNow : .wait(until: due)
    }

    /// The try of now has failed. `retryAfter`: the shortest pause that its refusal permits (`ClientError.retryAfter`).
    public mutating func failed(at now: Int64, retryAfter: Int64? = nil) {
        lastFailure = now
        nextTry = now + max(pause, retryAfter ?? 0)
        pause = min(pause * 2, Self.longestPause)
    }
}

extension ClientError {
    /// Whether a daemon that is being started again may look like this, so that it is worth trying again.
    public var mayBeRestart: Bool {
        switch self {
        case .noDaemon, .closed, .timedOut: true
        // A socket gets its group only after it was made.
        case .noPermission: true
        // Over its rate it is refused for a moment only.
        case .refused(let error): error.code == ErrorCode.shuttingDown.rawValue || retryAfter != nil
        case .pathTooLong, .tooManyUntaken, .interrupted, .notUnderstood, .system: false
        }
    }

    /// Whether a client that was connected before is to try again: also where others have taken its place for now.
    public var mayPass: Bool {
        if case .refused(let error) = self, error.code == ErrorCode.quota.rawValue { return true }
        return mayBeRestart
    }

    /// What `retryAfter` is at least and at most, in nanoseconds: no client tries without a pause, or waits for hours. The daemon's
    /// own bounds never ask for more than 1 s.
    public static let pausesAfterRefusal: ClosedRange<Int64> = 1_000_000...10_000_000_000

    /// How long, in nanoseconds, nothing is to be asked after a request that came faster than the daemon allows; nil where it is
    /// another error, or the daemon does not say.
    public var retryAfter: Int64? {
        guard case .refused(let error) = self, error.code == ErrorCode.quota.rawValue, let milliseconds = error.data?.retryAfterMs
        else { return nil }
        let bounds = Self.pausesAfterRefusal
        // trap: cut to the bounds, which are whole numbers far below 2^63.
        return Int64(min(max(milliseconds * 1e6, Double(bounds.lowerBound)), Double(bounds.upperBound)))
    }
}

extension HapticClient {
    /// Connects again to the daemon that has gone, at the first path of `paths` where one listens: tries and waits as `reconnection` says.
    ///
    /// A door passes the `hello` of its former connection, which is the first line of the new one, too.
    /// `greet` makes the new connection what the old one was, by subscribing for instance; it must wait for an answer, since a
    /// connection alone does not prove that somebody is there. `onFailure` gets each try that failed and will be repeated.
    /// Throws `interrupted` once `interruptDescriptor` is readable, what the last try failed with where `reconnection` gives up,
    /// and at once what does not pass (`ClientError.mayPass`).
    public static func reconnect(
        paths: [String], app: String? = nil, hello: HelloParams? = nil, _ reconnection: Reconnection,
        interruptDescriptor: Int32? = nil,
        onFailure: (ClientError) -> Void = { _ in }, greet: (HapticClient) throws(ClientError) -> Void
    ) throws(ClientError) -> HapticClient {
        var reconnection = reconnection
        var failure = ClientError.closed
        while true {
            switch reconnection.step(at: MonotonicClock.now) {
            case .giveUp: throw failure
            case .wait(let instant): try ClientSocket.pause(until: instant, interrupt: interruptDescriptor)
            case .tryNow:
                do throws(ClientError) {
                    let client = try HapticClient(paths: paths, app: hello?.app ?? app, isPatient: false)
                    client.interruptDescriptor = interruptDescriptor
                    if let hello { try client.begin(hello) }
                    try greet(client)
                    return client
                } catch {
                    guard error.mayPass else { throw error }
                    failure = error
                    reconnection.failed(at: MonotonicClock.now, retryAfter: error.retryAfter)
                    onFailure(error)
                }
            }
        }
    }
}
