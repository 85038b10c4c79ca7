// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticService

@Suite("Rules that an event nearly matches")
struct NearRuleTests {
    @Test(
        "An event with a mistyped word is near the rule that its corrected name matches",
        arguments: [
            ("payment.suceeded", "*.succeeded", "payment.succeeded"), ("payment.success", "*.succeeded", "payment.succeeded"),
            ("payment.failure", "*.failed", "payment.failed"), ("shop.payment.suceeded", "*.succeeded", "shop.payment.succeeded"),
            ("paymnt.done", "payment.*", "payment.done"), ("paymnt.done.late", "payment.*", "payment.done.late"),
            ("dor.open?", "door.*", "door.open?"),
        ])
    func near(name: String, match: String, meant: String) throws {
        let near = try #require(NearRule(to: name, among: ["zzz.*", match, "*.*.*.never"].map { Glob($0) }))
        #expect((near.match, near.name) == (match, meant))
    }

    @Test("A name of very many words is near no rule, and costs nothing")
    func words() {
        let name = String(repeating: ".", count: 255)
        #expect(NearRule(to: name, among: [Glob("*.*")]) == nil)
        #expect(NearRule.cost(of: name, among: 1000) == 0)
        #expect(NearRule.cost(of: "a.b.c.d.e.f.g.h", among: 10) == 8 * NearRule.cost(of: "a", among: 10))
    }

    @Test(
        "An event that is far from all rules is near none", arguments: ["disk.full", "payment", "", "...", "succeeded.payment"])
    func far(name: String) {
        #expect(NearRule(to: name, among: ["*.succeeded", "*.failed", "payment.*"].map { Glob($0) }) == nil)
    }
}
