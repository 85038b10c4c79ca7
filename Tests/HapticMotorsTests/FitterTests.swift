// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import Testing

struct FitterTests {
    @Test func `a steady ERM is driven at the root of the intensity`() throws {
        let model = MotorModel(kind: .erm, rise: .milliseconds(193), fall: .milliseconds(75))
        var fitter = try #require(Fitter(model, .levels))
        let off = Fitter.Frame(at: .zero + .seconds(2), intensity: .zero)
        var last = fitter.intend(Intensity(clamping: 0.25), next: off, afterNext: nil, at: .zero)
        if let last { fitter.follow(last, at: .zero) }
        while fitter.nextEvent < .zero + .seconds(1) {
            let at = fitter.nextEvent
            last = fitter.elapse(at: at) ?? last
            if let last { fitter.follow(last, at: at) }
        }
        #expect(last == Drive(0.5))
    }
}
