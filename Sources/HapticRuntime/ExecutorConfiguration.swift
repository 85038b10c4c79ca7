// SPDX-License-Identifier: MIT
private import Glibc
public import HapticCore

/// How the executor is to run.
public struct ExecutorConfiguration: Hashable, Sendable {
    /// Of SCHED_FIFO, 1…99; nil: as any other thread.
    public var priority: Int?
    /// Keep the whole process in memory once it was touched.
    public var locksMemory: Bool
    /// The only processor to run on, from 0; nil: any.
    public var cpu: Int?
    /// The least real time from off to the next on of each actuator; an actuator past the end of the list has none.
    public var minGaps: [Nanoseconds]
    /// Orders on their way to the thread, 1 or more.
    public var orderCapacity: Int
    /// Actuations waiting for their time; more than there are actuators.
    public var queueCapacity: Int
    /// Reports waiting to be read, 1 or more.
    public var reportCapacity: Int

    public init(
        priority: Int? = nil, locksMemory: Bool = false, cpu: Int? = nil, minGaps: [Nanoseconds] = [],
        orderCapacity: Int = 4096,
        queueCapacity: Int = 8192, reportCapacity: Int = 8192
    ) {
        self.priority = priority
        self.locksMemory = locksMemory
        self.cpu = cpu
        self.minGaps = minGaps
        self.orderCapacity = orderCapacity
        self.queueCapacity = queueCapacity
        self.reportCapacity = reportCapacity
    }
}

/// Why the executor could not start.
public enum ExecutorError: Error, Hashable, Sendable, CustomStringConvertible {
    case noReportDescriptor(errno: Int32)
    case noThread(errno: Int32)

    public var description: String {
        switch self {
        case .noReportDescriptor(let errno):
            "the executor got no eventfd (\(String(cString: strerror(errno)))); raise the limit of open files (LimitNOFILE=)"
        case .noThread(let errno):
            "the executor got no thread (\(String(cString: strerror(errno)))); raise the limit of tasks or of memory (TasksMax=)"
        }
    }
}
