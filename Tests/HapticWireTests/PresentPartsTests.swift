// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire
import TestSupport
import Testing

@Suite("The lines of a set")
struct PresentPartsTests {
    /// As a client sends them, with the most that it puts into them.
    private func lines(_ parts: [PresentParams]) -> [[UInt8]] {
        parts.map { part in
            var part = part
            part.app = String(repeating: "\"", count: WireLimit.app)
            part.atNs = .max
            return WireWriter.request(part, id: .integer(.max))
        }
    }

    private func read(_ line: [UInt8]) throws -> PresentParams {
        guard case .single(let message) = ClientLine(Array(line.dropLast())),
            let params = try? PresentParams(params: message.params)
        else { throw WireError(.invalidRequest, "not a set") }
        return params
    }

    @Test("A small set, also an empty one, is one line, as it was given")
    func small() {
        for ids in [[], ["a"], ["a", "b", "a"]] {
            var set = PresentParams(name: "cart", ids: ids)
            set.feedback = .off
            let parts = set.parts()
            #expect((parts.count, parts[0].ids) == (1, ids))
            #expect(parts[0].more == nil)
            #expect(parts[0].feedback == .off)
        }
    }

    @Test(
        "A large set is split into lines that fit, whatever its ids, and is complete",
        arguments: ["i", "\u{e9}\u{202e}", "\"\\", String(repeating: "\u{200b}", count: 80)])
    func large(prefix: String) throws {
        var set = PresentParams(
            name: String(repeating: "\"", count: WireLimit.text), ids: (0..<20_000).map { "\(prefix)\($0)" })
        set.feedback = .pattern(.named("tick"))
        let parts = set.parts()
        let read = try lines(parts).map {
            #expect($0.count <= WireLimit.clientLine)
            return try self.read($0)
        }
        #expect(read.count > 1)
        #expect(read.flatMap(\.ids) == set.ids)
        #expect(read.allSatisfy { $0.name == set.name })
        #expect(read.dropLast().allSatisfy { $0.more == true })
        #expect(read.dropLast().allSatisfy { $0.feedback == nil })
        #expect(read.last?.more == nil)
        #expect(read.last?.feedback == set.feedback)
    }

    @Test("No line costs more than a line may")
    func cost() throws {
        // The shortest ids that there are make the most of them.
        let set = PresentParams(name: "a", ids: Array(repeating: "a", count: 40_000))
        for line in lines(set.parts()) {
            let things = try read(line).ids.count
            #expect(line.count * 6 + 400 + things * WorkBudget.Cost.thing < 600_000)
            #expect(things <= WireLimit.things)
        }
    }
}
