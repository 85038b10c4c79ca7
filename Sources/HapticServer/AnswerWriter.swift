// SPDX-License-Identifier: MIT
internal import HapticService
internal import HapticWire

/// Writes what the service says as JSON-RPC. What many may ask for is written once for as long as it is the same.
struct AnswerWriter {
    /// A result and how it is written.
    struct Written<Value: Encodable & Equatable> {
        private(set) var value: Value?
        private var bytes: [UInt8] = []

        /// Lists that the service makes once are compared at one glance: they are the same in memory.
        mutating func written(_ value: Value) -> [UInt8] {
            if value != self.value {
                self.value = value
                bytes = WireWriter.result(value)
            }
            return bytes
        }
    }

    private let version: String
    private var patterns = Written<PatternsResult>()
    private(set) var actuators = Written<ActuatorsResult>()
    private(set) var status = Written<StatusResult>()
    private lazy var document = WireWriter.result(OpenRPC.document(version: version))
    /// What is to be said to the subscribers of the event at hand.
    var bulletin = Bulletin()

    /// `version`: of the daemon.
    init(version: String) { self.version = version }

    /// Nil where it comes later.
    mutating func answer(_ reply: Reply, to id: RequestID) -> [UInt8]? {
        switch reply {
        case .decision(let result): WireWriter.answer(result, to: id)
        case .play(let result): WireWriter.answer(result, to: id)
        case .playPart(let result): WireWriter.answer(result, to: id)
        case .cancel(let result): WireWriter.answer(result, to: id)
        case .transaction(let result): WireWriter.answer(result, to: id)
        case .settings(let result): WireWriter.answer(result, to: id)
        case .prepare(let result): WireWriter.answer(result, to: id)
        case .patterns(let result): WireWriter.answer(written: patterns.written(result), to: id)
        case .pattern(let result): WireWriter.answer(result, to: id)
        case .actuators(let result): WireWriter.answer(written: actuators.written(result), to: id)
        case .subscribe(let result): WireWriter.answer(result, to: id)
        case .status(let result): WireWriter.answer(written: status.written(result), to: id)
        case .history(let result): WireWriter.answer(result, to: id)
        case .reload(let result): WireWriter.answer(result, to: id)
        case .discover: WireWriter.answer(written: document, to: id)
        case .error(let error): WireWriter.error(error, to: id)
        case .later: nil
        case .onceStored(let reply, _): answer(reply, to: id)
        }
    }
}
