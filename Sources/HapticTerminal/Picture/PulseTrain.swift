// SPDX-License-Identifier: MIT
package import HapticCore
package import HapticMotors

/// What one actuator did, as pulses: maximal runs of actuations that drive it.
struct PulseTrain: Hashable, Sendable {
    /// A stretch on, with one drive.
    struct Stretch: Hashable, Sendable {
        var start: Nanoseconds
        var end: Nanoseconds
        /// As meant when it began; 0 where a pulse is lengthened, or braked.
        var intensity: Double
        var drive: Double
    }

    /// A part of the time, in which the strength goes straight from `first` to `last`.
    struct Part: Hashable, Sendable {
        var start: Nanoseconds
        var end: Nanoseconds
        var first: Double
        var last: Double
    }

    let actuator: String
    /// How its motor moves; `nil` if that is not known.
    var motor: MotorModel?
    private(set) var stretches: [Stretch] = []
    /// When each pulse begins.
    private(set) var starts: [Nanoseconds] = []
    private(set) var timeOn = Nanoseconds.zero
    private var isOn = false

    init(actuator: String, motor: MotorModel? = nil) { (self.actuator, self.motor) = (actuator, motor) }

    /// The end of the last pulse.
    var end: Nanoseconds { stretches.last?.end ?? .zero }

    /// From `time` on the actuator is at `intensity`, and driven with `drive`; times do not descend.
    mutating func add(_ intensity: Double, drive: Double, at time: Nanoseconds) {
        close(at: time)
        if drive != 0 {
            if !isOn { starts.append(time) }
            stretches.append(Stretch(start: time, end: time, intensity: intensity, drive: drive))
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

// MARK: What is felt of it

extension PulseTrain {
    /// The motor has run down by then, as far as anybody feels it.
    var feltEnd: Nanoseconds {
        // No motor takes longer than `MotorModel.longestTime`; a daemon may report any time.
        guard let motor, end < Nanoseconds(.max / 2) else { return end }
        return end + min(motor.fall, MotorModel.longestTime) * 2
    }

    /// Whether the drives say more than the strengths that are drawn.
    var showsDrive: Bool { motor != nil || stretches.contains { $0.drive != $0.intensity } }

    /// Calls `body` with the parts of the time until `end` in which it is felt, in order: by the model of its motor, otherwise as it
    /// is meant.
    func forEachFeltPart(until end: Nanoseconds, _ body: (Part) -> Void) {
        guard let motor, var motion = DrivenMotion(motor) else {
            for stretch in stretches {
                body(Part(start: stretch.start, end: stretch.end, first: stretch.intensity, last: stretch.intensity))
            }
            return
        }
        // Fine as long as it gains or loses speed. Then it is steady, or at rest.
        let settling = (motor.rise + motor.fall) * 2
        let fine = max(SampledEnvelope.interval, min(motor.rise, motor.fall) / 16, settling / Self.mostFineParts)
        let changes = changes
        for (index, change) in changes.enumerated() {
            motion.follow(Drive(clamping: change.drive), at: .zero + change.at)
            let next = index + 1 < changes.count ? changes[index + 1].at : max(end, change.at)
            var now = change.at
            while now < next {
                let isFine = now - change.at < settling && next - now > fine
                let (start, first) = (now, motion.acceleration)
                now = isFine ? now + fine : next
                motion.advance(to: .zero + now)
                if max(first, motion.acceleration) >= Self.leastFelt {
                    body(Part(start: start, end: now, first: first, last: motion.acceleration))
                }
            }
        }
    }

    /// The greatest strength that is felt.
    var peak: Double {
        var peak = 0.0
        forEachFeltPart(until: feltEnd) { peak = max(peak, $0.first, $0.last) }
        return peak
    }

    /// Less is drawn as nothing.
    private static let leastFelt = 0.001
    /// The most fine parts after a change of the drive. The times of a motor come from a daemon and may differ by any factor.
    private static let mostFineParts = 256

    /// The changes of the drive, offs included.
    private var changes: [(at: Nanoseconds, drive: Double)] {
        var changes: [(at: Nanoseconds, drive: Double)] = []
        for stretch in stretches {
            // One drive has replaced another one, without an off.
            if changes.last?.at == stretch.start { changes.removeLast() }
            changes.append((stretch.start, stretch.drive))
            changes.append((stretch.end, 0))
        }
        return changes
    }
}

/// What was felt, actuator by actuator, from `origin` on. Bounded: what does not fit is counted.
package struct FeltRecord: Sendable {
    static let mostActuations = 200_000

    /// How the motors move, by the names of their actuators, as far as that is known.
    package var motors: [Text: MotorModel] = [:]
    private(set) var trains: [PulseTrain] = []
    package private(set) var dropped = 0
    private var count = 0
    private var origin: MonotonicInstant?
    private var last = MonotonicInstant.zero

    /// `origin`: what the times count from; nil: the first of what comes.
    package init(origin: MonotonicInstant? = nil) { self.origin = origin }

    /// Of the actuator that had the most.
    package var mostPulses: Int { trains.reduce(0) { max($0, $1.starts.count) } }

    /// Time begins here, if it has not yet.
    mutating func begin(at instant: MonotonicInstant) { origin = origin ?? instant }

    package mutating func add(actuator: String, intensity: Double, drive: Double, at instant: MonotonicInstant) {
        guard count < Self.mostActuations else {
            dropped += 1
            return
        }
        count += 1
        begin(at: instant)
        // A daemon may report any number.
        let (intensity, drive) = (Intensity(clamping: intensity).value, Drive(clamping: drive).value)
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
            train.motor = motors[Text(train.actuator)]
            return train
        }
    }
}
