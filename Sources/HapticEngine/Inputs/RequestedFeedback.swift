// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// The feedback that an input requests.
enum RequestedFeedback {
    /// Nothing, for this reason.
    case none(Reason)
    case feedback(Candidate)
    case followed(FollowedValue)
}

extension Decision {
    /// The decision on `input` as far as the input itself determines it: nothing is felt yet.
    init(on input: borrowing Input, sequence: UInt64, at now: MonotonicInstant) {
        self.init(
            sequence: sequence, at: now, input: input.kind.name, source: input.id, app: input.app, user: input.client.user,
            scope: input.client.scope, process: input.client.process, outcome: .suppressed)
    }
}

extension Input.Kind {
    fileprivate var name: Decision.InputKind {
        switch self {
        case .progress: .progress
        case .release: .release
        case .event: .event
        case .play: .play
        case .present: .present
        case .hold: .hold
        case .task: .task
        }
    }
}
