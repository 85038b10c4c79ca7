// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc
public import HapticCore
private import HapticThreads
private import Synchronization

/// The thread of a device that can block. It carries out orders one after the other; who posts them, the executor, never waits for it.
///
/// What went wrong over there, and a device that does not get on with what it was sent, is thrown by the next call here.
/// `post`, `check` and `deadline` are for one thread, the executor's; `submit` and `stop` for one other; the rest for any, which may see it late. With nothing to do it sleeps.
public final class DeviceThread<Order: Sendable>: Sendable {
    /// Orders on their way. A device that is this far behind hangs.
    public static var capacity: Int { 64 }
    /// A device that gets nothing done for this long hangs.
    public static var patience: Nanoseconds { .milliseconds(500) }
    /// How long `stop` waits for a device.
    public static var longestStop: Nanoseconds { .milliseconds(500) }

    private let shared: Shared<Order>
    private let device: String
    private let postedCount = Atomic<Int>(0)
    private let seenCount = Atomic<Int>(0)
    private let quietSince = Atomic<Int64>(0)
    private let hasThrown = Atomic<Bool>(false)

    /// Starts the thread. `device`: in the words of its user. `perform` does one order and `finish`, once, gives the device back; both
    /// on the thread. After a fault nothing more is performed.
    public init(
        device: String, perform: @escaping @Sendable (Order) throws(DriverFault) -> Void, finish: @escaping @Sendable () -> Void
    ) throws(DriverFault) {
        shared = Shared(perform: perform, finish: finish)
        self.device = device
        let error = shared.start()
        guard error == 0 else { throw DriverFault(.io(errno: error), device: device) }
    }

    deinit { shared.askToStop() }

    /// Hands over an order. Throws where the device has failed or hangs; then the order is not done. Never blocks.
    public func post(_ order: Order, at now: MonotonicInstant) throws(DriverFault) {
        try check(at: now)
        if isIdle { quietSince.store(now.nanoseconds, ordering: .relaxed) }
        guard shared.orders.push(order) else { throw DriverFault(.hanging, device: device) }
        // Only this thread writes it.
        postedCount.store(postedCount.load(ordering: .relaxed) + 1, ordering: .relaxed)
        shared.doorbell.ring()
    }

    /// Hands over what is done once no order waits, also after a fault; in order. False where the device has not got on with those
    /// before: then it is not done.
    public func submit(_ errand: @escaping @Sendable () -> Void) -> Bool {
        guard shared.errands.push(errand) else { return false }
        shared.doorbell.ring()
        return true
    }

    /// Throws where the device has failed, or has got nothing done for `patience`.
    public func check(at now: MonotonicInstant) throws(DriverFault) {
        if shared.hasFailed.load(ordering: .acquiring), let fault = shared.fault.withLock({ $0 }) {
            hasThrown.store(true, ordering: .relaxed)
            throw fault
        }
        let done = shared.doneCount.load(ordering: .acquiring)
        if done != seenCount.load(ordering: .relaxed) {
            seenCount.store(done, ordering: .relaxed)
            quietSince.store(now.nanoseconds, ordering: .relaxed)
        }
        guard now < hangsAt else { throw DriverFault(.hanging, device: device) }
    }

    /// When to `check` next: at once where an order has failed and that was not thrown yet; while something is on its way, from when on the
    /// device hangs; else never.
    public var deadline: MonotonicInstant {
        // In this order: an order that fails says so before it is done.
        let hangsAt = hangsAt
        let isNews = shared.hasFailed.load(ordering: .acquiring) && !hasThrown.load(ordering: .relaxed)
        return isNews ? .zero : hangsAt
    }

    private var hangsAt: MonotonicInstant {
        isIdle ? .distantFuture : MonotonicInstant(nanoseconds: quietSince.load(ordering: .relaxed)) + Self.patience
    }

    /// Whether all that was posted is done.
    public var isIdle: Bool { postedCount.load(ordering: .relaxed) == shared.doneCount.load(ordering: .acquiring) }

    /// Lets the thread end once it has done what was posted; never blocks. Any thread.
    public func askToStop() { shared.askToStop() }

    /// Ends the thread once it has done what was posted, and waits for that, `longestStop` at most. False where the device
    /// hangs: then it is given back when it no longer does.
    public func stop() -> Bool {
        shared.askToStop()
        return shared.waitForEnd(Self.longestStop)
    }

    /// Whether the thread has given its device back.
    public var hasEnded: Bool { shared.hasEnded.count > 0 }
}

/// What the two threads share.
private final class Shared<Order: Sendable>: Sendable {
    let orders = SPSCRing<Order>(capacity: DeviceThread<Order>.capacity)
    let errands = SPSCRing<@Sendable () -> Void>(capacity: 4)
    let doorbell = Doorbell()
    let doneCount = Atomic<Int>(0)
    let hasFailed = Atomic<Bool>(false)
    let fault = Mutex<DriverFault?>(nil)
    /// Rung once.
    let hasEnded = Doorbell()
    private let isStopping = Atomic<Bool>(false)
    private let perform: @Sendable (Order) throws(DriverFault) -> Void
    private let finish: @Sendable () -> Void

    init(perform: @escaping @Sendable (Order) throws(DriverFault) -> Void, finish: @escaping @Sendable () -> Void) {
        self.perform = perform
        self.finish = finish
    }

    /// 0 or an errno.
    func start() -> Int32 {
        let context = Unmanaged.passRetained(self)
        let error = clinux_start_thread("hapticd-device", context.toOpaque()) { context in
            // trap: pthread_create gives the thread what it was given, and that is never nil.
            let shared = Unmanaged<AnyObject>.fromOpaque(context!).takeRetainedValue()
            // trap: it was retained as one when the thread was made.
            (shared as! any Runnable).run()
        }
        if error != 0 { context.release() }
        return error
    }

    func askToStop() {
        isStopping.store(true, ordering: .releasing)
        doorbell.ring()
    }

    func waitForEnd(_ longest: Nanoseconds) -> Bool {
        let end = SystemClock.now + longest
        while hasEnded.count == 0, SystemClock.now < end { hasEnded.wait(after: 0, until: end) }
        return hasEnded.count > 0
    }
}

/// A generic type has no address that C could call.
private protocol Runnable: AnyObject {
    func run()
}

extension Shared: Runnable {
    func run() {
        while true {
            let rings = doorbell.count
            let isLast = isStopping.load(ordering: .acquiring)
            while let order = orders.pop() {
                if !hasFailed.load(ordering: .relaxed) { attempt(order) }
                doneCount.add(1, ordering: .releasing)
            }
            // One at a time, so that no order waits for more than that.
            if let errand = errands.pop() {
                errand()
                continue
            }
            if isLast { break }
            doorbell.wait(after: rings, until: .distantFuture)
        }
        finish()
        hasEnded.ring()
    }

    private func attempt(_ order: Order) {
        do throws(DriverFault) {
            try perform(order)
        } catch {
            fault.withLock { $0 = error }
            hasFailed.store(true, ordering: .releasing)
        }
    }
}
