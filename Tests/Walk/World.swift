// SPDX-License-Identifier: MIT
import FoundationEssentials
import HapticBackends
import HapticCore
import HapticEngine
import HapticPlanning
import HapticRuntime
import TestSupport

/// Engine and executor as the daemon runs them, each with a thread that may stand still, and a ring between the two; in virtual time. In some walks
/// the service is around the engine, with its clients.
struct World: ~Copyable {
    let options: Options
    let board: Board
    var now = MonotonicInstant.zero
    var oracle: Oracle
    /// A hash of everything that happened: within one process the same walk has the same hash.
    var trace = Hasher()
    var inputs = 0
    var faults: [Options.Fault: Int] = [:]
    /// Unused if there is a service, which has a loop of its own.
    var loop: FeedbackLoop
    /// The service with its clients; nil if inputs go to the loop directly.
    var served: Served?
    var handRules = HandRules()
    var conditionRules = ConditionRules()
    /// The end of the time for which people have switched feedback off.
    var offUntil = MonotonicInstant.zero
    var random: SplitMix64

    var drivers: [WitnessDriver]
    /// Nil while one executor is replaced by the next.
    var executor: Optional<Box>
    var hasOtherMotors = false
    /// Orders that the event loop still has, and orders that the executor has not taken.
    var backlog: [ExecutorOrder] = []
    var ring: [ExecutorOrder] = []
    var reports: [ExecutorReport] = []
    /// The instants until which the engine and the executor stand still.
    var engineFree = MonotonicInstant.zero
    var executorFree = MonotonicInstant.zero
    var executorAt = MonotonicInstant.distantFuture
    var retryAt = MonotonicInstant.distantFuture
    var installAt = MonotonicInstant.distantFuture
    /// The lost actuators, with the instant of the next try to open each.
    var lost: [(actuator: Int, retryAt: MonotonicInstant, backOff: BackOff)] = []
    var losesNextDoorbell = false
    /// Whether the executor has lost a doorbell and not woken up since.
    var isDeaf = false
    /// The events in words, if they are to be printed.
    var story: [String]?

    /// An executor moves in and out of the world.
    final class Box {
        var core: ExecutorCore
        init(_ core: consuming ExecutorCore) { self.core = core }
    }

    /// The time after a disturbance by which its consequences are over.
    static let settling: Int64 = 300_000_000

    init(_ options: Options, _ board: Board, seed: UInt64) {
        (self.options, self.board) = (options, board)
        random = SplitMix64(seed: seed)
        let configuration = board.configuration(profile: .full, hasOtherMotors: false)
        loop = FeedbackLoop(configuration)
        oracle = Oracle(board.motors, jitter: options.jitter)
        drivers = board.drivers()
        executor = Box(Self.core(drivers, board))
    }

    static func core(_ drivers: [WitnessDriver], _ board: Board) -> ExecutorCore {
        // The sizes of the daemon.
        ExecutorCore(
            drivers: drivers, queueCapacity: 512 + 512 * drivers.count, minGaps: board.motors.map { $0.limits.minGap })
    }

    var isEngineFree: Bool { engineFree <= now }

    mutating func tellStory() { story = [] }

    mutating func tell(_ text: @autoclosure () -> String) { if story != nil { story!.append("\(now) \(text())") } }

    // MARK: Time

    /// Lets time pass. At equal instants the executor goes first.
    mutating func run(until end: MonotonicInstant) {
        while oracle.failure == nil {
            let wakeUp = served?.nextWakeUp ?? loop.nextDeadline
            let loopAt = max(engineFree, min(wakeUp, retryAt, reports.isEmpty ? .distantFuture : now, nextOpening))
            let executorAt = max(executorFree, executorAt)
            let logAt = served?.log.nextEntry ?? .distantFuture
            let next = min(loopAt, executorAt, installAt, logAt)
            guard next <= end else { break }
            now = max(now, next)
            oracle.now = now.nanoseconds
            if executorAt <= now {
                runExecutor()
            } else if logAt <= now {
                takeLog()
            } else if installAt <= now {
                install()
            } else {
                runLoop()
            }
        }
        now = max(now, end)
        oracle.now = now.nanoseconds
    }

    var nextOpening: MonotonicInstant { lost.reduce(.distantFuture) { min($0, $1.retryAt) } }

    mutating func runLoop() {
        if !reports.isEmpty { readReports() }
        if retryAt <= now {
            retryAt = .distantFuture
            commit()
        }
        reopen()
        if let served { return run(served) }
        if loop.nextDeadline <= now { take(.time) }
    }
}

/// `value` as JSON, for the message about a failed seed.
func words(_ value: some Encodable) -> String {
    (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
}
