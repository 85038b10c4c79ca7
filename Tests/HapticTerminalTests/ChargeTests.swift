// SPDX-License-Identifier: MIT
import HapticCore
import HapticWire
import Testing

@testable import HapticTerminal

@Suite("The charge as a stream of ticks")
struct ChargeTests {
    private func values(_ charge: Charge) throws -> [Double] {
        try #require(charge.steps()).compactMap { step in
            if case .progress(let value) = step { value.value } else { nil }
        }
    }

    @Test("The charge takes 160 ticks with the reference values, begins slowly and ends at exactly 1")
    func reference() throws {
        let values = try values(Charge())
        #expect(values.count == 160)
        #expect(values[0] == 0.0007)
        #expect(abs(values[1] - 0.00147) < 1e-12)
        #expect(values[158] < 1)
        #expect(values[159] == 1)
    }

    @Test("The charge is released in the tick after the first that reaches `--release-at`")
    func release() throws {
        var charge = Charge()
        charge.releaseAt = Progress(0.6)
        let steps = try #require(charge.steps())
        #expect(steps.last == .release)
        let values = try values(charge)
        #expect(values.count == steps.count - 1)
        #expect(values[values.count - 2] < 0.6)
        #expect(try #require(values.last) >= 0.6)
    }

    @Test("A charge that no rule matches names its id and the rule to write")
    func noRule() {
        var tally = Tally()
        for _ in 0..<3 { tally.count(DecisionResult(notFelt(.progress, .noRule))) }
        tally.count(DecisionResult(notFelt(.release, .released)))
        let rule = #"`- { match: "lever", pattern: soft }`"#
        #expect(
            tally.remedy(for: "lever")
                == "; no rule matches `lever`: add one under `progress` of the configuration, such as \(rule)")
        #expect(tally.remedy(for: "a\"b").contains(#"{ match: "*", pattern: soft }"#))
        tally.count(DecisionResult(notFelt(.progress, .belowStep)))
        #expect(tally.remedy(for: "lever") == "")
    }

    @Test("A charge that would not end soon is refused")
    func endless() {
        #expect(Charge(increment: 0, acceleration: 0).steps() == nil)
        #expect(Charge(increment: 1e-6, acceleration: 0).steps() == nil)
        #expect(Charge(increment: 1, acceleration: 0).steps()?.count == 1)
    }
}
