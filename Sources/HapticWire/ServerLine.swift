// SPDX-License-Identifier: MIT
public import FoundationEssentials

/// What a line of the daemon says.
public enum ServerLine: Sendable {
    /// The answer to request `id`; its result is read with `result(as:)`.
    case answer(RequestID, Data)
    case refusal(RequestID, WireError)
    case notice(Notice)

    /// Throws what `JSONDecoder` throws where `line` is nothing that a daemon says.
    public init(_ line: Data) throws {
        let header = try Self.decoder.decode(Header.self, from: line)
        if let notice = header.notice {
            self = .notice(notice)
        } else if let error = header.error {
            self = .refusal(header.id, error)
        } else {
            self = .answer(header.id, line)
        }
    }

    /// The result in the line of an answer.
    public static func result<Result: Decodable>(_: Result.Type, in line: Data) throws -> Result {
        try decoder.decode(ResultOnly<Result>.self, from: line).result
    }

    private static let decoder = JSONDecoder()
}

private struct Header: Decodable {
    var id = RequestID.null
    var error: WireError?
    var notice: Notice?

    private enum CodingKeys: CodingKey { case id, method, params, error }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let name = try container.decodeIfPresent(String.self, forKey: .method) {
            guard let kind = Notice.Kind(rawValue: name) else {
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
