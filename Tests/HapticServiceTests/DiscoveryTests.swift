// SPDX-License-Identifier: MIT
import HapticCore
import HapticJSON
import HapticService
import HapticWire
import Testing

@Suite("What the service says of its interface")
struct DiscoveryTests {
    /// All that `value` refers to.
    private func references(in value: JSONValue) -> Set<Text> {
        switch value {
        case .object(let members):
            let own: Set<Text> = if case .string(let place)? = members["$ref"] { [Text(place)] } else { [] }
            return members.values.reduce(own) { $0.union(references(in: $1)) }
        case .array(let items): return items.reduce([]) { $0.union(references(in: $1)) }
        default: return []
        }
    }

    @Test("The document describes what a pattern object may be, where its params refer to it, within a line of the daemon")
    func patterns() throws {
        let document = OpenRPC.document(version: "1")
        #expect(references(in: document) == ["#/components/schemas/pattern"])
        #expect(document["components"]?["schemas"]?["pattern"]?["anyOf"] != nil)
        guard case .array(let methods)? = document["methods"] else {
            Issue.record("there are no methods")
            return
        }
        let taking = methods.filter { !references(in: $0).isEmpty }.compactMap { $0["name"] }
        #expect(taking == ["progress", "release", "event", "play", "present", "hold", "task", "transaction"])
        // It is once in there, however many params take a pattern.
        #expect(WireWriter.result(document).count < WireLimit.daemonLine / 8)
    }
}
