// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire
import Testing

@testable import HapticServer

@Suite("What subscribers get of an event")
struct BulletinTests {
    private func notice(_ source: String?, of user: UInt32) -> Notice {
        .decision(
            DecisionResult(
                Decision(
                    sequence: 1, at: .zero, input: .event, source: source, user: user, name: "door", value: .number(4711),
                    outcome: .suppressed, reason: .noRule)))
    }

    private func text(_ bulletin: inout Bulletin, to user: UInt32?, topics: Set<Topic> = [.decisions]) -> String {
        String(decoding: bulletin.text(for: topics, to: user).lines, as: UTF8.self)
    }

    @Test(
        "Ids and values reach their user and who may see all; others get null, of one notice and of several", arguments: [1, 3])
    func masked(count: Int) {
        var bulletin = Bulletin()
        for number in 0..<count { bulletin.add(notice("secret\(number)", of: 1001)) }
        let own = text(&bulletin, to: 1001)
        #expect(own.contains("secret0") && own.contains("4711"))
        #expect(text(&bulletin, to: nil) == own)
        for _ in 0..<2 {
            let others = text(&bulletin, to: 1002)
            #expect(!others.contains("secret") && !others.contains("4711") && others.contains(#""source":null"#))
            #expect(others.split(separator: "\n").count == count)
        }
        #expect(text(&bulletin, to: 1001) == own)
    }

    @Test("Users who share a topic each get their own ids, and nothing of a topic that they did not ask for")
    func audiences() {
        var bulletin = Bulletin()
        bulletin.add(notice("anna", of: 1001))
        bulletin.add(notice("bert", of: 1002))
        bulletin.add(.profile(ProfileNotice(.quiet, at: .zero)))
        #expect(text(&bulletin, to: 1001).contains("anna") && !text(&bulletin, to: 1001).contains("bert"))
        #expect(text(&bulletin, to: 1002).contains("bert") && !text(&bulletin, to: 1002).contains("anna"))
        #expect(!text(&bulletin, to: nil).contains("quiet"))
        #expect(text(&bulletin, to: 1001, topics: [.profile]).contains("quiet"))
        bulletin.removeAll()
        #expect(bulletin.isEmpty && bulletin.text(for: [.decisions], to: nil).count == 0)
    }
}
