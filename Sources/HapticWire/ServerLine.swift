// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

/// The content of a line of the daemon.
public enum ServerLine: Sendable {
    /// The answer to request `id`.
    case answer(RequestID, Answer)
    case refusal(RequestID, WireError)
    case notice(Notice)
    /// The answers to the requests of a batch.
    case batch([ServerLine])

    /// An answer whose result has not been looked at.
    public struct Answer: Sendable {
        fileprivate let result: Node?

        /// Throws where it is another.
        public func result<Result: WireResult>(as _: Result.Type) throws(WireError) -> Result {
            guard let result else { throw .invalid("result", "is missing") }
            return try Result(result, of: "result")
        }
    }

    /// Throws `JSONError` or `WireError` where `line` is nothing that a daemon says.
    public init(_ line: [UInt8]) throws {
        let node = try JSONReader.node(line)
        guard case .list(let answers) = node.content else {
            try self.init(one: node)
            return
        }
        self = .batch(try answers.map { try ServerLine(one: $0) })
    }

    private init(one node: Node) throws(WireError) {
        guard case .object(let members) = node.content else { throw .invalid("message", "must be an object") }
        func value(_ key: Text) -> Node? { members.first { $0.key == key }?.value }
        if let method = value("method") {
            guard case .string(let name) = method.content, let kind = Notice.Kind(text: name) else {
                throw .invalid("method", "must be the name of a notification")
            }
            self = .notice(try Notice(kind, value("params"), of: "params"))
            return
        }
        guard let id = value("id").flatMap({ RequestID($0) }) else { throw .invalid("id", "must be that of a request") }
        if let error = value("error"), error.content != .null {
            self = .refusal(id, try WireError(error, of: "error"))
        } else {
            self = .answer(id, Answer(result: value("result")))
        }
    }
}
