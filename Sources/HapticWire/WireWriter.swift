// SPDX-License-Identifier: MIT
internal import HapticJSON

/// Writes messages, each as one line with its LF.
public enum WireWriter {
    /// The answer to request `id`. One that is longer than a line may be becomes the error `answerTooLong`.
    public static func answer(_ result: some Encodable, to id: RequestID) -> [UInt8] {
        let line = line(Answer(id: id, result: result))
        return line.count <= WireLimit.daemonLine ? line : Self.error(.answerTooLong, to: id)
    }

    /// A result as it stands in an answer, for one that is given often.
    public static func result(_ result: some Encodable) -> [UInt8] { Array(line(result).dropLast()) }

    /// The same answer as that with the value of which `result` was made.
    public static func answer(written result: [UInt8], to id: RequestID) -> [UInt8] {
        var line = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
        line += Self.line(id).dropLast()
        line += Array(#","result":"#.utf8)
        line += result
        line += Array("}\n".utf8)
        return line.count <= WireLimit.daemonLine ? line : error(.answerTooLong, to: id)
    }

    public static func error(_ error: WireError, to id: RequestID) -> [UInt8] { line(Refusal(error: error, id: id)) }

    /// Bytes of an error `answerTooLong` at most: an id of control characters takes six for each of its own.
    private static let longestRefusal = 256 + 6 * WireLimit.text

    /// The answers to a batch, each written by `answer` or `error`, as one line. Nil where there is none to give.
    public static func batch(_ answers: [(id: RequestID, line: [UInt8])]) -> [UInt8]? {
        guard !answers.isEmpty else { return nil }
        var batch = Array("[".utf8)
        for (index, answer) in answers.enumerated() {
            if index > 0 { batch.append(UInt8(ascii: ",")) }
            // Room is kept for the errors of all that follow.
            let room = WireLimit.daemonLine - batch.count - (answers.count - index) * Self.longestRefusal
            batch.append(contentsOf: (answer.line.count <= room ? answer.line : error(.answerTooLong, to: answer.id)).dropLast())
        }
        batch.append(contentsOf: "]\n".utf8)
        return batch
    }

    public static func notification(_ notice: Notice) -> [UInt8] { line(ServerNotification(notice: notice)) }

    /// A client's request; a notification where `id` is nil.
    public static func request(_ method: Method, _ params: some Encodable, id: RequestID?) -> [UInt8] {
        line(Request(id: id, method: method, params: params))
    }

    /// Requests, each written by `request`, as one line: a batch.
    public static func batch(of requests: [[UInt8]]) -> [UInt8] {
        var batch = Array("[".utf8)
        for (index, request) in requests.enumerated() {
            if index > 0 { batch.append(UInt8(ascii: ",")) }
            batch.append(contentsOf: request.dropLast())
        }
        batch.append(contentsOf: "]\n".utf8)
        return batch
    }

    /// Anything as one line.
    public static func line(_ value: some Encodable) -> [UInt8] {
        do {
            return try LineEncoder.bytes(value) + [UInt8(ascii: "\n")]
        } catch {
            // Numbers are finite wherever they come in, so there is nothing here that JSON cannot say.
            // trap: numbers are finite wherever they come in, so there is nothing that JSON cannot say.
            fatalError("a message could not be written: \(error)")
        }
    }
}

extension WireError {
    /// In place of an answer that would be more than a line may be.
    public static let answerTooLong = WireError(
        .answerTooLong, "the answer would be longer than \(WireLimit.daemonLine) bytes; ask for less at once")
}

private struct Answer<Result: Encodable>: Encodable {
    let jsonrpc = "2.0"
    var id: RequestID
    var result: Result
}

private struct Refusal: Encodable {
    let jsonrpc = "2.0"
    var error: WireError
    var id: RequestID
}

private struct Request<Params: Encodable>: Encodable {
    let jsonrpc = "2.0"
    var id: RequestID?
    var method: Method
    var params: Params
}

private struct ServerNotification: Encodable {
    var notice: Notice

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberKey.self)
        try container.encode("2.0", forKey: MemberKey(stringValue: "jsonrpc"))
        try container.encode(notice.name, forKey: MemberKey(stringValue: "method"))
        try notice.encode(into: &container, at: MemberKey(stringValue: "params"))
    }
}
