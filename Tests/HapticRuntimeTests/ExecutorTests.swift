// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import HapticCore
import HapticRuntime
import HapticThreads
import TestSupport
import Testing

/// Holds up who comes to it until it is opened.
private final class Gate: Sendable {
    private let reached = Doorbell()
    private let opened = Doorbell()

    var isReached: Bool { reached.count > 0 }
    func open() { opened.ring() }
    func pass() {
        reached.ring()
        while opened.count == 0 { opened.wait(after: 0, until: .distantFuture) }
    }
}

/// Breaks the rule that a driver must not wait.
private final class HangingDriver: ActuatorDriver {
    private let gate: Gate
    let capabilities = ActuatorCapabilities.full
    let devicePath: String? = nil
    let nextDeadline = MonotonicInstant.distantFuture

    init(_ gate: Gate) { self.gate = gate }

    func apply(_ driven: DrivenLevel, run: RunIndex?, planned: MonotonicInstant, at now: MonotonicInstant) { gate.pass() }
    func advance(to now: MonotonicInstant) -> AdvanceResult { .kept }
    func switchOff(at now: MonotonicInstant) {}
    func prepare(_ timelines: [Timeline], at now: MonotonicInstant) -> [Readiness] { [] }
    func open(at now: MonotonicInstant) {}
    func close(at now: MonotonicInstant) {}
}

@Suite struct ExecutorTests {
    @Test("Actuations reach the driver in the order of their time, none before it")
    func applies() throws {
        let running = try RunningExecutor()
        // The off is far, or a busy machine would have the ons left out as over.
        let wanted = [soon(.milliseconds(20), on), soon(.milliseconds(10), on), soon(.seconds(1), .off)]
        for actuation in wanted { #expect(running.executor.actuate(actuation)) }
        running.waitForReports(3)
        running.executor.stop()
        #expect(running.actuations == wanted.sorted { $0.planned < $1.planned })
        for case .actuated(let actuation, let real) in running.reports { #expect(real >= actuation.planned) }
        #expect(running.drivers[0].record.map(\.planned) == running.actuations.map(\.planned))
    }

    @Test("An earlier actuation interrupts the wait for a later one")
    func interrupts() throws {
        let running = try RunningExecutor()
        let later = soon(.seconds(3600), on)
        let now = soon(.zero, on)
        #expect(running.executor.actuate(later))
        #expect(running.executor.actuate(now))
        running.waitForReports(1)
        #expect(running.actuations == [now])
    }

    @Test("Orders that are handed over together wake the thread once")
    func wakesOnce() throws {
        let woken = try WokenExecutor(ExecutorConfiguration())
        let before = woken.executor.wakeUpCount
        let later = (0..<40).map { ExecutorOrder.actuate(soon(.seconds(3600), .off, playback: $0)) }
        #expect(woken.executor.submit(later + [.beat]) == 41)
        #expect(wait { woken.executor.beatCount == 1 })
        #expect(wait { woken.isAsleep })
        #expect(woken.executor.wakeUpCount == before + 1)
    }

    @Test("A beat shows that orders are taken: an executor that hangs in a driver takes none until it gets on")
    func beats() throws {
        let gate = Gate()
        let executor = try Executor(drivers: [HangingDriver(gate)], configuration: .init())
        #expect(executor.submit(.beat))
        #expect(wait { executor.beatCount == 1 })
        #expect(executor.actuate(soon(.zero, on)))
        #expect(wait { gate.isReached })
        #expect(executor.submit(.beat))
        #expect(executor.beatCount == 1)
        gate.open()
        #expect(wait { executor.beatCount == 2 })
    }

    @Test("`stop` switches everything off and drops waiting actuations")
    func stops() throws {
        let running = try RunningExecutor([SimulatedDriver(name: "left"), SimulatedDriver(name: "right")])
        #expect(running.executor.actuate(soon(.zero, on)))
        #expect(running.executor.actuate(soon(.zero, on, actuator: 1)))
        #expect(running.executor.actuate(soon(.seconds(3600), on)))
        running.waitForReports(2)
        #expect(running.drivers.map(\.output) == [on, on].map { DrivenLevel($0) })
        running.executor.stop()
        running.executor.stop()
        running.readReports()
        #expect(running.drivers.map(\.output) == [.off, .off])
        #expect(running.actuations.map(\.level) == [on, on, .off, .off])
    }

    @Test("An executor that is deallocated leaves everything off")
    func deinitialized() throws {
        let driver = SimulatedDriver(name: "main")
        do {
            let running = try RunningExecutor([driver])
            #expect(running.executor.actuate(soon(.zero, on)))
            running.waitForReports(1)
            #expect(driver.output == DrivenLevel(on))
        }
        #expect(driver.output == .off)
    }

    @Test("Nothing is lost in a flood of orders, and reports nobody reads are counted", arguments: [true, false])
    func flood(isRead: Bool) throws {
        let running = try RunningExecutor(
            configuration: ExecutorConfiguration(orderCapacity: 1024, queueCapacity: 256, reportCapacity: 1024))
        let count = 20_000
        let start = SystemClock.now - .seconds(1)
        var (read, lastPlanned) = (0, MonotonicInstant.zero)
        func readAll() {
            while let report = running.executor.nextReport() {
                let actuation: Actuation
                switch report {
                case .actuated(let applied, _): actuation = applied
                // A second late, and the next one due as well.
                case .missed(let missed, _): actuation = missed
                default: continue
                }
                read += 1
                #expect(actuation.planned > lastPlanned)
                lastPlanned = actuation.planned
            }
        }
        // However long a busy machine keeps this thread from sending, something is planned: else the leash would switch off in between.
        #expect(running.executor.actuate(soon(.seconds(3600), .off)))
        for index in 0..<count {
            let actuation = Actuation(
                planned: start + Nanoseconds(Int64(index)), actuator: ActuatorIndex(0), playback: PlaybackID(1),
                level: index == count - 1
                    ? .off : Level(intensity: Intensity(clamping: Double(index % 9 + 1) / 10), sharpness: .zero))
            let isTaken = wait {
                if running.executor.actuate(actuation) { return true }
                if isRead { readAll() }
                return false
            }
            try #require(isTaken, "the executor takes no more orders at \(index)")
        }
        // The last order goes through the same ring, so that everything before it has been done when it has.
        func done() -> Int { running.drivers[0].actuationCount + running.executor.droppedActuationCount }
        #expect(wait { done() >= count || running.executor.refusedActuationCount > 0 })
        running.executor.stop()
        readAll()
        #expect(done() == count)
        #expect(running.drivers[0].output == .off)
        #expect(running.executor.refusedActuationCount == 0)
        #expect(read + running.executor.missedReportCount == count)
        if !isRead { #expect(running.executor.missedReportCount > 0) }
    }

    @Test("A fault is reported even if the reports before it were not read")
    func faultIsNeverMissed() throws {
        let driver = SimulatedDriver(name: "pad", faults: .from(apply: 101, .deviceLost, until: .never))
        let running = try RunningExecutor([driver], configuration: ExecutorConfiguration(reportCapacity: 10))
        // On a busy machine some are left out for being late, and reported so.
        var count = 0
        func next() -> Bool {
            count += 1
            return running.executor.actuate(soon(Nanoseconds(Int64(count)), count.isMultiple(of: 2) ? .off : on))
        }
        #expect(wait { next() && driver.actuationCount == 100 })
        #expect(wait { next() && driver.applyCount > 100 })
        running.executor.stop()
        running.readReports()
        #expect(running.executor.missedReportCount >= 90)
        #expect(running.reports.count == 11)
        guard case .faulted? = running.reports.last else {
            Issue.record("the last report is \(String(describing: running.reports.last))")
            return
        }
    }

    @Test("An order that finds the ring full is refused")
    func fullRing() throws {
        let running = try RunningExecutor(configuration: ExecutorConfiguration(orderCapacity: 4))
        // A stopped executor takes nothing out.
        running.executor.stop()
        let taken = (0..<6).map { _ in running.executor.allOff() }
        #expect(taken == [true, true, true, true, false, false])
    }

    @Test("While nothing is due the thread does not wake up")
    func sleepsForGood() throws {
        let woken = try WokenExecutor(ExecutorConfiguration())
        let before = woken.executor.wakeUpCount
        #expect(woken.executor.actuate(soon(.seconds(3600), .off)))
        #expect(wait { woken.executor.wakeUpCount > before })
        #expect(wait { woken.isAsleep })
        // Nothing but a look can show that it sleeps on: a busy machine makes the look less sharp, never wrong.
        for _ in 0..<10_000 { sched_yield() }
        #expect(woken.executor.wakeUpCount == before + 1)
    }
}
