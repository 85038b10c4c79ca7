// SPDX-License-Identifier: MIT
import HapticClient
import HapticWire

/// Sends a stream of inputs without waiting for each answer, and counts what became of them.
///
/// Requests and not notifications: only so can be told at the end how much was felt.
struct Pipeline {
    /// More unanswered requests than these are waited for.
    private static let mostUnanswered = 256

    private let client: HapticClient
    private let console: Console
    private var unanswered: [RequestID] = []
    private(set) var tally = Tally()

    init(_ client: HapticClient, _ console: Console) {
        self.client = client
        self.console = console
    }

    var isAnswered: Bool { unanswered.isEmpty }

    mutating func send(_ method: Method, _ input: some InputParams) throws {
        if unanswered.count == Self.mostUnanswered { try takeAnswer(timeout: HapticClient.patience) }
        unanswered.append(try client.send(method, input))
    }

    /// Takes the answers that are there, without waiting.
    mutating func takeReadyAnswers() throws {
        do {
            while !unanswered.isEmpty { try takeAnswer(timeout: 0) }
        } catch ClientError.timedOut {
            return
        }
    }

    /// Waits for all answers.
    mutating func finish() throws {
        while !unanswered.isEmpty { try takeAnswer(timeout: HapticClient.patience) }
    }

    private mutating func takeAnswer(timeout: Double) throws {
        let decision: DecisionResult = try client.answer(to: unanswered[0], as: DecisionResult.self, timeout: timeout)
        unanswered.removeFirst()
        tally.count(decision)
        try console.tell(Notice.decision(decision))
    }
}
