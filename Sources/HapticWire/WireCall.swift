// SPDX-License-Identifier: MIT
public import HapticJSON

/// A call of a method: its params. One file of Methods/ holds all that there is to say of a method; its handler is in HapticService.
public protocol WireCall: WireObject {
    /// What the method is answered with.
    associatedtype Result: WireResult

    /// The name on the wire.
    static var method: String { get }
    /// One sentence.
    static var summary: String { get }
    /// What the answer may be.
    static var answer: Member.Kind { get }
    /// Throws if the call cannot stand at `place` in its line.
    func check(at place: LinePlace) throws(WireError)
}

extension WireCall {
    public static var answer: Member.Kind { .object(Result.description) }
    public func check(at _: LinePlace) throws(WireError) {}

    /// Throws in a batch, which is answered as one, for a call that is answered later.
    func refuseInBatch(_ place: LinePlace) throws(WireError) {
        guard place != .alone else { return }
        throw WireError(.invalidRequest, "`\(Self.method)` is not possible in a batch; send the request by itself")
    }

    /// Reads a request. Absent params are empty.
    public init(params: Node?) throws(WireError) { try self.init(params, of: nil) }
}
