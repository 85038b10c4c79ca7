// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON
internal import HapticPatterns

/// The curves that have a name in a pattern file, in the order in which they are listed.
enum CurveName: String, CaseIterable {
    case linear, easeIn, easeOut, easeInOut, step, smooth, snappy, bouncy

    var curve: Curve {
        switch self {
        case .linear: .linear
        case .easeIn: .easeIn
        case .easeOut: .easeOut
        case .easeInOut: .easeInOut
        case .step: .step
        case .smooth: .spring(.smooth)
        case .snappy: .spring(.snappy)
        case .bouncy: .spring(.bouncy)
        }
    }

    /// Nil for a spring without a name.
    init?(_ curve: Curve) {
        guard let name = Self.allCases.first(where: { $0.curve == curve }) else { return nil }
        self = name
    }
}

enum CurveReader {
    static func curve(_ reader: NodeReader) -> Curve? {
        switch reader.node.content {
        case .string: return reader.choice(CurveName.self, kind: "curve")?.curve
        case .object: return reader.object { fields in fields.required("spring").flatMap(spring).map { .spring($0) } }
        case .null, .bool, .number, .integer, .list, .invalid:
            reader.failExpected("a curve: a name such as `easeOut`, or `{ spring: { response: 0.2, dampingFraction: 0.8 } }`")
            return nil
        }
    }

    /// By its response and damping fraction, or by its duration and bounce.
    private static func spring(_ reader: NodeReader) -> Spring? {
        reader.object { fields in
            let time = Nanoseconds.milliseconds(1)...Pattern.Limit.duration
            let response = fields.optional("response")
            let dampingFraction = fields.optional("dampingFraction")
            let duration = fields.optional("duration")
            let bounce = fields.optional("bounce")
            switch (response, dampingFraction, duration, bounce) {
            case (let response?, let dampingFraction?, nil, nil):
                guard let response = response.seconds(in: time), let fraction = dampingFraction.number(in: 0...100) else {
                    return nil
                }
                return Spring(response: response, dampingFraction: fraction)
            case (nil, nil, let duration?, let bounce):
                let bounce = bounce.map { $0.number(in: -0.99...1) } ?? 0
                guard let duration = duration.seconds(in: time), let bounce else { return nil }
                return Spring(duration: duration, bounce: bounce)
            default:
                reader.fail("a spring has either `response` and `dampingFraction`, or `duration` and `bounce`")
                return nil
            }
        }
    }
}

/// The parameters that a curve can shape, as they are written.
enum CurveParameter: String, CaseIterable {
    case intensity, sharpness, attackTime, decayTime, releaseTime

    var meaning: ParameterCurve.Parameter {
        switch self {
        case .intensity: .intensity
        case .sharpness: .sharpness
        case .attackTime: .attackTime
        case .decayTime: .decayTime
        case .releaseTime: .releaseTime
        }
    }

    init(_ meaning: ParameterCurve.Parameter) {
        self =
            switch meaning {
            case .intensity: .intensity
            case .sharpness: .sharpness
            case .attackTime: .attackTime
            case .decayTime: .decayTime
            case .releaseTime: .releaseTime
            }
    }

    /// The value of a point; times in seconds.
    func value(_ field: NodeReader?) -> Double? {
        switch self {
        case .intensity: field?.number(in: 0...1)
        case .sharpness: field?.number(in: -1...1)
        case .attackTime, .decayTime, .releaseTime: field?.seconds(in: .seconds(-1) ... .seconds(1))?.inSeconds
        }
    }
}
