// SPDX-License-Identifier: MIT
public import HapticText

/// A call of a method: its params. One file of Methods/ describes a method; the handler is in HapticService.
public protocol WireCall: WireObject {
    /// The type of the answer.
    associatedtype Result: WireResult

    /// The name on the wire.
    static var method: String { get }
    /// One sentence.
    static var summary: String { get }
    /// The kind of the answer, for descriptions.
    static var answer: Member.Kind { get }
    /// Throws if the call is not possible at `place` in its line.
    func check(at place: LinePlace) throws(WireError)
}

extension WireCall {
    public static var answer: Member.Kind { .object(Result.description) }
    public func check(at _: LinePlace) throws(WireError) {}

    /// Throws in a batch: a batch has one answer, and this call is answered later.
    func refuseInBatch(_ place: LinePlace) throws(WireError) {
        guard place != .alone else { return }
        throw WireError(.invalidRequest, "`\(Self.method)` is not possible in a batch; send the request by itself")
    }

    /// Reads a request. Absent params are empty.
    public init(params: Node?) throws(WireError) { try self.init(params, of: nil) }
}
