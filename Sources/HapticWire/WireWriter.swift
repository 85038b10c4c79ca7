// SPDX-License-Identifier: MIT
internal import HapticText

/// Writes messages, each as one line with its LF.
public enum WireWriter {
    /// The answer to request `id`. One that is longer than a line may be becomes the error `answerTooLong`.
    public static func answer(_ result: any WireResult, to id: RequestID) -> [UInt8] {
        fitting(to: id) { text throws in
            text.next("result")
            try result.write(&text)
        }
    }

    /// A result as it stands in an answer, for one that is given often.
    public static func result(_ result: any WireResult) -> [UInt8] { written { text throws in try result.write(&text) } }

    /// The same answer as that with the value of which `result` was made.
    public static func answer(written result: [UInt8], to id: RequestID) -> [UInt8] {
        fitting(to: id) { text throws in
            text.next("result")
            text.write(written: result)
        }
    }

    private static func fitting(to id: RequestID, _ result: (inout JSONText) throws -> Void) -> [UInt8] {
        let line = message { text throws in
            text.next("id")
            try id.write(&text)
            try result(&text)
        }
        return line.count <= WireLimit.daemonLine ? line : error(.answerTooLong, to: id)
    }

    public static func error(_ error: WireError, to id: RequestID) -> [UInt8] {
        message { text throws in
            text.next("error")
            try error.write(&text)
            text.next("id")
            try id.write(&text)
        }
    }

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

    public static func notification(_ notice: Notice) -> [UInt8] {
        message { text throws in
            text.next("method")
            text.write(notice.name)
            text.next("params")
            try notice.content.write(&text)
        }
    }

    /// A client's request; a notification where `id` is nil.
    public static func request(_ call: some WireCall, id: RequestID?) -> [UInt8] {
        message { text throws in
            if let id {
                text.next("id")
                try id.write(&text)
            }
            text.next("method")
            text.write(type(of: call).method)
            text.next("params")
            try call.write(&text)
        }
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
            // trap: numbers are finite wherever they come in, so there is nothing that JSON cannot say.
            fatalError("a value could not be written: \(error)")
        }
    }

    /// The params of a request.
    public static func params(_ call: some WireCall) -> [UInt8] { written { text throws in try call.write(&text) } }

    /// Bytes of the params of a request.
    static func size(_ call: some WireCall) -> Int { params(call).count }

    /// A JSON-RPC message as a line, with its LF.
    private static func message(_ members: (inout JSONText) throws -> Void) -> [UInt8] {
        written { text throws in
            text.begin("{")
            text.next("jsonrpc")
            text.write("2.0")
            try members(&text)
            text.end("}")
            text.end("\n")
        }
    }

    private static func written(_ write: (inout JSONText) throws -> Void) -> [UInt8] {
        var text = JSONText()
        do {
            try write(&text)
            return text.bytes
        } catch {
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
