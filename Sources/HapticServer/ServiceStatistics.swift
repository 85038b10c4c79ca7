// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

/// What the service counts of itself.
struct ServiceStatistics {
    var invalidNotifications: UInt64 = 0
    var missed: UInt64 = 0
    var missedActuations: UInt64 = 0
    /// By the place of the actuator.
    private(set) var lateness: [Histogram]
    private(set) var latency: [FeedbackClass: Histogram] = [:]

    init(actuators: Int) { lateness = Array(repeating: Histogram(), count: actuators) }

    mutating func addLateness(_ time: Nanoseconds, of actuator: ActuatorIndex) { lateness[actuator.value].record(time) }

    mutating func addLatency(_ time: Nanoseconds, of feedbackClass: FeedbackClass) {
        latency[feedbackClass, default: Histogram()].record(time)
    }

    mutating func forgetLateness(actuators: Int) { lateness = Array(repeating: Histogram(), count: actuators) }
}

extension Histogram {
    func percentiles(of name: String) -> StatusResult.Percentiles {
        func nanoseconds(_ share: Double) -> Int64 { percentile(Share(clamping: share))?.count ?? 0 }
        return StatusResult.Percentiles(
            of: name, count: count, p50Ns: nanoseconds(0.5), p90Ns: nanoseconds(0.9), p99Ns: nanoseconds(0.99), maxNs: max.count)
    }
}
