// SPDX-License-Identifier: MIT
import HapticCore
import HapticText
import HapticWire
import Testing

@Suite("The lines of a pattern")
struct PlayPartsTests {
    private static func play(_ pattern: String) throws -> PlayParams {
        var play = PlayParams(pattern: .inline(try JSONReader.node(Array(pattern.utf8))))
        (play.id, play.steps) = ("rain", 2)
        return play
    }

    private static func events(_ count: Int) -> String {
        let events = (0..<count).map { #"{"atMs":\#($0 * 7),"type":"transient","intensity":0.123456789,"sharpness":0.25}"# }
        return #"{"events":[\#(events.joined(separator: ","))],"gain":0.5}"#
    }

    @Test("A pattern that a line has room for, a name, and what has no tracks go in one play")
    func one() throws {
        let phases = (0..<2000).map { #"{"use":"a pattern of a long name, number \#($0)"}"# }.joined(separator: ",")
        for play in [
            try Self.play(#"{"tracks":[\#(Self.events(100))]}"#), try Self.play(#"{"phases":[\#(phases)]}"#),
            PlayParams(pattern: .named("soft")),
        ] {
            let parts = play.parts()
            #expect(parts.count == 1)
            #expect(parts[0].more == nil)
            #expect(parts[0].pattern == play.pattern)
        }
    }

    @Test("The parts of a large pattern fit into lines, whatever a client adds, and have all of it in its order")
    func several() throws {
        let curve = (0..<1000).map { #"{"atMs":\#($0),"value":0.12345678901234567}"# }.joined(separator: ",")
        let curves = Array(repeating: #"{"parameter":"intensity","points":[\#(curve)]}"#, count: 3).joined(separator: ",")
        let tracks = [Self.events(1000), Self.events(3), Self.events(1024)].joined(separator: ",")
        let parts = try Self.play(#"{"name":"rain","tracks":[\#(tracks)],"sum":"glow","parameterCurves":[\#(curves)]}"#).parts()
        var (events, continued, points) = ([Int](), 0, 0)
        for part in parts {
            var sent = part
            (sent.app, sent.atNs) = (String(repeating: "\"", count: WireLimit.app), .max)
            #expect(WireWriter.request(sent, id: .integer(.max)).count <= WireLimit.clientLine)
            guard case .inline(let tree) = part.pattern, case .object(let members) = tree.content else { continue }
            for member in members {
                guard case .list(let items) = member.value.content else { continue }
                if member.key == "parameterCurves" { points += items.count }
                guard member.key == "tracks" else { continue }
                for item in items {
                    guard case .object(let track) = item.content else { continue }
                    let isContinued = track.contains { $0.key == "continued" }
                    #expect(track.contains { $0.key == "gain" } == !isContinued)
                    guard case .list(let entries)? = track.first(where: { $0.key == "events" })?.value.content else { continue }
                    if isContinued {
                        continued += 1
                        events[events.count - 1] += entries.count
                    } else {
                        events.append(entries.count)
                    }
                }
            }
        }
        #expect((events, points) == ([1000, 3, 1024], 3))
        #expect(continued > 0)
        #expect(parts.dropLast().allSatisfy { ($0.more, $0.id, $0.steps) == (true, nil, nil) })
        let last = try #require(parts.last)
        #expect((last.more, last.id, last.steps) == (false, "rain", 2))
        #expect(last.pattern == .inline(try JSONReader.node(Array(#"{"name":"rain","sum":"glow"}"#.utf8))))
    }
}
