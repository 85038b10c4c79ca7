// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticText

/// What distinguishes a request from others; its answer has the same.
public enum RequestID: Hashable, Sendable {
    case null
    case integer(Int64)
    case number(Double)
    /// In the digits that the client gave, for no type holds them exactly; at most 256 bytes.
    case numeral(Text)
    /// At most 256 bytes.
    case string(Text)
}

/// The place of a message in its line.
public enum LinePlace: Sendable {
    case alone, firstOfBatch, laterInBatch
}

/// One JSON-RPC message of a client: the envelope of a call, which nobody has opened.
public struct Message: Sendable {
    /// Whom the answer goes to; nil for a notification, which has none.
    public let id: RequestID?
    /// The name of the method; nil where there is none.
    public let method: Text?
    public let params: Node?
    /// Why the envelope cannot be used.
    public let error: WireError?
    public let place: LinePlace
}

/// The content of a client's line.
public enum ClientLine: Sendable {
    case single(Message)
    /// To be decided in this order at one instant.
    case batch([Message])
    /// Nothing of it can be used; the error is answered with the id null.
    case unusable(WireError)

    /// Reads one line without its end. Bounded by `WireLimit` and `Node.depthLimit`.
    public init(_ line: [UInt8]) {
        do throws(JSONError) {
            let node = try JSONReader.node(line)
            guard case .list(let items) = node.content else {
                self = .single(Message(node, at: .alone))
                return
            }
            guard !items.isEmpty else {
                self = .unusable(WireError(.invalidRequest, "the batch is empty"))
                return
            }
            guard items.count <= WireLimit.batchItems else {
                let message = "the batch has \(items.count) items; at most \(WireLimit.batchItems) are allowed"
                self = .unusable(WireError(.invalidRequest, message))
                return
            }
            self = .batch(
                items.enumerated().map { index, item in Message(item, at: index == 0 ? .firstOfBatch : .laterInBatch) })
        } catch {
            self = .unusable(WireError(.parse, Self.notJSON(line, error)))
        }
    }

    private static func notJSON(_ line: [UInt8], _ error: JSONError) -> String {
        let start = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        if let first = start.first, first != UInt8(ascii: "{"), first != UInt8(ascii: "[") {
            let word = String(decoding: start.prefix { $0 != UInt8(ascii: " ") }.prefix(40), as: UTF8.self)
            let isHTTP = ["GET", "HEAD", "POST", "PUT", "OPTIONS"].contains { word.utf8.elementsEqual($0.utf8) }
            let what = isHTTP ? "this is HTTP" : "the line begins with \(quoted(word))"
            let example = #"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":"tick"}}"#
            return "\(what), and hapticd reads JSON-RPC 2.0, one JSON text a line, such as `\(example)`"
        }
        let fault = "\(error.message) (byte \(error.offset + 1))"
        return "the line is not JSON: \(fault); send one JSON-RPC 2.0 object or array a line, in UTF-8"
    }
}

extension Message {
    /// What is wrong with it is in `error`.
    init(_ node: Node, at place: LinePlace) {
        self.place = place
        guard case .object(let members) = node.content else {
            (id, method, params) = (.null, nil, nil)
            error = WireError(.invalidRequest, "a request is a JSON object")
            return
        }
        let id = members.first { $0.key == "id" }.map { RequestID($0.value) }
        let failure = Self.failure(members, hasUsableID: id != .some(nil))
        error = failure
        method = Self.method(members)
        params = members.first { $0.key == "params" }?.value
        // What is not even a request is answered, whether it has an id or not.
        self.id = failure == nil ? id ?? nil : (id ?? nil) ?? .null
    }

    private static func method(_ members: [Node.Member]) -> Text? {
        guard case .string(let name)? = members.first(where: { $0.key == "method" })?.value.content else { return nil }
        return name
    }

    /// Why the members are no request; nil: they are one.
    private static func failure(_ members: [Node.Member], hasUsableID: Bool) -> WireError? {
        var (isRightVersion, hasMethod) = (false, false)
        for member in members {
            switch member.key {
            case "jsonrpc": isRightVersion = member.value.content == .string("2.0")
            case "method": if case .string = member.value.content { hasMethod = true }
            case "params", "id": break
            default:
                let name = member.key.prefix(bytes: WireLimit.text)
                return WireError(
                    .invalidRequest,
                    "`\(name)` is not a member of a request; it has `jsonrpc`, `method`, `params` and `id`")
            }
        }
        guard isRightVersion else { return WireError(.invalidRequest, "`jsonrpc` must be \"2.0\"") }
        guard hasMethod else { return WireError(.invalidRequest, "`method` must be a string") }
        guard hasUsableID else {
            return WireError(.invalidRequest, "`id` must be a number, null or a string of at most \(WireLimit.text) bytes")
        }
        return nil
    }
}

extension RequestID {
    /// Nil where it is none.
    init?(_ node: Node) {
        switch node.content {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .number(let number):
            if let numeral = node.numeral {
                guard numeral.utf8.count <= WireLimit.text else { return nil }
                self = .numeral(numeral)
            } else {
                self = Int64(exactly: number).map { .integer($0) } ?? .number(number)
            }
        case .string(let text) where text.utf8.count <= WireLimit.text: self = .string(text)
        case .string, .bool, .list, .object, .invalid: return nil
        }
    }
}

extension RequestID {
    func write(_ text: inout JSONText) throws {
        switch self {
        case .null: text.writeNull()
        case .numeral(let digits): text.write(numeral: digits)
        case .integer(let number): text.write(number)
        case .number(let number): try text.write(number)
        case .string(let string): text.write(string.string)
        }
    }
}
