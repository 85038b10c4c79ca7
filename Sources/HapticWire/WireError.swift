// SPDX-License-Identifier: MIT
public import HapticCore

/// The error codes of the service: JSON-RPC's own, and ours from -32000 down.
public enum ErrorCode: Int, CaseIterable, Codable, Hashable, Sendable {
    /// The line is not JSON.
    case parse = -32700
    /// The JSON is not a request.
    case invalidRequest = -32600
    case methodNotFound = -32601
    /// `data.path` names the member.
    case invalidParams = -32602
    /// A fault of the daemon.
    case internalError = -32603
    /// A bound is reached: clients, requests a second (`data` says which bound, and when to try again), requests that wait for a
    /// reload or for patterns to be made ready, or the work of a line.
    case quota = -32000
    /// The line is longer than the limit; the connection is closed after it.
    case lineTooLong = -32001
    /// The answer would be longer than a line of the daemon may be.
    case answerTooLong = -32002
    /// `reload` found errors, listed in `data.diagnostics` for who may see them; the configuration in force is unchanged.
    case invalidConfiguration = -32003
    /// The daemon is stopping.
    case shuttingDown = -32004
    /// The configuration keeps this to other users (`access`), or the `hello` of the connection does not name the method.
    case notAllowed = -32005
    /// What was set counts, but only until the daemon is started again: it could not be stored.
    case notStored = -32006

    /// One sentence for the description of the interface.
    public var summary: String {
        switch self {
        case .parse: "the line is not JSON"
        case .invalidRequest: "the JSON is not a JSON-RPC 2.0 request"
        case .methodNotFound: "there is no such method"
        case .invalidParams: "a parameter is missing, unknown or wrong; data.path names it"
        case .internalError: "the daemon has a fault"
        case .quota: "a bound of the daemon is reached"
        case .lineTooLong: "the line is longer than \(WireLimit.clientLine) bytes; the connection is closed"
        case .answerTooLong: "the answer would be longer than \(WireLimit.daemonLine) bytes"
        case .invalidConfiguration:
            "the configuration has errors, listed in data.diagnostics for who may see them; the old one is still in force"
        case .shuttingDown: "the daemon is stopping"
        case .notAllowed:
            "the configuration keeps this to other users, or the `hello` of the connection does not name it; the message says which"
        case .notStored:
            "what was set counts until the daemon is started again only, for it could not be stored; the message says why"
        }
    }
}

/// Why a request could not be done, as it goes over the wire.
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
            .optional("path", \.path, .anyText, "the member of `params` that is wrong, such as `value` or `pattern.tracks[0]`"),
            .optional("didYouMean", \.didYouMean, .anyText, "what was probably meant"),
            .optional(
                "diagnostics", \.diagnostics, .items(of: .anyText), "the errors of a configuration, each with line and column"),
            .optional(
                "errors", \.errors, .whole, "how many errors those are: a line may stand for several that are only counted"),
            .optional(
                "limit", \.limit, .anyText,
                "the key of the configuration that refuses it, such as `requestsPerClient`; or `methods`, if a `hello` does"),
            .optional("most", \.most, .whole, "how much that bound allows"),
            .optional("retryAfterMs", \.retryAfterMs, .amount, "after this the same request would be in order"),
        ]
    }

    /// A raw code, since a newer daemon may know more of them than its client.
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
        .required("code", \.code, .integer(in: -100_000...0), "one of the codes of errors"),
        .required("message", \.message, .anyText, "a sentence: what is wrong, where, and what to do"),
        .optional("data", \.data, .object, "the same for programs"),
    ]
}

extension WireError: CustomStringConvertible {
    public var description: String { message }
}

/// What one message may hold at most.
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
