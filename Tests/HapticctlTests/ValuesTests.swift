// SPDX-License-Identifier: MIT
import ArgumentParser
import HapticWire
import Testing

@testable import hapticctl

@Suite("Values on the command line")
struct ValuesTests {
    @Test("A hand-over has a time with its unit, or none; a number without one is no part of the name")
    func handOver() throws {
        #expect(try Values.handOver("b") == HandOverParams(to: "b"))
        #expect(try Values.handOver("b:200ms") == HandOverParams(to: "b", durationMs: 200))
        #expect(try Values.handOver("pad:left") == HandOverParams(to: "pad:left"))
        #expect(try Values.handOver("pad:2:0.2s") == HandOverParams(to: "pad:2", durationMs: 200))
        for text in ["b:200", "b:0.2", "b:-3"] {
            let error = #expect(throws: ValidationError.self) { try Values.handOver(text) }
            #expect(error?.message.contains("a time has a unit: `\(text)ms`") == true)
        }
        #expect(throws: ValidationError.self) { try Values.handOver("b:11s") }
    }
}
