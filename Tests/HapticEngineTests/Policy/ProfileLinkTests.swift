// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticEngine

struct ProfileLinkTests {
    /// What the profile `quiet` makes of three steps of `success`, where it stands for `effect`.
    private func outcome(
        of effect: ProfileEffect, on actuators: [EngineActuator] = [EngineActuator(name: "main")]
    ) -> (candidate: Candidate, reason: Reason?) {
        var classes = ClassTable.standard
        classes.interaction.quiet = effect
        var candidate = Candidate.play("success")
        (candidate.train, candidate.sharpness) = (StepTrain(steps: 3), .zero)
        let reason = ProfileLink.objection(
            to: &candidate, .quiet, .bench(actuators: actuators, classes: classes), Scheduler(actuators: actuators),
            FlashLedger(), at: .zero)
        return (candidate, reason)
    }

    @Test("Under `full` a play stays as it is")
    func full() {
        let (candidate, reason) = outcome(of: .full)
        #expect(reason == nil)
        #expect((candidate.intensity, candidate.steps, candidate.actuators) == (.one, 3, nil))
    }

    @Test("Under `half` a play is the same at half strength")
    func half() {
        let (candidate, reason) = outcome(of: .half)
        #expect(reason == nil)
        #expect((candidate.intensity, candidate.steps, candidate.pattern.name) == (Intensity(clamping: 0.5), 3, "success"))
    }

    @Test("Where the profile names a pattern that one is felt once, as it is")
    func pattern() {
        let (candidate, reason) = outcome(of: .pattern("tick"))
        #expect(reason == nil)
        #expect((candidate.pattern.name, candidate.steps, candidate.sharpness) == ("tick", 1, nil))
    }

    @Test("Under `nothing` nothing is felt where no light stands in, and the profile is the reason")
    func nothing() { #expect(outcome(of: .nothing).reason == .profile) }

    @Test("Under `nothing` a light that stands in for the motor plays all the same")
    func light() {
        let actuators = [EngineActuator(name: "main", fallback: ActuatorIndex(1)), EngineActuator(name: "light")]
        let (candidate, reason) = outcome(of: .nothing, on: actuators)
        #expect(reason == nil)
        #expect(candidate.actuators == [ActuatorIndex(1)])
        #expect((candidate.pattern.name, candidate.steps) == ("success", 3))
    }
}
