// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON

/// What a line of the daemon says.
public enum ServerLine: Sendable {
    /// The answer to request `id`.
    case answer(RequestID, Answer)
    case refusal(RequestID, WireError)
    case notice(Notice)
    /// The answers to the requests of a batch.
    case batch([ServerLine])

    /// An answer whose result has not been looked at.
    public struct Answer: Sendable {
        fileprivate let node: Node

        /// Throws `DecodingError` where it is another.
        public func result<Result: Decodable>(as _: Result.Type) throws -> Result {
            try ResultOnly<Result>(from: NodeDecoder(node)).result
        }
    }

    /// Throws `JSONError` or `DecodingError` where `line` is nothing that a daemon says.
    public init(_ line: [UInt8]) throws {
        let node = try JSONReader.node(line)
        guard case .list(let answers) = node.content else {
            try self.init(one: node)
            return
        }
        self = .batch(try answers.map { try ServerLine(one: $0) })
    }

    private init(one node: Node) throws {
        let header = try Header(from: NodeDecoder(node))
        if let notice = header.notice {
            self = .notice(notice)
        } else if let error = header.error {
            self = .refusal(header.id, error)
        } else {
            self = .answer(header.id, Answer(node: node))
        }
    }
}

private struct Header: Decodable {
    var id = RequestID.null
    var error: WireError?
    var notice: Notice?

    private enum CodingKeys: CodingKey { case id, method, params, error }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let name = try container.decodeIfPresent(String.self, forKey: .method) {
            guard let kind = Notice.Kind(text: .init(name)) else {
                throw DecodingError.dataCorruptedError(forKey: .method, in: container, debugDescription: "unknown notification")
            }
            notice = try Notice(kind, in: container, at: .params)
            return
        }
        id = try container.decode(RequestID.self, forKey: .id)
        error = try container.decodeIfPresent(WireError.self, forKey: .error)
    }
}

private struct ResultOnly<Result: Decodable>: Decodable {
    var result: Result
}
