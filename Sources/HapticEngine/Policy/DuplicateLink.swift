// SPDX-License-Identifier: MIT
import HapticCore
import HapticPlanning

/// The same `play` with the same id again, while it plays, is not the news that a different one is.
enum DuplicateLink {
    static func objection(to candidate: Candidate, among playbacks: PlaybackTable) -> Reason? {
        guard candidate.traits.isPlayInput, let source = candidate.source else { return nil }
        let isPlaying = playbacks.about(source).contains {
            playbacks[$0].map {
                $0.traits.isPlayInput && $0.source == source && $0.pattern.name == candidate.pattern.name && $0.ending == nil
                    && $0.item == nil
            } ?? false
        }
        return isPlaying ? .duplicate : nil
    }
}
