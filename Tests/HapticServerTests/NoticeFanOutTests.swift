// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire
import Testing

@testable import HapticServer

@Suite("Notices of one event")
struct NoticeFanOutTests {
    private func notice(_ source: String?, of user: UInt32, scope: UInt32? = nil) -> Notice {
        .decision(
            DecisionResult(
                Decision(
                    sequence: 1, at: .zero, input: .event, source: source, user: user, scope: scope, name: "door",
                    value: .number(4711), outcome: .suppressed, reason: .noRule)))
    }

    private func text(_ fanOut: inout NoticeFanOut, to user: UInt32?, topics: Set<Topic> = [.decisions]) -> String {
        text(&fanOut, to: user.map { Owner(user: $0) }, topics: topics)
    }

    private func text(_ fanOut: inout NoticeFanOut, to owner: Owner?, topics: Set<Topic> = [.decisions]) -> String {
        String(decoding: fanOut.text(for: topics, to: owner).lines, as: UTF8.self)
    }

    @Test("Each scope of a user gets its own ids, and so does the user without a scope", arguments: [1, 2])
    func scopes(count: Int) {
        var fanOut = NoticeFanOut()
        for _ in 0..<count { fanOut.add(notice("secret", of: 1001, scope: 7)) }
        for (scope, sees) in [(7, true), (8, false), (nil, false)] as [(UInt32?, Bool)] {
            #expect(text(&fanOut, to: Owner(user: 1001, scope: scope)).contains("secret") == sees)
        }
    }

    @Test(
        "Ids and values reach their user and who may see all; others get null, of one notice and of several", arguments: [1, 3])
    func masked(count: Int) {
        var fanOut = NoticeFanOut()
        for number in 0..<count { fanOut.add(notice("secret\(number)", of: 1001)) }
        let own = text(&fanOut, to: 1001)
        for secret in ["secret0", "4711"] { #expect(own.contains(secret)) }
        #expect(text(&fanOut, to: nil as Owner?) == own)
        for _ in 0..<2 {
            let others = text(&fanOut, to: 1002)
            for secret in ["secret", "4711"] { #expect(!others.contains(secret)) }
            #expect(others.contains(#""source":null"#))
            #expect(others.split(separator: "\n").count == count)
        }
        #expect(text(&fanOut, to: 1001) == own)
    }

    @Test("Users who share a topic each get their own ids, and nothing of a topic that they did not ask for")
    func audiences() {
        var fanOut = NoticeFanOut()
        fanOut.add(notice("anna", of: 1001))
        fanOut.add(notice("bert", of: 1002))
        fanOut.add(.actuator(ActuatorNotice(actuator: "pad", isAvailable: true, error: nil)))
        for (user, own, other) in [(1001, "anna", "bert"), (1002, "bert", "anna")] as [(UInt32, String, String)] {
            #expect(text(&fanOut, to: user).contains(own))
            #expect(!text(&fanOut, to: user).contains(other))
        }
        #expect(!text(&fanOut, to: nil as Owner?).contains("pad"))
        #expect(text(&fanOut, to: 1001, topics: [.actuators]).contains("pad"))
        fanOut.removeAll()
        #expect(fanOut.isEmpty)
        #expect(fanOut.text(for: [.decisions], to: nil).count == 0)
    }
}
