// SPDX-License-Identifier: MIT
private import CLinux
private import Glibc
private import Synchronization

/// Wakes a real-time thread on the processor of the thread that wakes it.
///
/// The kernel wakes a thread of SCHED_FIFO where it ran last. A processor that idles takes longer to come back than all the rest
/// of an event's way (docs/adr/0012). The waker's own processor is awake. So it confines the sleeper to that one before it rings.
/// The sleeper ends the confinement once it has done what was due.
///
/// For one thread that sleeps and one that wakes it. Part of what they share.
struct WakePlacement: ~Copyable {
    private static var none: Int32 { -1 }

    /// Whether anything is done at all.
    private let isOn = Atomic<Bool>(false)
    /// The number of the thread; 0 until it has begun.
    private let thread = Atomic<Int32>(0)
    /// The processor on which it sleeps or is about to; `none` while it is awake.
    private let sleepingCPU = Atomic<Int32>(-1)
    /// Whether the thread has been confined since its affinity was restored.
    private let isConfined = Atomic<Bool>(false)

    /// The processors that the thread may run on; its own.
    struct Affinity {
        fileprivate var cpus = clinux_cpus()
    }

    // MARK: The one that sleeps

    /// To be called before the first sleep. Where the thread may run now, it may run again after each confinement.
    borrowing func begin() -> Affinity {
        var affinity = Affinity()
        guard clinux_thread_get_cpus(0, &affinity.cpus) == 0 else { return affinity }
        clinux_widen_cpus(&affinity.cpus)
        thread.store(clinux_thread_number(), ordering: .releasing)
        return affinity
    }

    /// Ends a confinement. To be called once between two sleeps, after what was urgent.
    @_noLocks
    borrowing func restoreAffinity(_ affinity: borrowing Affinity) {
        guard isConfined.exchange(false, ordering: .acquiring) else { return }
        var cpus = affinity.cpus
        // One system call. What fails is tried again in the next turn.
        if _unsafePerformance({ clinux_thread_set_cpus(&cpus) }) != 0 { isConfined.store(true, ordering: .relaxed) }
    }

    @_noLocks
    borrowing func willSleep() { sleepingCPU.store(_unsafePerformance { clinux_thread_cpu() }, ordering: .relaxed) }

    @_noLocks
    borrowing func hasWoken() { sleepingCPU.store(Self.none, ordering: .relaxed) }

    // MARK: The one that wakes it

    /// To be called where the sleeper has real-time priority and nobody has chosen a processor for it. Without that priority the
    /// kernel looks for a free processor itself. No effect where the calling thread has real-time priority too: it would not make
    /// room for the sleeper.
    borrowing func turnOn() {
        if !clinux_thread_is_real_time() { isOn.store(true, ordering: .relaxed) }
    }

    /// To be called before the bell is rung. The sleeper's next turn ends the confinement.
    @_noLocks
    borrowing func willWake() {
        let (there, thread) = (sleepingCPU.load(ordering: .relaxed), thread.load(ordering: .acquiring))
        guard isOn.load(ordering: .relaxed), there != Self.none, thread != 0 else { return }
        let here = _unsafePerformance { clinux_thread_cpu() }
        guard here >= 0, here != there else { return }
        // One system call. Where the thread has just woken by itself, it waits until the thread has moved.
        switch _unsafePerformance({ clinux_thread_confine(thread, here) }) {
        case 0: isConfined.store(true, ordering: .releasing)
        // A filter of system calls forbids it.
        case EPERM, ENOSYS: isOn.store(false, ordering: .relaxed)
        default: break
        }
    }
}
