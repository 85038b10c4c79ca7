// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticJSON

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

/// One JSON-RPC message of a client.
public struct Message: Sendable {
    /// Whom the answer goes to; nil for a notification, which has none.
    public let id: RequestID?
    /// What it asks for, as far as it could be read, also where its params are wrong.
    public let method: Method?
    public internal(set) var call: Result<Call, WireError>
    /// Of a `present` that cannot be used.
    public private(set) var unusablePart: SetPart?
    /// The `more` of a `play` that cannot be used, or of a request with an unknown method and a pattern, if it has one.
    public private(set) var unusableMore: Bool?

    init(id: RequestID?, method: Method?, call: Result<Call, WireError>) {
        self.id = id
        self.method = method
        self.call = call
    }

    /// As much as is known of a part of a set.
    public struct SetPart: Hashable, Sendable {
        public var name: String?
        /// Whether the set goes on.
        public var more: Bool?

        public init(name: String? = nil, more: Bool? = nil) {
            self.name = name
            self.more = more
        }
    }
}

/// What a line of a client says.
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
                var message = Message(node)
                message.refuseTransaction("is for a batch; send an array with it as the first item, and its inputs behind it")
                self = .single(message)
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
                items.enumerated().map { index, item in
                    var message = Message(item)
                    message.refuseLateAnswers()
                    if index > 0 { message.refuseTransaction("must be the first item of its batch; put it there") }
                    return message
                })
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
    /// A batch is answered as one, so nothing in it can be answered later.
    fileprivate mutating func refuseLateAnswers() {
        switch call {
        case .success(.play(let params)) where params.wait == true:
            unusableMore = params.more
            call = .failure(.invalid("wait", "is not possible in a batch; send the request by itself"))
        case .success(.cancel(let params)) where params.untilResumed:
            call = .failure(.invalid("untilResumed", "is not possible in a batch; send the request by itself"))
        case .success(.reload): call = .failure(Self.refusal(of: .reload))
        case .success(.prepare): call = .failure(Self.refusal(of: .prepare))
        default: break
        }
    }

    /// One that does not stand where it may; `reason` goes on after its name.
    fileprivate mutating func refuseTransaction(_ reason: @autoclosure () -> String) {
        guard case .success(.transaction) = call else { return }
        call = .failure(WireError(.invalidRequest, "`transaction` \(reason())"))
    }

    private static func refusal(of method: Method) -> WireError {
        WireError(.invalidRequest, "`\(method.rawValue)` is not possible in a batch; send the request by itself")
    }
}

extension Message {
    /// What is wrong with it is in `call`.
    init(_ node: Node) {
        guard case .object(let members) = node.content else {
            self.init(id: .null, method: nil, call: .failure(WireError(.invalidRequest, "a request is a JSON object")))
            return
        }
        let id = members.first { $0.key == "id" }.map { RequestID($0.value) }
        do throws(WireError) {
            let (name, params) = try Self.parts(members)
            // There, and not usable.
            if case .some(nil) = id {
                throw WireError(.invalidRequest, "`id` must be a number, null or a string of at most \(WireLimit.text) bytes")
            }
            let method = Method(text: name)
            do throws(WireError) {
                self.init(id: id ?? nil, method: method, call: .success(try Call(method, name: name, params)))
            } catch {
                self.init(id: id ?? nil, method: method, call: .failure(error))
            }
        } catch {
            // What is not even a request is answered, whether it has an id or not.
            self.init(id: (id ?? nil) ?? .null, method: Self.method(members), call: .failure(error))
        }
        guard case .failure(let error) = call else { return }
        if method == .present { unusablePart = SetPart(members) }
        if method == .play || method == nil { unusableMore = SetPart.more(members, method, error) }
    }

    /// What one that is not a request would have asked for.
    private static func method(_ members: [Node.Member]) -> Method? {
        guard case .string(let name)? = members.first(where: { $0.key == "method" })?.value.content else { return nil }
        return Method(text: name)
    }

    private static func parts(_ members: [Node.Member]) throws(WireError) -> (method: Text, params: Node?) {
        var (isRightVersion, method, params) = (false, Text?.none, Node?.none)
        for member in members {
            switch member.key {
            case "jsonrpc": isRightVersion = member.value.content == .string("2.0")
            case "method": if case .string(let name) = member.value.content { method = name }
            case "params": params = member.value
            case "id": break
            default:
                let name = member.key.prefix(bytes: WireLimit.text)
                throw WireError(
                    .invalidRequest,
                    "`\(name)` is not a member of a request; it has `jsonrpc`, `method`, `params` and `id`")
            }
        }
        guard isRightVersion else { throw WireError(.invalidRequest, "`jsonrpc` must be \"2.0\"") }
        guard let method else { throw WireError(.invalidRequest, "`method` must be a string") }
        return (method, params)
    }
}

extension Message.SetPart {
    /// Of a request; what is wrong in it is passed over.
    fileprivate init(_ members: [Node.Member]) {
        self.init()
        guard case .object(let params)? = members.first(where: { $0.key == "params" })?.value.content else { return }
        // One that says nothing of it is the last one.
        more = false
        for param in params {
            switch (param.key, param.value.content) {
            case ("name", .string(let text)) where text.utf8.count <= WireLimit.text: name = text.string
            case ("more", .bool(let goesOn)): more = goesOn
            case ("more", .null): break
            case ("more", _): more = nil
            default: break
            }
        }
    }
}

extension Message.SetPart {
    /// The `more` of a `play`, also if `error` is that it is misspelt; `nil` if there is none. A value that is no boolean counts as true.
    /// Without a `method`, a request with a pattern counts as a `play`.
    fileprivate static func more(_ members: [Node.Member], _ method: Method?, _ error: WireError) -> Bool? {
        guard case .object(let params)? = members.first(where: { $0.key == "params" })?.value.content,
            method == .play || params.contains(where: { $0.key == "pattern" })
        else { return nil }
        let key = error.data?.didYouMean == "more" ? error.data?.path ?? "more" : "more"
        guard let more = params.first(where: { $0.key == Text(key) })?.value.content, more != .null else { return nil }
        return more != .bool(false)
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

extension RequestID: Codable {
    public init(from decoder: any Decoder) throws {
        if let node = (decoder as? NodeDecoder)?.node, let id = RequestID(node) {
            self = id
            return
        }
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
            self = .string(Text(text))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        if case .numeral(let digits) = self, let encoder = encoder as? LineEncoder { return encoder.write(numeral: digits) }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .numeral(let digits): try container.encode(Double(digits.string))
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text.string)
        }
    }
}
