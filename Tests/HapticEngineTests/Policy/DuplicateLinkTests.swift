// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

struct DuplicateLinkTests {
    /// One `play` of `soft` by `a`, but for what `change` makes of it. `isEnding`: it is on its way out.
    private func playing(isEnding: Bool = false, _ change: (inout Playback) -> Void = { _ in }) -> PlaybackTable {
        let id = PlaybackID(1)
        var playback = Playback(
            id: id, source: SourceKey(client: Bench.ada, id: "a"), client: Bench.ada, endsWithClient: false, isPlayInput: true,
            isLimited: true, pattern: EngineConfiguration.bench().patterns["soft"]!, feedbackClass: .interaction, priority: 1,
            item: nil, actuators: [])
        change(&playback)
        var table = PlaybackTable()
        table.add(playback)
        if isEnding { table.mark(id, as: (.cancelled, .requested)) }
        return table
    }

    @Test("The same pattern for the same id, while it plays, is a duplicate")
    func same() {
        #expect(DuplicateLink.objection(to: .play("soft", id: "a"), among: playing()) == .duplicate)
        #expect(DuplicateLink.objection(to: .play("soft", id: "a"), among: PlaybackTable()) == nil)
    }

    @Test(
        "Another pattern, another id or none is news",
        arguments: [("light", "a"), ("soft", "b"), ("soft", nil)] as [(String, String?)])
    func different(pattern: String, id: String?) {
        #expect(DuplicateLink.objection(to: .play(pattern, id: id), among: playing()) == nil)
    }

    @Test("What is on its way out, or began in the same batch, is nothing to wait for")
    func over() {
        let again = Candidate.play("soft", id: "a")
        #expect(DuplicateLink.objection(to: again, among: playing(isEnding: true)) == nil)
        #expect(DuplicateLink.objection(to: again, among: playing { $0.item = 0 }) == nil)
    }

    @Test("A step of a progress is never a duplicate")
    func progress() {
        var step = Candidate.play("soft", id: "a")
        step.isPlayInput = false
        #expect(DuplicateLink.objection(to: step, among: playing()) == nil)
    }
}
