// SPDX-License-Identifier: MIT
public import HapticCore
private import HapticThreads

/// Actuations waiting for their time, by planned time and then in the order in which they were inserted.
///
/// Bounded, and allocates nothing after `init`. An actuation above 0 is taken only while there is room left for an off of every
/// actuator that would otherwise end on: so the off that ends an accepted vibration always fits, as long as each
/// actuator's actuations come in the order of their time. (Out of that order a refused off only joins two pulses; the last one still fits.)
public struct ActuationQueue: ~Copyable {
    // Not private, as `Prospect` below: an optimised build of the simulator names them when it destroys a queue, and the compiler
    // (6.3.1) stops at a name that is private to another module.
    @usableFromInline struct Entry {
        var actuation: Actuation
        var sequence: UInt64

        func precedes(_ other: Entry) -> Bool {
            actuation.planned < other.actuation.planned
                || actuation.planned == other.actuation.planned && sequence < other.sequence
        }
    }

    /// How an actuator ends up when everything here has been done.
    @usableFromInline struct Prospect {
        var queued = 0
        /// The planned time of its last entry.
        var last = MonotonicInstant.zero
        var endsOn = false
        /// What the last popped actuation left it at.
        var poppedOn = false
    }

    public let capacity: Int
    public private(set) var count = 0
    private var heap: FixedBuffer<Entry>
    private var prospects: FixedBuffer<Prospect>
    private var endingOn = 0
    private var nextSequence: UInt64 = 0

    /// Of `capacity`, up to one an actuator is kept for offs, so it is more than `actuatorCount`.
    public init(capacity: Int, actuatorCount: Int) {
        // trap: a constant of ours over the bound of actuators of a configuration.
        precondition(capacity > actuatorCount, "the queue needs room for an off of each actuator and one actuation more")
        self.capacity = capacity
        let filler = Actuation(planned: .zero, actuator: ActuatorIndex(0), playback: PlaybackID(0), level: .off)
        heap = FixedBuffer(repeating: Entry(actuation: filler, sequence: 0), count: capacity)
        prospects = FixedBuffer(repeating: Prospect(), count: actuatorCount)
    }

    /// When the first one is due; `.distantFuture` when there is none.
    public var nextDue: MonotonicInstant {
        @_noLocks get { count > 0 ? heap[0].actuation.planned : .distantFuture }
    }

    /// False where there is no room, or no such actuator; then nothing has changed. O(log count).
    @_noLocks
    public mutating func insert(_ actuation: Actuation) -> Bool {
        let index = actuation.actuator.value
        guard index >= 0, index < prospects.count else { return false }
        var prospect = prospects[index]
        let endedOn = prospect.endsOn
        if prospect.queued == 0 || actuation.planned >= prospect.last {
            prospect.last = actuation.planned
            prospect.endsOn = actuation.isOn
        }
        prospect.queued += 1
        let needed = endingOn + (prospect.endsOn ? 1 : 0) - (endedOn ? 1 : 0)
        guard count + 1 + needed <= capacity else { return false }
        prospects[index] = prospect
        endingOn = needed
        heap[count] = Entry(actuation: actuation, sequence: nextSequence)
        nextSequence += 1
        count += 1
        siftUp(count - 1)
        return true
    }

    /// The first one where it is due at `now`, removed. O(log count).
    @_noLocks
    public mutating func popDue(_ now: MonotonicInstant) -> Actuation? {
        guard nextDue <= now, count > 0 else { return nil }
        let first = heap[0].actuation
        count -= 1
        heap[0] = heap[count]
        siftDown(0)
        let index = first.actuator.value
        prospects[index].queued -= 1
        prospects[index].poppedOn = first.isOn
        return first
    }

    /// Whether anything waits for the actuator.
    @_noLocks
    public func holds(_ actuator: ActuatorIndex) -> Bool { prospects[actuator.value].queued > 0 }

    /// Whether anything for the actuator is due at `now`. O(1) where nothing is due at all, else O(count).
    @_noLocks
    public func holds(_ actuator: ActuatorIndex, dueAt now: MonotonicInstant) -> Bool {
        guard nextDue <= now, holds(actuator) else { return false }
        for index in 0..<count where heap[index].actuation.actuator == actuator && heap[index].actuation.planned <= now {
            return true
        }
        return false
    }

    /// Drops what `playback` still has to do on `actuator` at or after `from`. O(count).
    @_noLocks
    public mutating func revoke(_ playback: PlaybackID, _ actuator: ActuatorIndex, from: MonotonicInstant) {
        guard actuator.value >= 0, actuator.value < prospects.count else { return }
        var kept = 0
        var last: Entry?
        var queued = 0
        for index in 0..<count {
            let entry = heap[index]
            let isOfActuator = entry.actuation.actuator == actuator
            if isOfActuator, entry.actuation.playback == playback, entry.actuation.planned >= from { continue }
            if isOfActuator {
                queued += 1
                if last.map({ $0.precedes(entry) }) ?? true { last = entry }
            }
            heap[kept] = entry
            kept += 1
        }
        guard kept < count else { return }
        count = kept
        for index in stride(from: count / 2 - 1, through: 0, by: -1) { siftDown(index) }
        prospects[actuator.value].queued = queued
        prospects[actuator.value].last = last?.actuation.planned ?? .zero
        setEnd(of: actuator.value, isOn: last?.actuation.isOn ?? prospects[actuator.value].poppedOn)
    }

    /// Drops everything; all actuators count as off. O(actuators).
    @_noLocks
    public mutating func removeAll() {
        count = 0
        endingOn = 0
        for index in 0..<prospects.count { prospects[index] = Prospect() }
    }

    private mutating func setEnd(of index: Int, isOn: Bool) {
        guard prospects[index].endsOn != isOn else { return }
        prospects[index].endsOn = isOn
        endingOn += isOn ? 1 : -1
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].precedes(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var first = parent
            let (left, right) = (2 * parent + 1, 2 * parent + 2)
            if left < count, heap[left].precedes(heap[first]) { first = left }
            if right < count, heap[right].precedes(heap[first]) { first = right }
            guard first != parent else { return }
            heap.swapAt(parent, first)
            parent = first
        }
    }
}
