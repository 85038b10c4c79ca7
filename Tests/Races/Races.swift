// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import HapticCore
import HapticThreads
import Synchronization

/// What passes through the ring: the producer writes it before it pushes it, the consumer reads it and writes it after it has popped it.
final class Parcel: @unchecked Sendable {
    var number: Int
    init(_ number: Int) { self.number = number }
}

/// What two threads share, as an executor and its device's thread do.
final class Shared: Sendable {
    let ring = SPSCRing<Parcel>(capacity: 8)
    let doorbell = Doorbell()
    let hasEnded = Doorbell()
    let count: Int
    /// Without it the ring's own orderings are all that the two have.
    let usesDoorbell: Bool

    init(count: Int, usesDoorbell: Bool) {
        self.count = count
        self.usesDoorbell = usesDoorbell
    }

    /// Passes all parcels from this thread to another one.
    func run() {
        let error = clinux_start_thread("consumer", Unmanaged.passRetained(self).toOpaque()) { context in
            // trap: the thread is given what it was started with.
            Unmanaged<Shared>.fromOpaque(context!).takeRetainedValue().consume()
        }
        // trap: without a second thread there is nothing to judge.
        precondition(error == 0, "no thread could be started: \(String(cString: strerror(error)))")
        for number in 0..<count {
            let parcel = Parcel(number)
            while !ring.push(parcel) { sched_yield() }
            if usesDoorbell { doorbell.ring() }
        }
        while hasEnded.count == 0 { hasEnded.wait(after: 0, until: .distantFuture) }
        print("races: \(count) parcels in order, \(usesDoorbell ? "with a doorbell" : "by the ring alone")")
    }

    private func consume() {
        var expected = 0
        while expected < count {
            let rings = doorbell.count
            while let parcel = ring.pop() {
                // trap: it ends what was started to find that out.
                precondition(parcel.number == expected, "number \(parcel.number) came where \(expected) was due")
                parcel.number = -1
                expected += 1
            }
            if usesDoorbell, expected < count { doorbell.wait(after: rings, until: .distantFuture) } else { sched_yield() }
        }
        hasEnded.ring()
    }
}

/// Two threads, a ring and a doorbell, for the thread sanitizer (`make races`): it judges each access to memory by the orderings that
/// the source asks for, not by those that this processor keeps anyway.
@main
enum Races {
    static func main() {
        for usesDoorbell in [false, true] { Shared(count: 100_000, usesDoorbell: usesDoorbell).run() }
    }
}
