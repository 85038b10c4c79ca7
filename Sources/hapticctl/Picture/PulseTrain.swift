// SPDX-License-Identifier: MIT
import HapticCore

/// What one actuator did, as pulses: maximal runs of actuations that drive it.
struct PulseTrain: Hashable, Sendable {
    /// A stretch on, at one intensity.
    struct Stretch: Hashable, Sendable {
        var start: Nanoseconds
        var end: Nanoseconds
        /// As meant; 0 where a pulse is lengthened, or braked.
        var intensity: Double
    }

    let actuator: String
    private(set) var stretches: [Stretch] = []
    /// When each pulse begins.
    private(set) var starts: [Nanoseconds] = []
    private(set) var timeOn = Nanoseconds.zero
    private var isOn = false

    init(actuator: String) { self.actuator = actuator }

    /// The end of the last pulse.
    var end: Nanoseconds { stretches.last?.end ?? .zero }

    /// From `time` on the actuator is at `intensity`, and driven with `drive`; times do not descend.
    mutating func add(_ intensity: Double, drive: Double, at time: Nanoseconds) {
        close(at: time)
        if drive != 0 {
            if !isOn { starts.append(time) }
            stretches.append(Stretch(start: time, end: time, intensity: intensity))
        }
        isOn = drive != 0
    }

    /// What is still on goes on until `time`.
    mutating func close(at time: Nanoseconds) {
        guard isOn else { return }
        timeOn += time - stretches[stretches.count - 1].end
        stretches[stretches.count - 1].end = time
    }
}

/// What was felt, actuator by actuator, from `origin` on. Bounded: what does not fit is counted.
struct FeltRecord: Sendable {
    static let mostActuations = 200_000

    private(set) var trains: [PulseTrain] = []
    private(set) var dropped = 0
    private var count = 0
    private var origin: MonotonicInstant?
    private var last = MonotonicInstant.zero

    /// `origin`: what the times count from; nil: the first of what comes.
    init(origin: MonotonicInstant? = nil) { self.origin = origin }

    /// Of the actuator that had the most.
    var mostPulses: Int { trains.reduce(0) { max($0, $1.starts.count) } }

    /// Time begins here, if it has not yet.
    mutating func begin(at instant: MonotonicInstant) { origin = origin ?? instant }

    mutating func add(actuator: String, intensity: Double, drive: Double, at instant: MonotonicInstant) {
        guard count < Self.mostActuations else {
            dropped += 1
            return
        }
        count += 1
        begin(at: instant)
        last = max(last, instant)
        // Whoever reports it may be wrong about the time: it does not go back.
        // trap: `begin` has just set it.
        let time = max(.zero, last - origin!)
        if let index = trains.firstIndex(where: { $0.actuator == actuator }) {
            trains[index].add(intensity, drive: drive, at: time)
        } else {
            var train = PulseTrain(actuator: actuator)
            train.add(intensity, drive: drive, at: time)
            trains.append(train)
        }
    }

    /// All of it, with whatever is still on closed at the last instant that was reported.
    var closed: [PulseTrain] {
        guard let origin else { return [] }
        return trains.map { train in
            var train = train
            train.close(at: max(.zero, last - origin))
            return train
        }
    }
}
