// SPDX-License-Identifier: MIT
import HapticCore
import Testing

@testable import HapticBackends

@Suite("The choice of a device's effects") struct EvdevAbilitiesTests {
    @Test(
        "Periodic effects are best, then rumble, then a constant force",
        arguments: [
            (Pads.periodic, .periodic), (Pads.rumble, .rumble), (Pads.constant, .constant),
            (FFAbilities(waveforms: [.sawUp], constant: true), .periodic), (FFAbilities(rumble: true, constant: true), .rumble),
            (FFAbilities(gain: true), nil),
        ] as [(FFAbilities, FFAbilities.Form?)])
    func form(abilities: FFAbilities, form: FFAbilities.Form?) { #expect(abilities.form == form) }

    @Test("A pad of two motors, for which the kernel plays periodic effects, is driven by rumble")
    func memoryless() {
        #expect(Pads.memoryless.form == .rumble)
        #expect(Pads.vibrator.form == .rumble)
        // The same marks on what a program made say nothing.
        var virtual = Pads.memoryless
        virtual.isVirtual = true
        #expect(virtual.form == .periodic)
        #expect(Pads.holding(40, Pads.memoryless).form == .periodic)
    }

    @Test("The kernel's codes are distinguished")
    func codes() {
        let codes: Set<UInt16> = [0x50, 0x51, 0x58, 0x5a, 0x60]
        let abilities = FFAbilities(effectCount: 16, hasButtons: true, isVirtual: false, has: codes.contains)
        #expect(abilities == FFAbilities(rumble: true, waveforms: [.square, .sine], gain: true))
        #expect(abilities.description == "periodic (square, sine), rumble, gain, 16 effects")
    }
}

@Suite("Effects of levels") struct EvdevMappingTests {
    private func form(_ abilities: FFAbilities, _ intensity: Double, _ sharpness: Double) throws -> FFEffect.Form {
        try #require(FFMapping(abilities)).effect(of: level(intensity, sharpness)).form
    }

    @Test(
        "Rumble goes from the heavy motor to the light one at constant power",
        arguments: [
            (1.0, 0.0, 0xffff, 0), (1, 1, 0, 0xffff), (1, 0.5, 46340, 46340), (0.5, 0, 32768, 0), (0.25, 1, 0, 16384),
            // A faint level is not lost.
            (0.002, 0, 4096, 0),
        ] as [(Double, Double, UInt16, UInt16)])
    func rumble(intensity: Double, sharpness: Double, strong: UInt16, weak: UInt16) throws {
        #expect(try form(Pads.rumble, intensity, sharpness) == .rumble(strong: strong, weak: weak))
    }

    @Test("A vibrator of one motor gets the whole intensity, whichever of the two its driver takes", arguments: [0, 0.5, 1])
    func oneMotor(sharpness: Double) throws {
        #expect(try form(Pads.vibrator, 0.5, sharpness) == .rumble(strong: 32768, weak: 32768))
    }

    @Test(
        "A periodic effect is slow and round where dull, fast and edged where sharp",
        arguments: [
            (1.0, 0.0, .sine, 20, 0x7fff), (1, 0.25, .sine, 14, 0x7fff), (1, 0.5, .square, 10, 0x7fff),
            (0.5, 1, .square, 5, 16384), (0.002, 1, .square, 5, 2048),
        ] as [(Double, Double, FFWaveform, UInt16, UInt16)])
    func periodic(intensity: Double, sharpness: Double, waveform: FFWaveform, period: UInt16, magnitude: UInt16) throws {
        #expect(try form(Pads.periodic, intensity, sharpness) == .periodic(waveform, periodMs: period, magnitude: magnitude))
    }

    @Test("The waveform is the best there is", arguments: FFWaveform.allCases)
    func onlyWaveform(waveform: FFWaveform) throws {
        let abilities = FFAbilities(waveforms: [waveform])
        #expect(try form(abilities, 1, 0) == .periodic(waveform, periodMs: 20, magnitude: 0x7fff))
        #expect(try form(abilities, 1, 1) == .periodic(waveform, periodMs: 5, magnitude: 0x7fff))
    }

    @Test("A constant force has only a level")
    func constant() throws { #expect(try form(Pads.constant, 0.5, 0.7) == .constant(level: 16384)) }

    @Test("Every level is shown within a hundredth, and every effect ends by itself", arguments: [Pads.periodic, Pads.rumble])
    func everyLevel(abilities: FFAbilities) throws {
        let mapping = try #require(FFMapping(abilities))
        for step in 0...100 {
            let wanted = level(0.0625 + 0.9375 * Double(step) / 100, Double(step * 37 % 101) / 100)
            let effect = mapping.effect(of: wanted)
            let shown = felt([effect])
            #expect(abs(shown.intensity.value - wanted.intensity.value) < 0.009)
            #expect(abs(shown.sharpness.value - wanted.sharpness.value) < 0.1)
            #expect(effect.lengthMs == 1000)
        }
    }

    @Test("Two levels that feel the same are one effect")
    func quantised() throws {
        #expect(try form(Pads.periodic, 0.501, 0.21) == form(Pads.periodic, 0.498, 0.2))
    }
}

@Suite("A run as one effect") struct EvdevShapeTests {
    /// The run of a timeline that has one.
    private func run(_ timeline: Timeline) throws -> Run {
        let runs = timeline.runs
        try #require(runs.count == 1)
        return runs[0]
    }

    @Test("The effect is never further from the run than the tolerance", arguments: [Examples.success, Examples.lines(ramp)])
    func distance(timeline: Timeline) throws {
        let run = try run(timeline)
        let shape = try #require(EnvelopeShape(run))
        for (frame, next) in zip(run.frames, run.frames.dropFirst()) {
            let at = (frame.offset.inMilliseconds + next.offset.inMilliseconds) / 2
            // As the kernel documents an envelope.
            let (attack, length) = (Double(shape.attackMs), Double(shape.lengthMs))
            let fade = length - Double(shape.fadeMs)
            let shown =
                at >= length
                ? 0
                : at < attack
                    ? shape.attackLevel + (shape.peak - shape.attackLevel) * at / attack
                    : at > fade ? shape.peak + (shape.fadeLevel - shape.peak) * (at - fade) / (length - fade) : shape.peak
            #expect(abs(shown - frame.level.intensity.value) <= shape.peak / 8 + 0.01, "at \(at) ms")
        }
    }

    private static let ramp: [(ms: Int64, intensity: Double, sharpness: Double)] = [
        (0, 0.2, 0.5), (100, 0.8, 0.5), (200, 0.8, 0.5), (400, 0, 0.5),
    ]

    @Test("A rise, a plateau and a fall in straight lines are found again")
    func trapezium() throws {
        let shape = try #require(EnvelopeShape(run(Examples.lines(Self.ramp))))
        #expect(abs(Int(shape.attackMs) - 100) <= 10)
        #expect(abs(shape.attackLevel - 0.2) < 0.07)
        #expect(abs(Int(shape.fadeMs) - 200) <= 20)
        #expect(abs(Int(shape.lengthMs) - 400) <= 20)
        #expect(shape.peak == 0.8)
    }

    @Test(
        "A run of another shape, of changing sharpness, or longer than an effect may be, is no effect",
        arguments: [
            [(0, 1, 0.5), (100, 0.2, 0.5), (200, 1, 0.5), (300, 0.1, 0.5), (400, 0, 0.5)],
            [(0, 1, 0), (400, 1, 1), (500, 0, 1)],
            [(0, 0.1, 0.5), (1000, 1, 0.5), (2100, 0, 0.5)],
        ] as [[(ms: Int64, intensity: Double, sharpness: Double)]])
    func none(points: [(ms: Int64, intensity: Double, sharpness: Double)]) throws {
        #expect(Examples.lines(points).runs.allSatisfy { EnvelopeShape($0) == nil })
    }

    @Test("A scaled effect is the same in smaller, and takes a sharpness that the playback has")
    func scaled() throws {
        let mapping = try #require(FFMapping(Pads.periodic))
        let shape = try #require(EnvelopeShape(run(Examples.success)))
        let (full, half) = (
            mapping.effect(of: shape, scale: 1, sharpness: nil), mapping.effect(of: shape, scale: 0.5, sharpness: .one)
        )
        #expect((full.lengthMs, full.envelope.attackMs) == (half.lengthMs, half.envelope.attackMs))
        #expect(abs(felt([full]).intensity.value - 2 * felt([half]).intensity.value) < 0.04)
        #expect(felt([half]).sharpness == .one)
    }

    @Test("On a pad without envelopes `success` takes a few levels, so that it fits into 16 slots with others")
    func steps() throws {
        let mapping = try #require(FFMapping(Pads.rumble))
        let run = try run(Examples.success)
        let plan = RunPlan(run, mapping)
        guard case .steps(let levels) = plan.form else {
            Issue.record("rumble has no envelope")
            return
        }
        #expect(levels.count == run.frames.count - 1)
        #expect(plan.effects(mapping).count <= 8)
        for (level, frame) in zip(levels, run.frames) {
            #expect(abs(level.intensity.value - frame.level.intensity.value) < run.peak.value / 8)
        }
    }
}
