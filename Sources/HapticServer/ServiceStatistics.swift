// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine

/// What the service counts of itself.
struct ServiceStatistics {
    var invalidNotifications: UInt64 = 0
    var missed: UInt64 = 0
    /// By the place of the actuator.
    private(set) var lateness: [LatencyHistogram]
    private(set) var latency: [FeedbackClass: LatencyHistogram] = [:]

    init(actuators: Int) { lateness = Array(repeating: LatencyHistogram(), count: actuators) }

    mutating func addLateness(_ time: Nanoseconds, of actuator: ActuatorIndex) { lateness[actuator.value].add(time) }

    mutating func addLatency(_ time: Nanoseconds, of feedbackClass: FeedbackClass) {
        latency[feedbackClass, default: LatencyHistogram()].add(time)
    }

    mutating func forgetLateness(actuators: Int) { lateness = Array(repeating: LatencyHistogram(), count: actuators) }
}
