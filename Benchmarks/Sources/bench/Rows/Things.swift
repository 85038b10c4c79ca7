// SPDX-License-Identifier: MIT
internal import Measuring

/// What each thing of a set costs where there are many.
struct Things {
    let site: Site

    func rows() throws -> [Row] {
        let instructions = Instructions(site: site)
        func each(_ count: Int, times: Int) throws -> Double {
            site.say("instructions of a set of \(count) things")
            return try instructions.each(["present", "\(count)"], times: times) / Double(count)
        }
        return try [
            Row(
                "things", "engine alone, instructions of each of 100,000 things that are said again, one of them new", .count,
                [each(100_000, times: 1)], against: "of each of 100", [each(100, times: 100)], wanted: .ratioAtMost(1.2))
        ]
    }
}
