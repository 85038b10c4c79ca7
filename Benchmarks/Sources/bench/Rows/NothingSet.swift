// SPDX-License-Identifier: MIT
internal import Measuring

/// What the links of the policy that go by what people set, and who may, cost where nothing is set.
struct NothingSet {
    let site: Site

    func rows() throws -> [Row] {
        let instructions = Instructions(site: site)
        return try [
            ("progress", "one progress input below its step", ["progress"]), ("play", "a play of 8 ms", ["actuators", "1"]),
        ].map { key, what, arguments in
            site.say("instructions with nothing set: \(what)")
            return Row(
                "nothing-set-\(key)", "engine alone, nothing set, instructions of \(what)", .count,
                [try instructions.each(arguments, times: 10)], against: "without the links of settings",
                [try instructions.each(["without-settings"] + arguments, times: 10)], wanted: .ratioAtMost(1.05))
        }
    }
}
