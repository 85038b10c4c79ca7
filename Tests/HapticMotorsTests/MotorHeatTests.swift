// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("The heat of a motor")
struct MotorHeatTests {
    private static func share(_ value: Double) -> Share { Share(clamping: value) }

    private static let small = ThermalModel(
        winding: .milliseconds(500), housing: .seconds(5), continuous: share(0.5), soft: share(0.75), floor: share(0.4))

    /// The same by floating numbers and in closed form: of what the rated drive comes to in the end.
    private struct Reference {
        var model: ThermalModel
        var winding = 0.0
        var housing = 0.0

        mutating func pass(_ time: Nanoseconds, at drive: Double) {
            func approach(_ end: Double, _ start: Double, _ tau: Nanoseconds) -> Double {
                end + (start - end) * exp(-time.inSeconds / tau.inSeconds)
            }
            winding = approach(0.25 * drive * drive, winding, model.winding)
            housing = approach(0.75 * drive * drive, housing, model.housing)
        }

        var share: Double { (winding + housing) / (model.continuous.value * model.continuous.value) }
    }

    private static func drive(_ value: Double) -> Drive { Drive(clamping: value) }

    @Test(
        "The square of the drive heats up two parts, whatever the steps of time",
        arguments: [1, 2, 3] as [UInt64])
    func reference(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for model in [Self.small, .standard(.erm), .standard(.lra)] {
            var (heat, reference) = (MotorHeat(model), Reference(model: model))
            var (now, drive) = (MonotonicInstant.zero, 0.0)
            for _ in 0..<2000 {
                let longest: Int64 = [1000, 5_000_000, 400_000_000, 90_000_000_000].randomElement(using: &random)!
                let time = Nanoseconds(Int64.random(in: 1...longest, using: &random))
                now = now + time
                reference.pass(time, at: drive)
                drive = Bool.random(using: &random) ? 0 : Double.random(in: -1...1.5, using: &random)
                heat.follow(Self.drive(drive), at: now)
                #expect(
                    abs(heat.share - reference.share) < 0.002 * max(1, reference.share), "\(heat.share) is \(reference.share)")
            }
        }
    }

    @Test("The heat is the same to the last digit on any machine")
    func digits() {
        var heat = MotorHeat(.standard(.erm))
        var now = MonotonicInstant.zero
        for number in 0..<500 {
            now = now + .microseconds(Int64(number * number % 7919 + 1000))
            heat.follow(Self.drive(Double(number % 7) / 6), at: now)
        }
        heat.update(at: now + .seconds(1))
        #expect(heat.share.bitPattern == Self.pinned, "\(heat.share.bitPattern)")
    }

    /// Computed apart from this code, by whole numbers of any size.
    private static let pinned: UInt64 = 4_590_047_115_549_678_098

    @Test("From the soft limit on its strength falls in even steps to the floor, and at the limit nothing is left")
    func strength() {
        var heat = MotorHeat(.standard(.erm))
        heat.follow(.rated, at: .zero)
        var (strengths, looks) = ([1.0], 0)
        var now = MonotonicInstant.zero
        while !heat.isAtLimit, looks < 1000 {
            now = heat.nextUpdate
            heat.update(at: now)
            looks += 1
            if heat.strength < 1 { #expect(heat.share > 0.79) }
            if heat.strength != strengths.last { strengths.append(heat.strength) }
        }
        #expect(strengths.count == 17)
        #expect(strengths.last == 0)
        #expect(zip(strengths, strengths.dropFirst()).dropLast().allSatisfy { abs($0 - $1 - 0.6 / 16) < 1e-9 })
        #expect(abs(heat.share - 1) < 0.01, "\(heat.share)")
        #expect(looks < 100)
        #expect(heat.nextUpdate == .distantFuture)
    }

    @Test("Within a pulse the strength stays as low as it was, and after the next off it is that of the heat")
    func pulses() {
        var heat = MotorHeat(Self.small)
        heat.follow(.rated, at: .zero)
        heat.update(at: .zero + .milliseconds(450))
        let low = heat.strength
        #expect(low < 1)
        #expect(low > 0.7)
        heat.follow(Self.drive(0.1), at: .zero + .milliseconds(450))
        heat.update(at: .zero + .seconds(20))
        #expect(heat.share < 0.3)
        #expect(heat.strength == low)
        heat.follow(.zero, at: .zero + .seconds(20))
        heat.update(at: .zero + .seconds(20))
        #expect(heat.strength == 1)
    }

    @Test("A motor at its limit gets nothing until it is below the soft limit, and then all of it")
    func rests() {
        var heat = MotorHeat(Self.small)
        heat.follow(.rated, at: .zero)
        var now = MonotonicInstant.zero + .milliseconds(600)
        heat.update(at: now)
        #expect(heat.share > 1)
        #expect(heat.isAtLimit)
        #expect(heat.strength == 0)
        heat.follow(.zero, at: now)
        var shares: [Double] = []
        while heat.isAtLimit, shares.count < 10_000 {
            shares.append(heat.share)
            #expect(heat.strength == 0)
            now = now + .milliseconds(1)
            heat.update(at: now)
        }
        #expect(heat.share < 0.75)
        #expect((shares.last ?? 0) >= 0.75)
        #expect(heat.strength == 1)
    }

    @Test("Reading the heat does not change it")
    func looks() {
        var (often, once) = (MotorHeat(Self.small), MotorHeat(Self.small))
        var now = MonotonicInstant.zero
        for number in 1...40 {
            let drive = Self.drive(number % 3 == 0 ? 0 : 0.01 * Double(number))
            often.follow(drive, at: now)
            once.follow(drive, at: now)
            for _ in 0..<50 {
                now = now + .microseconds(137)
                often.update(at: now)
            }
        }
        once.update(at: now)
        #expect(often.share == once.share)
    }

    @Test("A drive that the motor bears forever never heats it to the limit, and needs few steps", arguments: [0.2, 0.42, 0.499])
    func continuous(drive: Double) {
        var heat = MotorHeat(Self.small)
        heat.follow(Self.drive(drive), at: .zero)
        var looks = 0
        var now = heat.nextUpdate
        while now < .zero + .seconds(3600), looks < 1000 {
            heat.update(at: now)
            looks += 1
            now = heat.nextUpdate
        }
        #expect(!heat.isAtLimit, "\(looks) looks")
        #expect(looks < 900, "\(looks) looks")
        if drive < 0.43 { #expect(looks == 0) }
    }

    @Test("A motor cools while the machine is asleep")
    func asleep() {
        var heat = MotorHeat(Self.small)
        heat.follow(.rated, at: .zero)
        heat.follow(.zero, at: .zero + .seconds(2))
        let before = heat.share
        heat.cool(for: .seconds(5))
        #expect(heat.share < before / 2)
        #expect(heat.share > before / 20)
        heat.cool(for: .seconds(365 * 86_400))
        #expect(heat.share == 0)
    }

    @Test("Another model of the same motor finds it as hot")
    func reload() {
        var heat = MotorHeat(Self.small)
        heat.follow(.rated, at: .zero)
        heat.follow(.zero, at: .zero + .seconds(1))
        var other = Self.small
        other.continuous = .one
        #expect(abs(heat.with(other).share - heat.share / 4) < 1e-6)
    }

    @Test("A model that contradicts itself, or that no motor has, is a mistake")
    func mistakes() {
        #expect(ThermalModel.standard(.erm).mistakes.isEmpty)
        #expect(ThermalModel.standard(.lra).mistakes.isEmpty)
        var model = Self.small
        model.winding = .seconds(5)
        #expect(model.mistakes == [.windingNotFaster(winding: .seconds(5), housing: .seconds(5))])
        model = Self.small
        (model.winding, model.housing, model.floor) = (.zero, .seconds(4000), .zero)
        #expect(
            model.mistakes == [.windingOutOfRange(.zero), .housingOutOfRange(.seconds(4000)), .share("floor", .zero)])
        model = Self.small
        model.soft = .one
        #expect(model.mistakes == [.share("soft", .one)])
        for mistake in model.mistakes { #expect("\(mistake)".contains("`soft`")) }
    }
}
