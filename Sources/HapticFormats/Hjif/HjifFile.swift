// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON
internal import HapticPatterns

// What is in a file of HJIF. Of its keys those are read that change what a motor does.

struct HjifFile {
    /// Ticks per second; 1000 where the file does not say, as in the reference software.
    var timescale = 1000
    var summary = ""
    var perceptions: [HjifPerception] = []

    static let form = Form<Self>.known(keys, into: Self())

    /// The same without what is in the perceptions.
    static let ownKind = Member.Kind.object(keys.map(\.member).narrowing("perceptions", to: .anyObject))

    /// Keys that are not read. A level says how much a decoder has to bear; what this one bears is checked by itself.
    static let otherKeys = OtherKeys(
        silent: ["version", "profile", "level", "date", "id", "avatar_id", "description"],
        unused: [
            "avatars", "syncs", "reference_devices", "unit_exponent", "perception_unit_exponent", "priority", "phase", "delay",
            "body_part_mask", "body_part_target", "actuator_resolution", "actuator_target", "frequency_sampling", "sample_count",
            "vertices", "direction", "window_length", "block_length", "semantic", "semantic_keywords", "dependencies",
        ])

    private static let keys: [Key<Self>] = [
        .optional("timescale", .integer(in: 1...mostTicks), "ticks per second") { $0.timescale = $1 },
        .optional("description", .text, "what it means") { $0.summary = $1.string },
        .required("perceptions", .list(of: HjifPerception.form, count: 1...mostEntries), "what is felt") {
            $0.perceptions = $1
        },
    ]

    /// Of the profile Main.
    private static let mostTicks = 48_000
    /// Of any list; more than a file of the allowed size has.
    fileprivate static let mostEntries = 1 << 16
    /// Of a position in a file of the finest timescale.
    // trap: a constant.
    fileprivate static let latestTick = Int(Pattern.Limit.duration.inSeconds) * mostTicks

    static let channels = Form<[HjifChannel]>.list(of: HjifChannel.form, count: 0...mostEntries)
    static let effects = Form<[HjifEffect]>.list(of: HjifEffect.form, count: 0...mostEntries)
}

struct HjifPerception {
    var modality: Text?
    var library, channels: NodeReader?
    var reader: NodeReader?

    /// Of ten; that of no unit is further from 0.
    private static let exponent = Form<Int>.integer(in: -30...30)

    static let form = Form<Self>.known(
        [
            .required("perception_modality", .text, "what kind of feeling") { $0.modality = $1 },
            .optional("effect_library", HjifFile.effects.unread, "what references refer to") { $0.library = $1 },
            .optional("unit_exponent", exponent, "of the unit of positions") { _, _ in },
            .optional("perception_unit_exponent", exponent, "of the unit of amplitudes") { _, _ in },
            .required("channels", HjifFile.channels.unread, "what is felt") { $0.channels = $1 },
        ], into: Self()
    ).then { perception, reader -> Self? in
        var perception = perception
        perception.reader = reader
        return perception
    }
}

struct HjifChannel {
    var gain = 1.0
    var mixingCoefficient = 1.0
    var bands: [HjifBand] = []
    var reader: NodeReader?

    private static let factor = Form<Double>.number(in: 0...1000)

    static let form = Form<Self>.known(
        [
            .optional("gain", factor, "how strong") { $0.gain = $1 },
            .optional("mixing_coefficient", factor, "how strong among others") { $0.mixingCoefficient = $1 },
            // What it was called before the standard was published.
            .optional("mixing_weight", factor, "how strong among others") { $0.mixingCoefficient = $1 },
            .required("bands", .list(of: HjifBand.form, count: 0...HjifFile.mostEntries), "what is felt") { $0.bands = $1 },
        ], into: Self()
    ).then { channel, reader -> Self? in
        var channel = channel
        channel.reader = reader
        return channel
    }
}

struct HjifBand {
    enum Kind: String, CaseIterable {
        case transient = "Transient"
        case curve = "Curve"
        case wave = "VectorialWave"
        case wavelet = "WaveletWave"
    }

    enum CurveType: String, CaseIterable {
        case linear = "Linear"
        case cubic = "Cubic"
        case akima = "Akima"
        case bezier = "Bezier"
        case bspline = "Bspline"
        case unknown = "Unknown"
    }

    /// A wavelet is refused where it is read.
    var kind = Kind.transient
    /// How a curve gets from one keyframe to the next.
    var curve = Curve.linear
    private var curveType: NodeReader?
    private var lowerLimit, upperLimit: Double?
    var effects: [HjifEffect] = []

    /// In hertz; nil where the band does not say it.
    var middle: Double? {
        guard let lowerLimit, let upperLimit else { return nil }
        return (lowerLimit + upperLimit) / 2
    }

    private static let kinds = Form<Kind>.choice(of: Kind.self, "type of band").then { kind, reader in
        guard kind == .wavelet else { return kind }
        reader.fail("bands of the type `WaveletWave` are not read; export the effect as vectorial waves, curves or transients")
        return nil
    }

    private static let curveTypes = Form<CurveType>.choice(of: CurveType.self, "type of curve")

    static let form = Form<Self>.known(
        [
            .required("band_type", kinds, "what its effects are") { $0.kind = $1 },
            .optional("curve_type", curveTypes.unread, "how a curve bends") { $0.curveType = $1 },
            .optional("lower_frequency_limit", HjifKeyframe.hertz, "in hertz") { $0.lowerLimit = $1 },
            .optional("upper_frequency_limit", HjifKeyframe.hertz, "in hertz") { $0.upperLimit = $1 },
            .required("effects", HjifFile.effects, "what is felt") { $0.effects = $1 },
        ], into: Self()
    ).then { band, reader -> Self? in
        guard band.kind == .curve else { return band }
        guard let curveType = band.curveType else {
            reader.fail("a band of the type `Curve` needs a `curve_type`: `Linear` or `Cubic`")
            return nil
        }
        guard let type = curveTypes.read(curveType) else { return nil }
        var band = band
        switch type {
        case .linear: band.curve = .linear
        // The reference software's formula for it is smoothstep.
        case .cubic: band.curve = .easeInOut
        case .akima, .bezier, .bspline, .unknown:
            curveType.fail("curves of the type `\(type.rawValue)` are not read; export them as `Linear` or `Cubic`")
            return nil
        }
        return band
    }
}

struct HjifEffect {
    enum Kind: String, CaseIterable {
        case basis = "Basis"
        case reference = "Reference"
        case composite = "Composite"
    }

    enum BaseSignal: String, CaseIterable {
        case sine = "Sine"
        case square = "Square"
        case triangle = "Triangle"
        case sawToothUp = "SawToothUp"
        case sawToothDown = "SawToothDown"
    }

    /// A composite effect is refused where it is read.
    var kind = Kind.basis
    var id: Int?
    /// In ticks from the start.
    var position = 0
    var baseSignal = BaseSignal.sine
    var keyframes: [HjifKeyframe]?
    var reader: NodeReader?

    private static let kinds = Form<Kind>.choice(of: Kind.self, "type of effect").then { kind, reader in
        guard kind == .composite else { return kind }
        reader.fail("effects of the type `Composite` are not read; write the effects that it is made of into the band")
        return nil
    }

    private static let list = Form<[HjifKeyframe]>.list(of: HjifKeyframe.form, count: 0...HjifFile.mostEntries)

    static let form = Form<Self>.known(
        [
            .required("effect_type", kinds, "whether its keyframes are here") { $0.kind = $1 },
            .optional("id", .integer(in: 0...Int(Int32.max)), "what it is referred to by") { $0.id = $1 },
            .required("position", .integer(in: 0...HjifFile.latestTick), "in ticks") { $0.position = $1 },
            .optional("base_signal", .choice(of: BaseSignal.self, "base signal"), "the waveform") { $0.baseSignal = $1 },
            .optional("keyframes", list, "what is felt") { $0.keyframes = $1 },
        ], into: Self()
    ).then { effect, reader -> Self? in
        if effect.kind == .basis, effect.keyframes == nil {
            reader.fail("an effect of the type `Basis` needs `keyframes`")
            return nil
        }
        var effect = effect
        effect.reader = reader
        return effect
    }
}

struct HjifKeyframe {
    /// In ticks from the position of the effect.
    var relativePosition = 0
    var amplitude: Double?
    /// In hertz.
    var frequency: Double?
    var reader: NodeReader?

    static let hertz = Form<Double>.number(in: 0...100_000)

    static let form = Form<Self>.known(
        [
            .optional("relative_position", .integer(in: 0...HjifFile.latestTick), "in ticks") { $0.relativePosition = $1 },
            .optional("amplitude_modulation", .number(in: -1...1), "how strong") { $0.amplitude = $1 },
            .optional("frequency_modulation", hertz, "in hertz") { $0.frequency = $1 },
        ], into: Self()
    ).then { keyframe, reader -> Self? in
        var keyframe = keyframe
        keyframe.reader = reader
        return keyframe
    }
}
