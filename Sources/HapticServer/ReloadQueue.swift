// SPDX-License-Identifier: MIT
public import HapticWire

extension FeedbackService {
    /// Reads the configuration again and compares it with the one in force, somewhere else; the answer comes back on the event loop.
    public typealias Reloader = (
        _ inForce: ServiceConfiguration, _ answer: @escaping (Result<Reloaded, WireError>) -> Void
    ) -> Void

    /// A configuration that was read again, and what is different in it.
    public struct Reloaded: Sendable {
        let configuration: ServiceConfiguration
        let result: ReloadResult

        /// Compares all patterns, which takes its time: not for the event loop.
        public init(_ configuration: ServiceConfiguration, replacing inForce: ServiceConfiguration) {
            result = ReloadResult(
                changed: inForce.changes(to: configuration), needsRestart: inForce.needsRestart(for: configuration))
            var configuration = configuration
            // It stays as it was at the start, so that each reload names it for as long as the file's is another.
            configuration.parts["socket"] = inForce.parts["socket"]
            self.configuration = configuration
        }
    }
}

/// Those who asked for a reload. One runs at a time; who asks while it runs gets one of their own, together with all others who do.
struct ReloadQueue {
    typealias Answer = (Result<ReloadResult, WireError>) -> Void

    /// Who may wait at one time.
    static let limit = 256

    let reloader: FeedbackService.Reloader
    private(set) var isRunning = false
    private var waiting: [Answer] = []

    init(_ reloader: @escaping FeedbackService.Reloader) { self.reloader = reloader }

    var isFull: Bool { waiting.count >= Self.limit }

    mutating func add(_ answer: @escaping Answer) { waiting.append(answer) }

    /// Those whom the next run is for; nil where none is needed or one is running.
    mutating func begin() -> [Answer]? {
        guard !isRunning, !waiting.isEmpty else { return nil }
        isRunning = true
        defer { waiting = [] }
        return waiting
    }

    mutating func end() { isRunning = false }
}
