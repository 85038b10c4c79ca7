// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns
internal import HapticText

/// The easings that have a name in a pattern file, in the order in which they are listed.
enum EasingName: String, CaseIterable {
    case linear, easeIn, easeOut, easeInOut, step, smooth, snappy, bouncy

    var easing: Easing {
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
    init?(_ easing: Easing) {
        guard let name = Self.allCases.first(where: { $0.easing == easing }) else { return nil }
        self = name
    }
}

enum EasingReader {
    static let form = Form<Easing>(.either([.choice(of: EasingName.self), springForm.kind])) { reader in
        switch reader.node.content {
        case .string: return reader.choice(EasingName.self, kind: "curve")?.easing
        case .object: return springForm.read(reader)
        case .null, .bool, .number, .integer, .list, .invalid:
            reader.failExpected("a curve: a name such as `easeOut`, or `{ spring: { response: 0.2, dampingFraction: 0.8 } }`")
            return nil
        }
    }

    private static let springKeys: [Key<Spring?>] = [
        .required("spring", SpringDraft.form, "a spring that has no name") { $0 = $1 }
    ]
    private static let springForm = Form<Easing>.object(springKeys, into: nil) { spring, _ in spring.map { .spring($0) } }
}

/// A spring where nothing else may stand: one that has a name, or its numbers.
enum SpringReader {
    enum Name: String, CaseIterable {
        case smooth, snappy, bouncy

        var spring: Spring {
            switch self {
            case .smooth: .smooth
            case .snappy: .snappy
            case .bouncy: .bouncy
            }
        }

        /// Nil for a spring without a name.
        init?(_ spring: Spring) {
            guard let name = Self.allCases.first(where: { $0.spring == spring }) else { return nil }
            self = name
        }
    }

    static let form = Form<Spring>(.either([.choice(of: Name.self), SpringDraft.form.kind])) { reader in
        switch reader.node.content {
        case .string: return reader.choice(Name.self, kind: "spring")?.spring
        case .object: return SpringDraft.form.read(reader)
        case .null, .bool, .number, .integer, .list, .invalid:
            reader.failExpected("a spring: a name such as `snappy`, or `{ response: 0.2, dampingFraction: 0.8 }`")
            return nil
        }
    }
}

/// By its response and damping fraction, or by its duration and bounce.
private struct SpringDraft {
    var response, dampingFraction, duration, bounce: NodeReader?

    private static let times = Form<Nanoseconds>.seconds(in: .milliseconds(1)...Pattern.Limit.duration)
    private static let fractions = Form<Double>.number(in: 0...100)
    private static let bounces = Form<Double>.number(in: -0.99...1)

    private static let keys: [Key<Self>] = [
        .optional("response", times.unread, "its period without damping") { $0.response = $1 },
        .optional("dampingFraction", fractions.unread, "1 does not bounce, 0 does not come to rest") { $0.dampingFraction = $1 },
        .optional("duration", times.unread, "how long it seems to take") { $0.duration = $1 },
        .optional("bounce", bounces.unread, "with `duration`: how far it overshoots; 0 without it") { $0.bounce = $1 },
    ]

    static let form = Form<Spring>.object(keys, into: Self()) { draft, reader in
        switch (draft.response, draft.dampingFraction, draft.duration, draft.bounce) {
        case (let response?, let dampingFraction?, nil, nil):
            guard let response = times.read(response), let fraction = fractions.read(dampingFraction) else { return nil }
            return Spring(response: response, dampingFraction: fraction)
        case (nil, nil, let duration?, let bounce):
            guard let duration = times.read(duration), let bounce = bounce.map(bounces.read) ?? 0 else { return nil }
            return Spring(duration: duration, bounce: bounce)
        default:
            reader.fail("a spring has either `response` and `dampingFraction`, or `duration` and `bounce`")
            return nil
        }
    }.described(as: .either([.object(keys[..<2].map(\.member.required)), .object([keys[2].member.required, keys[3].member])]))
}

/// The parameters that a curve can shape, as they are written.
enum ParameterName: String, CaseIterable {
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

    /// Of the value of a point; times in seconds.
    var form: Form<Double> {
        switch self {
        case .intensity: .number(in: 0...1)
        case .sharpness: .number(in: -1...1)
        case .attackTime, .decayTime, .releaseTime:
            Form<Nanoseconds>.seconds(in: .seconds(-1) ... .seconds(1)).then { time, _ in time.inSeconds }
        }
    }

    /// Which of them it is depends on the parameter.
    static let anyForm = Form<NodeReader>(.either([intensity, sharpness, attackTime].map(\.form.kind))) { $0 }
}
