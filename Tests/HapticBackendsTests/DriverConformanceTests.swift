// SPDX-License-Identifier: MIT
import HapticBackends
import HapticCore
import Testing

@Suite struct DriverConformanceTests {
    @Test(
        "The simulated driver keeps the contract, whatever it can vary",
        arguments: [(true, true), (true, false), (false, true), (false, false)])
    func simulatedDriverConforms(variesIntensity: Bool, variesSharpness: Bool) {
        let capabilities = ActuatorCapabilities(variesIntensity: variesIntensity, variesSharpness: variesSharpness)
        let violations = DriverConformance.violations(startingAt: MonotonicInstant(nanoseconds: 1_000_000)) {
            let driver = SimulatedDriver(name: "main", capabilities: capabilities, limits: MotorLimits(maxOn: .seconds(2)))
            return DriverUnderTest(
                driver: driver, output: { driver.output.level }, maxOn: .seconds(2),
                breakDevice: { driver.follow(.from(apply: 1, .deviceLost, until: .onOpen)) })
        }
        #expect(violations == [])
    }

    @Test("Every flaw is found, and every check finds one")
    func everyCheckCanFail() {
        func checks(of violations: [String]) -> Set<Substring> { Set(violations.compactMap { $0.split(separator: ": ").first }) }
        let all = checks(of: DriverConformance.violations { throw DriverFault(.deviceLost, device: "main") })
        var failed: Set<Substring> = []
        for flaw in BrokenDriver.Flaw.allCases {
            let violations = DriverConformance.violations {
                let driver = BrokenDriver(flaw)
                return DriverUnderTest(
                    driver: driver, output: { driver.output.level }, maxOn: BrokenDriver.maxOn, breakDevice: driver.fail)
            }
            #expect(!violations.isEmpty, "\(flaw)")
            failed.formUnion(checks(of: violations))
        }
        #expect(failed == all)
    }

    @Test("A violation says which rule was broken and what was seen")
    func violationIsASentence() {
        let violations = DriverConformance.violations {
            let driver = BrokenDriver(.neverCutsOff)
            return DriverUnderTest(driver: driver, output: { driver.output.level }, maxOn: BrokenDriver.maxOn)
        }
        #expect(
            violations.first
                == "what is on for too long is cut off until an off comes: it was not cut off within its longest on-time of 2s")
    }

    @Test("A driver that cannot be made is a violation of every check")
    func makingFails() {
        let violations = DriverConformance.violations { throw DriverFault(.permission, device: "/dev/gpiochip0") }
        #expect(violations.count == 11)
        #expect(violations.allSatisfy { $0.contains("no driver could be made: /dev/gpiochip0 cannot be opened") })
    }
}
