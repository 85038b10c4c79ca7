// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc
private import Synchronization

/// Has a real-time thread that sleeps woken on the processor of whoever wakes it, which is awake, and not where it ran last, which may not be.
///
/// The kernel wakes a thread of SCHED_FIFO where it ran last. If that processor idles, it takes an interrupt and the way out of its idle state, longer
/// than all the rest of an event's way (docs/adr/0012). So the waker confines the thread to its own processor before it rings, and once the
/// thread is awake and has done what was due it may run where it might before: a later load balance, or a deadline of its own, is not bound by it.
///
/// For one thread that sleeps and one that wakes it. Lives inside of what they share.
struct WakePlacement: ~Copyable {
    private static var none: Int32 { -1 }

    /// Whether anything is done at all.
    private let isOn = Atomic<Bool>(false)
    /// The number of the thread; 0 until it has begun.
    private let thread = Atomic<Int32>(0)
    /// The processor on which it sleeps or is about to; `none` while it is awake.
    private let sleepsOn = Atomic<Int32>(-1)
    /// Whether the thread has been confined since it last was let go.
    private let isConfined = Atomic<Bool>(false)

    /// Where the thread may run; its own.
    struct Home {
        fileprivate var cpus = clinux_cpus()
    }

    // MARK: The one that sleeps

    /// Before its first sleep. Where it may run now is where it may run after each confinement.
    borrowing func begin() -> Home {
        var home = Home()
        guard clinux_thread_get_cpus(0, &home.cpus) == 0 else { return home }
        clinux_widen_cpus(&home.cpus)
        thread.store(clinux_thread_number(), ordering: .releasing)
        return home
    }

    /// Ends a confinement. Once in each turn between two sleeps, after what was urgent.
    @_noLocks
    borrowing func letGo(_ home: borrowing Home) {
        guard isConfined.exchange(false, ordering: .acquiring) else { return }
        var cpus = home.cpus
        // One system call. What fails is tried again in the next turn.
        if _unsafePerformance({ clinux_thread_set_cpus(&cpus) }) != 0 { isConfined.store(true, ordering: .relaxed) }
    }

    @_noLocks
    borrowing func willSleep() { sleepsOn.store(_unsafePerformance { clinux_thread_cpu() }, ordering: .relaxed) }

    @_noLocks
    borrowing func hasWoken() { sleepsOn.store(Self.none, ordering: .relaxed) }

    // MARK: The one that wakes it

    /// The thread has real-time priority, and nobody has chosen a processor for it. Below that priority the kernel finds one that is free, and may prefer to let
    /// the waker go on; no effect where the calling thread, or who inherits from it, has such a priority too, for then it would not make room.
    borrowing func turnOn() {
        if !clinux_thread_is_real_time() { isOn.store(true, ordering: .relaxed) }
    }

    /// Before the bell is rung: a turn, which ends the confinement, follows, unless the thread is being stopped.
    @_noLocks
    borrowing func willWake() {
        let (there, thread) = (sleepsOn.load(ordering: .relaxed), thread.load(ordering: .acquiring))
        guard isOn.load(ordering: .relaxed), there != Self.none, thread != 0 else { return }
        let here = _unsafePerformance { clinux_thread_cpu() }
        guard here >= 0, here != there else { return }
        // One system call; it waits for the thread to be moved where that has just woken by itself.
        switch _unsafePerformance({ clinux_thread_confine(thread, here) }) {
        case 0: isConfined.store(true, ordering: .releasing)
        // Not allowed here, by a filter of system calls: it is not asked for again.
        case EPERM, ENOSYS: isOn.store(false, ordering: .relaxed)
        default: break
        }
    }
}
