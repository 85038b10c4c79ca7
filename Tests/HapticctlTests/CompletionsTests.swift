// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticWire
import Testing

@testable import HapticTerminal
@testable import hapticctl

@Suite("Versions, and what a shell completes")
struct CompletionsTests {
    @Test("The version of hapticctl comes first, then the daemon's, with what to do if they differ")
    func versions() throws {
        let same = Versions(hapticd: .init(version: HapticVersion.current, socket: "/run/x"))
        #expect(same.lines == [HapticVersion.current, "hapticd \(HapticVersion.current) at /run/x"])
        let other = Versions(hapticd: .init(version: "0.0.9", socket: "/run/x"))
        #expect(other.lines.count == 3)
        #expect(other.lines[2].contains("restart hapticd"))
        #expect(
            String(decoding: try JSONLines.line(other), as: UTF8.self)
                == #"{"schema":1,"hapticctl":"\#(HapticVersion.current)","hapticd":{"version":"0.0.9","socket":"/run/x"},"problem":null}"#
                + "\n")
        #expect(Versions(socket: "/no/such.sock").lines == [HapticVersion.current, "no hapticd at /no/such.sock"])
    }

    @Test("fish is offered the meaning of a pattern behind a tab, others the name alone; names with commands are left out")
    func offers() {
        let patterns = [
            Completions.PatternOffer(name: "soft", meaning: "A\tsoft\u{1b}[2J touch\n"), .init(name: "$(x)", meaning: "odd"),
            .init(name: "long", meaning: String(repeating: "a", count: 1000)), .init(name: "mute", meaning: ""),
        ]
        let longest = String(repeating: "a", count: Completions.longestMeaning)
        #expect(Completions.offers(patterns, in: .fish) == ["soft\tA soft [2J touch ", "long\t\(longest)", "mute"])
        #expect(Completions.offers(patterns, in: .zsh) == ["soft", "long", "mute"])
        #expect(Completions.offers(patterns, in: nil) == ["soft", "long", "mute"])
    }
}
