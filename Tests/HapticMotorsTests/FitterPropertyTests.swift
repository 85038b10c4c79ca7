// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import TestSupport
import Testing

/// What holds for every motor, every driver and whatever is intended.
@Suite("Properties of fitted patterns")
struct FitterPropertyTests {
    private static let abilities = [
        ActuatorCapabilities.onOff, .full, ActuatorCapabilities.full.with(mostDrive: Drive(clamping: 1.2)),
        ActuatorCapabilities(variesIntensity: true, variesSharpness: true, mostDrive: Drive(clamping: 1.5), reverses: true),
        ActuatorCapabilities(variesIntensity: false, variesSharpness: false, reverses: true),
        ActuatorCapabilities(variesIntensity: true, variesSharpness: true, shapesItself: true),
    ]

    /// Those of the library, and the same with an overdrive and a brake.
    private static let models = MotorLibrary.motors.flatMap { motor in
        var more = motor.model
        more.overdrive = .init(level: Drive(clamping: 1.3), time: min(.milliseconds(40), motor.model.rise * 2))
        more.brake = true
        return [motor.model, more]
    }

    private static func frame(_ offset: Nanoseconds, _ intensity: Double) -> Timeline.Frame {
        Timeline.Frame(offset: offset, level: Level(intensity: Intensity(clamping: intensity), sharpness: .zero))
    }

    /// Pulses, glides and gaps of any length, from 100 µs on; it ends with an off.
    private static func frames(using random: inout SplitMix64) -> [Timeline.Frame] {
        var (frames, offset, last) = ([Timeline.Frame](), Nanoseconds.zero, 0.0)
        func add(_ intensity: Double, for time: Nanoseconds) {
            if intensity != last { frames.append(frame(offset, intensity)) }
            (last, offset) = (intensity, offset + time)
        }
        for _ in 0..<12 {
            let longest: Int64 = Bool.random(using: &random) ? 20_000 : 300_000
            let time = Nanoseconds.microseconds(.random(in: 100...longest, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: add(.random(in: 0.01...1, using: &random), for: time)
            case 1: add(0, for: time)
            case 2:
                let goal = Double.random(in: 0...1, using: &random)
                for step in 1...20 { add(last + (goal - last) * Double(step) / 20, for: .milliseconds(5)) }
            default:
                add(.random(in: 0.01...1, using: &random), for: time)
                add(0, for: time)
            }
        }
        add(0, for: .zero)
        return frames
    }

    /// Every motor with every driver, and so many times whatever may be intended.
    private static func forEach(
        _ times: Int, _ body: (MotorModel, ActuatorCapabilities, [Timeline.Frame], [DriveChange]) throws -> Void
    ) throws {
        var random = SplitMix64(seed: 16)
        for model in models {
            for ability in abilities {
                let fitter = try #require(Fitter(model, ability))
                for _ in 0..<times {
                    let frames = frames(using: &random)
                    try body(model, ability, frames, fitter.drives(for: frames))
                }
            }
        }
    }

    @Test("The drive stays within the range of the driver and of the motor")
    func range() throws {
        try Self.forEach(6) { model, abilities, _, drives in
            let most = abilities.variesIntensity ? min(abilities.mostDrive, model.overdrive?.level ?? Drive(.one)) : Drive(.one)
            let least = abilities.reverses && model.brake ? Drive(clamping: -1) : .zero
            for change in drives {
                #expect(change.drive >= least)
                #expect(change.drive <= max(most, Drive(.one)))
                #expect(abilities.variesIntensity || [-1, 0, 1].contains(change.drive.value))
            }
        }
    }

    @Test("No overdrive lasts longer than the motor stands")
    func overdrive() throws {
        try Self.forEach(6) { model, _, _, drives in
            guard let overdrive = model.overdrive else { return }
            var since: Nanoseconds?
            for change in drives {
                if let since { #expect(change.at - since <= overdrive.time + Nanoseconds(1)) }
                since = change.drive > Drive(.one) ? since ?? change.at : nil
            }
            #expect(since == nil)
        }
    }

    @Test("Every on has its off, soon after the last frame")
    func off() throws {
        try Self.forEach(6) { model, _, frames, drives in
            guard let end = frames.last?.offset, let last = drives.last else { return }
            let longest = max(.milliseconds(70), model.minPulse) + model.fall
            #expect(last.drive == .zero)
            #expect(last.at <= end + longest)
        }
    }

    @Test("The instants ascend, and no change repeats the one before")
    func ascending() throws {
        try Self.forEach(6) { _, _, frames, drives in
            #expect(zip(drives, drives.dropFirst()).allSatisfy { $0.at <= $1.at })
            #expect(zip(drives, drives.dropFirst()).allSatisfy { $0.drive != $1.drive })
            // A few of its own for each frame at most: the work is bounded.
            #expect(drives.count <= 4 * frames.count)
        }
    }

    @Test("No pulse is left out")
    func complete() throws {
        try Self.forEach(6) { _, abilities, frames, drives in
            let least = abilities.variesIntensity || abilities.shapesItself ? 0.0 : ActuatorCapabilities.onOffThreshold
            func rises(_ values: [Bool]) -> Int { zip([false] + values, values).count { !$0 && $1 } }
            let intended = rises(frames.map { $0.level.intensity.value > 0 && $0.level.intensity.value >= least })
            let sent = rises(drives.map { $0.drive > .zero })
            // Where they follow each other so fast that the first is still being lengthened, there is no off between them.
            let gaps = zip(frames, frames.dropFirst()).filter {
                !$0.level.isOn && $1.level.isOn && $1.offset - $0.offset < .milliseconds(1)
            }
            #expect(sent >= intended - gaps.count)
        }
    }

    @Test("An ideal motor is driven as intended, when it is intended", arguments: [MotorModel.Kind.erm, .lra])
    func ideal(kind: MotorModel.Kind) throws {
        let ideal = MotorModel(kind: kind, rise: Nanoseconds(1), fall: Nanoseconds(1))
        let fitter = try #require(Fitter(ideal, .full))
        var random = SplitMix64(seed: 4)
        for _ in 0..<200 {
            let frames = Self.frames(using: &random)
            let drives = fitter.drives(for: frames)
            #expect(drives.map(\.at) == frames.map(\.offset))
            for (drive, frame) in zip(drives, frames) {
                let intensity = frame.level.intensity.value
                #expect(drive.drive.value == (kind == .erm ? intensity.squareRoot() : intensity))
            }
        }
    }

    @Test("A driver that shapes by itself gets the intensities unchanged")
    func shapesItself() throws {
        var random = SplitMix64(seed: 5)
        for model in Self.models {
            let fitter = try #require(
                Fitter(
                    model,
                    ActuatorCapabilities(
                        variesIntensity: true, variesSharpness: true, mostDrive: Drive(clamping: 1.5), reverses: true,
                        shapesItself: true)))
            let frames = Self.frames(using: &random)
            #expect(fitter.drives(for: frames) == frames.map { DriveChange(at: $0.offset, drive: Drive($0.level.intensity)) })
        }
    }

    @Test("An on/off motor goes on and off with the pattern, except for impacts and gaps that are too short")
    func onOff() throws {
        let impact = Nanoseconds.milliseconds(60)
        var (whole, lengthened) = (0, 0)
        try Self.forEach(6) { model, abilities, frames, drives in
            guard !abilities.variesIntensity, !abilities.reverses else { return }
            let least = ActuatorCapabilities.onOffThreshold
            let intended = Self.stretches(frames.map { ($0.offset, $0.level.intensity.value >= least) })
            // What is subtle counts as the next one, though the motor is silent then.
            let levels = frames.filter { $0.level.isOn }.map(\.offset)
            let gaps = intended.map { pulse in
                levels.first { $0 >= pulse.upperBound }.map { $0 - pulse.upperBound } ?? .seconds(1)
            }
            // What is so near is still being lengthened.
            guard zip(intended, intended.dropFirst()).allSatisfy({ $1.lowerBound - $0.upperBound > .milliseconds(1) }) else {
                return
            }
            let sent = Self.stretches(drives.map { ($0.at, $0.drive.isOn) })
            #expect(sent.map(\.lowerBound) == intended.map(\.lowerBound))
            for ((sent, meant), gap) in zip(zip(sent, intended), gaps) {
                let (length, own) = (sent.upperBound - sent.lowerBound, meant.upperBound - meant.lowerBound)
                #expect(length <= max(own, own > impact ? .zero : max(.milliseconds(70), model.minPulse)))
                guard gap > model.fall else { continue }
                #expect(length >= own)
                if own > impact { whole += 1 } else if length > own { lengthened += 1 }
            }
        }
        #expect(whole > 10)
        #expect(lengthened > 10)
    }

    /// From each on to the off that follows it.
    private static func stretches(_ changes: [(at: Nanoseconds, isOn: Bool)]) -> [Range<Nanoseconds>] {
        var (stretches, start) = ([Range<Nanoseconds>](), Nanoseconds?.none)
        for change in changes {
            if change.isOn {
                start = start ?? change.at
            } else if let begun = start {
                stretches.append(begun..<change.at)
                start = nil
            }
        }
        return stretches
    }

    /// On and off in ms, on the motors of the library as they are.
    @Test("No train has fewer pulses than without fitting", arguments: MotorLibrary.motors)
    func trains(motor: NamedMotor) throws {
        let fitter = try #require(Fitter(motor.model, .full))
        for on in [5, 8, 20, 50, 120] as [Int64] {
            for off in [10, 15, 25, 40, 90] as [Int64] {
                let pulses = (0..<6 as Range<Int64>).flatMap { index in
                    let start = Nanoseconds.milliseconds(index * (on + off))
                    return [Self.frame(start, 0.8), Self.frame(start + .milliseconds(on), 0)]
                }
                let length = Nanoseconds.milliseconds(6 * (on + off) + 250)
                let plain = pulses.map { DriveChange(at: $0.offset, drive: Drive($0.level.intensity)) }
                let fitted = SampledEnvelope(motor.model, driven: fitter.drives(for: pulses), length: length)
                let unfitted = SampledEnvelope(motor.model, driven: plain, length: length)
                #expect(
                    TrainMeasure.pulsesApart(fitted) >= TrainMeasure.pulsesApart(unfitted), "\(on) ms on, \(off) ms off")
            }
        }
    }

    @Test("A stop leaves nothing of the plan except the motion")
    func stop() throws {
        var random = SplitMix64(seed: 9)
        for model in Self.models {
            for ability in Self.abilities {
                let atRest = try #require(Fitter(model, ability))
                for _ in 0..<6 {
                    let frames = Self.frames(using: &random).map {
                        Fitter.Frame(at: .zero + $0.offset, intensity: $0.level.intensity)
                    }
                    // What the motor got is all that the other one knows.
                    var (fitter, other, drive) = (atRest, atRest, Drive.zero)
                    var overdrive = OverdriveBudget(model.overdrive?.time)
                    func note(_ new: Drive?, at now: MonotonicInstant) {
                        if let new {
                            drive = new
                            fitter.follow(drive, at: now)
                            overdrive.follow(drive, at: now)
                        }
                        other.follow(drive, at: now)
                    }
                    let count = Int.random(in: 1...frames.count, using: &random)
                    for index in 0..<count {
                        let (now, rest) = (frames[index].at, frames[(index + 1)...])
                        while case let own = fitter.nextEvent, own < now {
                            note(fitter.elapse(at: own, overdriveLeft: overdrive.left(at: own)), at: own)
                        }
                        note(
                            fitter.intend(
                                frames[index].intensity, next: rest.first, afterNext: rest.dropFirst().first, at: now,
                                overdriveLeft: overdrive.left(at: now)),
                            at: now)
                    }
                    let end = frames[count - 1].at + .milliseconds(2)
                    while case let own = fitter.nextEvent, own < end {
                        note(fitter.elapse(at: own, overdriveLeft: overdrive.left(at: own)), at: own)
                    }
                    fitter.stop(at: end)
                    note(.zero, at: end)
                    #expect(fitter == other)
                }
            }
        }
    }
}
