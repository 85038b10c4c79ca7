// SPDX-License-Identifier: MIT
public import HapticCore

/// The error codes: of JSON-RPC, and of the service from -32000 down.
public enum ErrorCode: Int, CaseIterable, Codable, Hashable, Sendable {
    case parse = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case internalError = -32603
    case quota = -32000
    case lineTooLong = -32001
    case answerTooLong = -32002
    case invalidConfiguration = -32003
    case shuttingDown = -32004
    case notAllowed = -32005
    case notStored = -32006

    /// One sentence for the description of the interface.
    public var summary: String {
        switch self {
        case .parse: "the line is not JSON"
        case .invalidRequest:
            """
            the JSON is not a JSON-RPC 2.0 request; a batch is empty, too large, or has an item that cannot be in one; or a \
            `transaction` or a `hello` is misplaced, or was refused with everything after it
            """
        case .methodNotFound: "there is no such method"
        case .invalidParams:
            "a parameter is missing, unknown or wrong; `data.path` names it, `data.didYouMean` the probable intention"
        case .internalError: "the daemon has a fault"
        case .quota:
            """
            a bound is reached: clients or requests per second (`data.limit`, `data.most`, `data.retryAfterMs`; for a connection with \
            `id: null`, before it is closed), waiting requests, or the work of one line
            """
        case .lineTooLong: "the line is longer than \(WireLimit.clientLine / 1024) KiB; the connection is closed"
        case .answerTooLong: "the answer would be longer than \(WireLimit.daemonLine / 1_048_576) MiB"
        case .invalidConfiguration:
            """
            `reload` found errors; `data.diagnostics` lists them for privileged users, `data.errors` counts them; the old \
            configuration stays in force
            """
        case .shuttingDown: "the daemon is stopping"
        case .notAllowed:
            """
            only other users may do this, whom the message names (`data.limit` is the key of `access`); or the `hello` of the connection \
            does not name the method (`data.limit` is `methods`)
            """
        case .notStored:
            "the settings apply until the daemon restarts, but could not be stored; the message has the reason and a remedy"
        }
    }
}

/// An error of a request, as sent over the wire.
public struct WireError: Error, WireResult {
    public struct Details: WireResult {
        public var path: String?
        public var didYouMean: String?
        public var diagnostics: [String]?
        public var errors: Int?
        public var limit: String?
        public var most: Int?
        public var retryAfterMs: Double?

        public init(
            path: String? = nil, didYouMean: String? = nil, diagnostics: [String]? = nil, errors: Int? = nil,
            limit: String? = nil, most: Int? = nil, retryAfterMs: Double? = nil
        ) {
            self.path = path
            self.didYouMean = didYouMean
            self.diagnostics = diagnostics
            self.errors = errors
            self.limit = limit
            self.most = most
            self.retryAfterMs = retryAfterMs
        }

        public static let blank = Self()

        public static let members: [WireMember<Self>] = [
            .optional("path", \.path, .anyText, "the wrong member of `params`, such as `value` or `pattern.tracks[0]`"),
            .optional("didYouMean", \.didYouMean, .anyText, "the probable intention"),
            .optional(
                "diagnostics", \.diagnostics, .items(of: .anyText), "the errors of a configuration, each with line and column"),
            .optional(
                "errors", \.errors, .whole, "the number of errors; one line may stand for several"),
            .optional(
                "limit", \.limit, .anyText,
                "the key of the bound in `bounds`, or of the right in `access`, such as `requestsPerClient`; or `methods` of a `hello`"
            ),
            .optional("most", \.most, .whole, "the value of the bound"),
            .optional("retryAfterMs", \.retryAfterMs, .amount, "the time until the same request is valid again"),
        ]
    }

    /// A raw code, because a newer daemon may have more codes than its client.
    public var code: Int
    public var message: String
    public var data: Details?

    public init(_ code: ErrorCode, _ message: String, data: Details? = nil) {
        self.code = code.rawValue
        self.message = message
        self.data = data
    }

    /// The member at `path` is wrong. `message` goes on after the path: "must be …".
    public static func invalid(_ path: String, _ message: String, didYouMean: String? = nil) -> WireError {
        let hint = didYouMean.map { "; did you mean `\($0)`?" } ?? ""
        return WireError(.invalidParams, "`\(path)` \(message)\(hint)", data: .init(path: path, didYouMean: didYouMean))
    }
}

extension WireError {
    public static let blank = Self(.internalError, "")

    public static let members: [WireMember<Self>] = [
        .required("code", \.code, .integer(in: -100_000...0), "the code"),
        .required("message", \.message, .anyText, "a sentence with the error, its place and a remedy"),
        .optional("data", \.data, .object, "the error for programs"),
    ]
}

extension WireError: CustomStringConvertible {
    public var description: String { message }
}

/// The bounds of one message.
public enum WireLimit {
    /// Bytes of a client's line, without its end.
    public static let clientLine = 64 * 1024
    /// Bytes of a line of the daemon, without its end.
    public static let daemonLine = 1024 * 1024
    public static let batchItems = WorkBudget.mostItems
    /// The farthest that an input's `atNs` may be ahead of the daemon's clock.
    public static let ahead = Nanoseconds.seconds(1)
    /// The greatest age of a hold's `atNs`.
    public static let oldestHold = Nanoseconds.seconds(3600)
    /// Bytes of an id, a name or a string value.
    public static let text = 256
    /// Bytes of the id of a hold: its event `ID.confirmed` is a name, too.
    public static let holdID = text - ".confirmed".utf8.count
    /// Bytes of an input's `app`.
    public static let app = 128
    public static let repetitions = 1...10_000
    public static let deadlineMilliseconds = 0.0...60_000.0
    /// The lease of a press that has to be repeated.
    public static let leaseMilliseconds = 50.0...60_000.0
    /// From one actuator to the next, and for a hand-over.
    public static let staggerMilliseconds = 1000.0
    public static let handOverMilliseconds = 10_000.0
    /// Names in one list.
    public static let listItems = 256
    /// Bytes of all lines that a pattern comes in.
    public static let patternInParts = 1024 * 1024
    /// Room in a line for the members around `params`, and for the members that a client adds: `app` and `atNs`.
    static let envelope = 1200
    /// Ids in one line: as many as there is room for in any.
    public static let things = clientLine / 2
}
