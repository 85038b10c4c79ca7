// SPDX-License-Identifier: MIT
import Dispatch
import HapticBackends
import HapticCore
import HapticGuard
import HapticThreads
import Testing

@Suite struct LeftoverOutputsTests {
    private struct MadeUp: Leftover {
        let name: String
        let keys: [ConfigurationKey] = []
        let body: @Sendable () throws(DriverFault) -> Void

        func switchOffLeftover() throws(DriverFault) { try body() }
    }

    @Test("Outputs are switched off beside each other, and each failure keeps its place")
    func places() {
        let gate = DispatchSemaphore(value: 0)
        let absent = DriverFault(.absent, device: "missing")
        let outputs = [
            MadeUp(name: "hanging") { gate.wait() },
            // Nobody could open the gate if they took turns.
            MadeUp(name: "off") { gate.signal() },
            MadeUp(name: "missing") { () throws(DriverFault) in throw absent },
        ]
        #expect(LeftoverOutputs.switchOff(outputs, by: SystemClock.now + .seconds(60)) == [nil, nil, absent])
    }

    @Test("An output that hangs delays nobody beyond the end, and is reported")
    func hanging() {
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        let outputs = [MadeUp(name: "hanging") { gate.wait() }]
        let faults = LeftoverOutputs.switchOff(outputs, by: SystemClock.now + .milliseconds(20))
        #expect(faults == [DriverFault(.hanging, device: "hanging")])
    }

    @Test("Nothing to switch off takes no time")
    func none() { #expect(LeftoverOutputs.switchOff([], by: .distantFuture) == []) }
}
