// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

@testable import HapticEngine

extension Candidate {
    /// That of a `play` of a pattern of the bench, which happened at `at`.
    static func play(
        _ pattern: String = "soft", _ feedbackClass: FeedbackClass = .interaction, id: String? = nil, isOff: Bool = false,
        at: MonotonicInstant = .zero, deadline: Nanoseconds? = nil, app: String? = nil, client: ClientIdentity = Bench.ada
    ) -> Candidate {
        Candidate(
            client: client, at: at, app: app, isOff: isOff, pattern: PlayablePattern.bench[pattern]!,
            feedbackClass: feedbackClass,
            intensity: .one, priority: 1, deadline: deadline, source: id.map { SourceKey(client: client, id: $0) },
            traits: PlaybackTraits(isPlayInput: true))
    }
}
