// SPDX-License-Identifier: MIT
public import HapticCore

/// A change of what a motor is sent.
public struct DriveChange: Hashable, Sendable {
    /// From the start.
    public var at: Nanoseconds
    public var drive: Drive

    public init(at: Nanoseconds, drive: Drive) {
        self.at = at
        self.drive = drive
    }
}

/// An envelope, which is acceleration over time: a sample for each millisecond from 0; 1 is that at rated drive.
public struct SampledEnvelope: Hashable, Sendable {
    public static let interval = Nanoseconds.milliseconds(1)
    /// What is felt follows what moves with about this delay of attention: gaps of 5 to 10 ms are the shortest that people notice.
    public static let smoothing = 10

    public let samples: [Double]

    public init(samples: [Double]) { self.samples = samples }

    /// What `frames` intend, for `length`: each holds until the next.
    public init(intended frames: [Timeline.Frame], length: Nanoseconds) {
        self.init(of: frames, length: length, at: \.offset, start: 0.0) {
            $0 = $1.level.intensity.value
        } sample: { value, _ in
            value
        }
    }

    /// What `model` makes of `changes`, for `length`, from rest.
    public init(_ model: MotorModel, driven changes: [DriveChange], length: Nanoseconds) {
        var motion = MotorMotion(model)
        var last = DriveChange(at: .zero, drive: .zero)
        self.init(of: changes, length: length, at: \.at, start: last) { state, change in
            motion.advance(by: change.at - last.at, at: last.drive)
            (last, state) = (change, change)
        } sample: { _, time in
            motion.advance(by: time - last.at, at: last.drive)
            last.at = time
            return motion.acceleration
        }
    }

    /// Goes through `items` and the samples in order of time; what happens at the instant of a sample counts in it.
    private init<Item, State>(
        of items: [Item], length: Nanoseconds, at time: KeyPath<Item, Nanoseconds>, start: State,
        apply: (inout State, Item) -> Void, sample: (State, Nanoseconds) -> Double
    ) {
        let count = Int(max(.zero, min(length, Timeline.longest)).count / Self.interval.count)
        var (state, index, samples) = (start, 0, [Double]())
        samples.reserveCapacity(count)
        for number in 0..<count {
            let now = Self.interval * number
            while index < items.count, items[index][keyPath: time] <= now {
                apply(&state, items[index])
                index += 1
            }
            samples.append(sample(state, now))
        }
        self.samples = samples
    }

    /// The mean of the `smoothing` milliseconds around each sample, which does not shift it in time; silence before and after.
    public var smoothed: SampledEnvelope {
        let half = Self.smoothing / 2
        var sums = [0.0]
        for sample in samples { sums.append(sums[sums.count - 1] + sample) }
        func sample(_ index: Int) -> Double { samples.indices.contains(index) ? samples[index] : 0 }
        return SampledEnvelope(
            samples: samples.indices.map { index in
                let inner = sums[min(samples.count, index + half)] - sums[max(0, index - half + 1)]
                return (inner + (sample(index - half) + sample(index + half)) / 2) / Double(2 * half)
            })
    }

    public var peak: Double { samples.max() ?? 0 }

    /// When the peak is reached, to a hundredth of it: a level comes nearer and nearer for as long as it lasts.
    public var peakTime: Nanoseconds {
        let nearly = peak * 0.99
        return Self.interval * (samples.firstIndex { $0 >= nearly } ?? 0)
    }
}

extension Fitter {
    /// What it sends for the whole of `frames`, without limits but that of the overdrive, from where it is; the first frame is at 0.
    public func drives(for frames: [Timeline.Frame]) -> [DriveChange] {
        var fitter = self
        var overdrive = OverdriveBudget(model.overdrive?.time)
        var changes: [DriveChange] = []
        func send(_ drive: Drive?, at now: MonotonicInstant) {
            guard let drive else { return }
            changes.append(DriveChange(at: now - .zero, drive: drive))
            fitter.follow(drive, at: now)
            overdrive.follow(drive, at: now)
        }
        func elapse(at now: MonotonicInstant) { send(fitter.elapse(at: now, overdriveLeft: overdrive.left(at: now)), at: now) }
        func frame(_ index: Int) -> Frame? {
            guard index < frames.count else { return nil }
            return Frame(at: .zero + frames[index].offset, intensity: frames[index].level.intensity)
        }
        for (index, now) in frames.enumerated() {
            let instant = MonotonicInstant.zero + now.offset
            while case let own = fitter.nextEvent, own < instant { elapse(at: own) }
            let drive = fitter.intend(
                now.level.intensity, next: frame(index + 1), afterNext: frame(index + 2), at: instant,
                overdriveLeft: overdrive.left(at: instant))
            send(drive, at: instant)
        }
        while case let own = fitter.nextEvent, own < .distantFuture { elapse(at: own) }
        return changes
    }
}
