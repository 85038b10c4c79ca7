// SPDX-License-Identifier: MIT
internal import Measuring

/// What fitting to a motor adds to deciding and planning a play.
struct Fitting {
    let site: Site

    func rows() throws -> [Row] {
        let instructions = Instructions(site: site)
        return try [("ramp", "a ramp of 0.5 s"), ("train", "75 steps of the charge")].map { shape, what in
            site.say("instructions of a play: \(what)")
            return Row(
                "fitting-\(shape)", "engine alone, instructions of a play fitted to a slow motor, \(what)", .count,
                [try instructions.each(["fitted-\(shape)"])], against: "not fitted", [try instructions.each([shape])],
                wanted: .ratioAtMost(2))
        }
    }
}
