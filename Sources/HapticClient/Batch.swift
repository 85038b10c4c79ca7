// SPDX-License-Identifier: MIT
public import HapticWire

/// What is to be decided at one instant, in this order: one line of the protocol. `HapticClient.send` and `notify` take it.
///
///     var batch = Batch(TransactionParams(feedback: .off))
///     batch.append(EventParams(name: "door.opened"))
///     let ids = try client.send(batch)
public struct Batch: Sendable {
    /// What its inputs have where they do not say it themselves. An `app` that is not named here is that of the client.
    public var defaults: TransactionParams?
    private var items: [any WireCall] = []

    public init(_ defaults: TransactionParams? = nil) { self.defaults = defaults }

    /// How many were appended.
    public var count: Int { items.count }
    public var isEmpty: Bool { items.isEmpty }

    /// What is answered later is refused in a batch: `reload`, `prepare`, `wait`. An input that does not say when it happened has happened
    /// when the batch is sent.
    public mutating func append(_ call: some WireCall) { items.append(call) }

    /// The line; each item is a request with its id, or a notification where there are no `ids`.
    func line(_ ids: [RequestID]? = nil, app: String?, at now: Int64) -> [UInt8] {
        var lines: [[UInt8]] = []
        if var defaults {
            if defaults.app == nil { defaults.app = app }
            // Where it is refused, the answers to all others say so.
            lines.append(WireWriter.request(defaults, id: nil))
        }
        for (index, item) in items.enumerated() {
            let id = ids?[index]
            let call: any WireCall = (item as? any InputParams)?.stamped(app: defaults == nil ? app : nil, at: now) ?? item
            lines.append(WireWriter.request(call, id: id))
        }
        return WireWriter.batch(of: lines)
    }
}

extension InputParams {
    /// The same, with these where it does not say them itself.
    func stamped(app: String?, at now: Int64) -> Self {
        var input = self
        if input.app == nil { input.app = app }
        if input.atNs == nil { input.atNs = now }
        return input
    }
}
