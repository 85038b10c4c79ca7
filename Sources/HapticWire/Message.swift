// SPDX-License-Identifier: MIT
public import FoundationEssentials

/// What a request is told apart by; its answer has the same.
public enum RequestID: Hashable, Sendable {
    case null
    case integer(Int64)
    case number(Double)
    /// At most 256 bytes.
    case string(String)
}

/// One JSON-RPC message of a client.
public struct Message: Sendable {
    /// Whom the answer goes to; nil for a notification, which has none.
    public let id: RequestID?
    /// What it asks for, as far as it could be read, also where its params are wrong.
    public let method: Method?
    public internal(set) var call: Result<Call, WireError>
}

/// What a line of a client says.
public enum ClientLine: Sendable {
    case single(Message)
    /// To be decided in this order at one instant.
    case batch([Message])
    /// Nothing of it can be used; the error is answered with the id null.
    case unusable(WireError)

    /// Reads one line without its end. Bounded by `WireLimit` and the decoder's depth of 512.
    public init(_ line: Data) {
        do {
            if line.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "[") {
                self = .batch(try Self.decoder.decode(Batch.self, from: line).messages)
            } else {
                self = .single(try Self.decoder.decode(Message.self, from: line))
            }
        } catch let error as WireError {
            self = .unusable(error)
        } catch {
            self = .unusable(WireError(.parse, "the line is not JSON; send one JSON-RPC 2.0 object or array a line, in UTF-8"))
        }
    }

    private static let decoder = JSONDecoder()
}

private struct Batch: Decodable {
    var messages: [Message] = []

    init(from decoder: any Decoder) throws {
        var items = try decoder.unkeyedContainer()
        let count = items.count ?? 0
        guard count > 0 else { throw WireError(.invalidRequest, "the batch is empty") }
        guard count <= WireLimit.batchItems else {
            throw WireError(.invalidRequest, "the batch has \(count) items; at most \(WireLimit.batchItems) are allowed")
        }
        while !items.isAtEnd {
            var message = try items.decode(Message.self)
            message.refuseLateAnswers()
            messages.append(message)
        }
    }
}

extension Message {
    /// A batch is answered as one, so nothing in it can be answered later.
    fileprivate mutating func refuseLateAnswers() {
        switch call {
        case .success(.play(let params)) where params.wait == true:
            call = .failure(.invalid("wait", "is not possible in a batch; send the request by itself"))
        case .success(.reload): call = .failure(Self.refusal(of: .reload))
        case .success(.prepare): call = .failure(Self.refusal(of: .prepare))
        default: break
        }
    }

    private static func refusal(of method: Method) -> WireError {
        WireError(.invalidRequest, "`\(method.rawValue)` is not possible in a batch; send the request by itself")
    }
}

extension Message: Decodable {
    private static let envelope = ["jsonrpc", "method", "params", "id"]

    /// Never throws: what is wrong with it is in `call`.
    public init(from decoder: any Decoder) throws {
        guard let members = try? decoder.container(keyedBy: MemberKey.self) else {
            self.init(id: .null, method: nil, call: .failure(WireError(.invalidRequest, "a request is a JSON object")))
            return
        }
        let idKey = MemberKey(stringValue: "id")
        let hasID = members.contains(idKey)
        let id = hasID ? try? members.decode(RequestID.self, forKey: idKey) : nil
        do {
            let name = try Self.methodName(members, hasID: hasID, id: id)
            let method = Method(rawValue: name)
            do {
                self.init(id: id, method: method, call: .success(try Call(method, name: name, in: members)))
            } catch {
                self.init(id: id, method: method, call: .failure(error))
            }
        } catch {
            // What is not even a request is answered, whether it has an id or not.
            self.init(id: id ?? .null, method: nil, call: .failure(error))
        }
    }

    private static func methodName(
        _ members: KeyedDecodingContainer<MemberKey>, hasID: Bool, id: RequestID?
    ) throws(WireError) -> String {
        for key in members.allKeys where !envelope.contains(key.stringValue) {
            throw WireError(
                .invalidRequest,
                "`\(key.stringValue.prefix(WireLimit.text))` is not a member of a request; it has `jsonrpc`, `method`, `params` and `id`"
            )
        }
        guard (try? members.decode(String.self, forKey: MemberKey(stringValue: "jsonrpc"))) == "2.0" else {
            throw WireError(.invalidRequest, "`jsonrpc` must be \"2.0\"")
        }
        guard !hasID || id != nil else {
            throw WireError(.invalidRequest, "`id` must be a number, null or a string of at most \(WireLimit.text) bytes")
        }
        guard let name = try? members.decode(String.self, forKey: MemberKey(stringValue: "method")) else {
            throw WireError(.invalidRequest, "`method` must be a string")
        }
        return name
    }
}

extension RequestID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            let text = try container.decode(String.self)
            guard text.utf8.count <= WireLimit.text else { throw WireError(.invalidRequest, "`id` is too long") }
            self = .string(text)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        }
    }
}
