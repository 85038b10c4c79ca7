// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import HapticCore
import HapticRuntime
import Testing

@Suite struct RealtimeStateTests {
    @Test("The executor says what it was refused and what to do, and runs on")
    func realtimeState() throws {
        // No machine has this processor, so the refusal is certain.
        let running = try RunningExecutor(configuration: ExecutorConfiguration(priority: 40, locksMemory: true, cpu: 1_000_000))
        let state = running.executor.realtimeState
        #expect(state.scheduling != .notAskedFor)
        #expect(state.memory != .notAskedFor)
        #expect(state.pinning == .refused(errno: EINVAL))
        #expect(state.remedies.last?.contains("set realtime.cpu to one of those") == true)
        #expect(running.executor.actuate(soon(.zero, on)))
        running.waitForReports(1)
        #expect(running.drivers[0].output == DrivenLevel(on))
    }

    @Test("Each refusal has its remedy", arguments: ["LimitRTPRIO=", "LimitMEMLOCK=infinity", "realtime.cpu"])
    func remedies(remedy: String) {
        let refused = RealtimeState(
            scheduling: .refused(errno: EPERM), memory: .refused(errno: EPERM), pinning: .refused(errno: EINVAL))
        #expect(refused.remedies.filter { $0.contains(remedy) }.count == 1)
        #expect(RealtimeState(scheduling: .granted, memory: .granted, pinning: .notAskedFor).remedies == [])
    }
}
