// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import HapticPlanning

/// The rest of a playback on an actuator that another playback has for a time.
struct Interruption {
    let playback: PlaybackID
    let actuator: ActuatorIndex
    let priority: Int
    /// Why it is not felt there, and how it will have ended if it never is again.
    let reason: Reason
    private(set) var remainder: CourseRemainder
    /// When nothing more of that is felt; kept, because it is asked for far more often than it changes.
    private(set) var end: MonotonicInstant

    init(_ playback: Playback, on actuator: ActuatorIndex, _ remainder: CourseRemainder, _ reason: Reason) {
        (self.playback, self.actuator, priority) = (playback.id, actuator, playback.priority)
        (self.reason, self.remainder, end) = (reason, remainder, remainder.end)
    }

    /// On a tie the newer is more important.
    fileprivate func isMoreImportant(than other: Interruption) -> Bool {
        guard priority == other.priority else { return priority > other.priority }
        return Canary.is("resume-oldest-first") ? playback < other.playback : playback > other.playback
    }

    fileprivate mutating func shorten(past until: Pattern.Phase.Until, through number: Int, at now: MonotonicInstant) {
        remainder.shorten(past: until, through: number, at: now)
        end = remainder.end
    }
}

/// The waiting playbacks of each actuator.
///
/// It is bounded, so whoever waits costs others neither time nor memory, and no user can fill the daemon with what waits.
struct WaitingTable {
    /// For one actuator.
    static let mostPerActuator = 8

    private(set) var count = 0
    /// By actuator, the most important first.
    private var lists: [[Interruption]]

    init(actuators: Int) { lists = Array(repeating: [], count: actuators) }

    /// Those that wait for the actuator, the most important first.
    subscript(index: ActuatorIndex) -> [Interruption] { lists[index.value] }

    func interruption(of id: PlaybackID, on index: ActuatorIndex) -> Interruption? {
        place(of: id, on: index).map { lists[index.value][$0] }
    }

    /// By index: an interruption is large, and nothing of it but its playback is needed.
    private func place(of id: PlaybackID, on index: ActuatorIndex) -> Int? {
        for place in lists[index.value].indices where lists[index.value][place].playback == id { return place }
        return nil
    }

    /// Returns the interruption that no longer fits, possibly the new one.
    mutating func add(_ interruption: Interruption) -> Interruption? {
        let index = interruption.actuator.value
        let place = lists[index].firstIndex { interruption.isMoreImportant(than: $0) } ?? lists[index].count
        lists[index].insert(interruption, at: place)
        guard lists[index].count > Self.mostPerActuator else {
            count += 1
            return nil
        }
        return lists[index].removeLast()
    }

    mutating func remove(_ id: PlaybackID, from index: ActuatorIndex) {
        guard let place = place(of: id, on: index) else { return }
        lists[index.value].remove(at: place)
        count -= 1
    }

    /// The number of the open phase that ends with what it lasts `until`, of what is left of the playback on the actuator.
    func phase(
        of id: PlaybackID, on index: ActuatorIndex, endedBy until: Pattern.Phase.Until, at now: MonotonicInstant
    ) -> Int? {
        place(of: id, on: index).flatMap { lists[index.value][$0].remainder.phase(endedBy: until, at: now) }
    }

    /// Ends these phases of what is left.
    mutating func shorten(
        _ id: PlaybackID, on index: ActuatorIndex, past until: Pattern.Phase.Until, through number: Int, at now: MonotonicInstant
    ) {
        guard let place = place(of: id, on: index) else { return }
        lists[index.value][place].shorten(past: until, through: number, at: now)
    }

    /// When the next of them will be over; `distantFuture` if none waits.
    var nextEnd: MonotonicInstant {
        guard count > 0 else { return .distantFuture }
        var next = MonotonicInstant.distantFuture
        for index in lists.indices {
            for place in lists[index].indices { next = min(next, lists[index][place].end) }
        }
        return next
    }

    /// Those that would be over by `now`: by playback, and of one playback in the order of their ends.
    func ended(by now: MonotonicInstant) -> [Interruption] {
        guard nextEnd <= now else { return [] }
        return lists.flatMap { $0.filter { $0.end <= now } }.sorted {
            $0.playback == $1.playback ? ($0.end, $0.actuator) < ($1.end, $1.actuator) : $0.playback < $1.playback
        }
    }
}
