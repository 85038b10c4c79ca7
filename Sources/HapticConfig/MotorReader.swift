// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticMotors
internal import HapticText

/// Reads the `motor` of an actuator: the name of a known motor, or a block that says what is known of it.
enum MotorReader {
    struct Motor {
        var limits = MotorLimits.none
        /// `nil` if it is no motor, or if only limits are known.
        var model: MotorModel?
        /// Neither named nor described.
        var isAssumed: Bool
        var thermal: ThermalModel?
    }

    static let form = Form<Motor>(.either([nameForm.kind, block.kind])) { reader in
        if case .string = reader.node.content {
            return nameForm.read(reader).map { Motor(model: $0, isAssumed: false) }
        }
        return block.read(reader)
    }

    /// A relay or a solenoid: nothing is known of its motion, and nothing assumed.
    private static let none = "none"
    private static let names = MotorLibrary.motors.map(\.name)

    /// A name alone never overdrives: what a motor bears is one thing, what the board's supply gives is another. `none` is no model.
    private static let nameForm = Form<MotorModel?>(.choice(names + [none])) { reader in
        guard let text = reader.text() else { return nil }
        if text == Text(none) { return .some(nil) }
        guard var model = MotorLibrary.motor(named: text.string)?.model else {
            if let kind = MotorModel.Kind(text: text) {
                let name = quoted(kind.rawValue)
                reader.fail("\(name) is a kind of motor, not the name of one; write `motor: { kind: \(kind.rawValue) }`")
                return nil
            }
            reader.fail(unknownMessage("motor", text.string, candidates: names + [none]))
            return nil
        }
        model.overdrive = nil
        return model
    }

    private static let kindForm: Form<MotorModel.Kind> = {
        let kinds = Form<MotorModel.Kind>.choice(of: MotorModel.Kind.self, "kind of motor")
        return Form(kinds.kind) { reader in
            guard case .string(let text) = reader.node.content, MotorLibrary.motor(named: text.string) != nil else {
                return kinds.read(reader)
            }
            let name = text.string
            reader.fail(
                "\(quoted(name)) is a known motor, not a kind; write `motor: \(name)`, or `model: \(name)` beside other keys")
            return nil
        }
    }()

    private static let block = Form<Motor>(.object(Draft.keys.map(\.member))) { reader in
        // Of a key that is wrong by itself nothing is concluded.
        guard let draft = reader.whole({ reader.object(Draft.keys, into: Draft()) { draft, _ in draft } }) else { return nil }
        let model = draft.model
        let mistakes = model?.mistakes ?? []
        for mistake in mistakes { (mistake.key.flatMap { draft.places[$0] } ?? reader).fail("\(mistake)") }
        let others = [draft.otherKind, draft.neverFelt, draft.noMotor].compactMap { $0 }
        for other in others { reader.fail(other) }
        let thermal = draft.thermal.map { ThermalDraft.read($0, of: model?.kind ?? .erm) }
        guard mistakes.isEmpty, others.isEmpty, thermal != .some(nil) else { return nil }
        return Motor(
            limits: draft.limits, model: model, isAssumed: !draft.describes && draft.named == nil, thermal: thermal ?? nil)
    }

    // sizes: plain values
    private struct Draft {
        /// The inner `nil`: it is no motor.
        var named: MotorModel??
        /// Where times stand that may be wrong together with other keys.
        var places: [MotorModel.Mistake.Key: NodeReader] = [:]
        var limits = MotorLimits.none
        var kind: MotorModel.Kind?
        var rise, fall, minPulse: Nanoseconds?
        var start, hold: Share?
        var resonance, q: Double?
        var overdrive: MotorModel.Overdrive?
        var brake: Bool?
        /// Read later: what is not said of it goes by the kind.
        var thermal: NodeReader?

        static let keys: [Key<Self>] = motionKeys + driveKeys + limitKeys

        private static let motionKeys: [Key<Self>] = [
            .optional(
                "model", nameForm, "a known motor, whose figures the other keys change; `none`: no motor, with limits only"
            ) { $0.named = $1 },
            .optional("kind", kindForm, default: "`erm`", "`erm`: a rotating mass; `lra`: a linear one") { $0.kind = $1 },
            .optional(
                "rise", placedTimes, default: "by `q` and `resonance`; else \(typically { words($0.rise) })",
                "more than 0: the time from rest to 90 % of the acceleration at rated drive"
            ) { ($0.rise, $0.places[.rise]) = $1 },
            .optional(
                "fall", placedTimes, default: "with the time constant of `rise`",
                "more than 0: the time from there, undriven, to 10 %"
            ) { ($0.fall, $0.places[.fall]) = $1 },
            .optional(
                "start", .share(Share.self), default: typically { plainText($0.start.value) },
                "the least drive that sets the motor in motion"
            ) { $0.start = $1 },
            .optional(
                "hold", .share(Share.self), default: "half of `start`",
                "the least drive that keeps the motor in motion: at most `start`, and less than 1"
            ) { $0.hold = $1 },
            .optional(
                "minPulse", longTimes, default: "\(typically { words($0.minPulse) }); no more than `maxOn`",
                "the shortest pulse from rest that is felt: at most `maxOn`"
            ) { $0.minPulse = $1 },
            .optional("resonance", hertz, "the resonance of an `lra`; with `q` it gives `rise`") { $0.resonance = $1 },
            .optional("q", .number(in: MotorModel.qs), "the quality factor of the resonance of an `lra`") { $0.q = $1 },
        ]

        private static let driveKeys: [Key<Self>] = [
            .optional(
                "overdrive", overdriveForm,
                "the drive above the rated voltage that the supply has; only for `pwm` and `simulated`"
            ) { $0.overdrive = $1 },
            .optional(
                "brake", .boolean, default: "false", "whether the motor may be driven backwards to brake it, if the driver can"
            ) { $0.brake = $1 },
        ]

        private static let limitKeys: [Key<Self>] = [
            .optional(
                "minGap", gaps, default: "0", "the least time from off to the next on; a pulse within it is merged"
            ) { $0.limits.minGap = $1 },
            .optional(
                "maxOn", .duration(in: .milliseconds(1) ... .seconds(60)), default: "10s; none for `simulated`",
                "the longest time on; a longer pulse is cut, by the driver itself if all else fails"
            ) { $0.limits.maxOn = $1 },
            .optional(
                "thermal", .object(of: ThermalDraft.keys),
                "the heat of the motor and its limit; `{}`: the usual figures of its `kind`"
            ) { $0.thermal = $1 },
            .optional(
                "duty", dutyForm, default: "100%", "the largest share of any 10 s that the motor may be on"
            ) { $0.limits.duty = $1 },
        ]

        /// To the millisecond.
        private static func words(_ time: Nanoseconds) -> String {
            time == .zero ? "0" : "\(plainText(time.inMilliseconds.rounded()))ms"
        }

        /// The figures of motors that are not described: `193ms for an `erm`, 78ms for an `lra``.
        private static func typically(_ figure: (MotorModel) -> String) -> String {
            MotorModel.Kind.allCases.map { "\(figure(MotorLibrary.typical($0))) for an `\($0.rawValue)`" }.joined(separator: ", ")
        }

        /// Whether it says how the motor moves; limits do not.
        var describes: Bool {
            kind != nil || rise != nil || fall != nil || minPulse != nil || start != nil || hold != nil || resonance != nil
                || q != nil || overdrive != nil || brake != nil
        }

        var noMotor: String? {
            guard case .some(nil) = named, describes else { return nil }
            return "`model: none` is no motor, so only limits belong beside it; leave out `model`, or what describes the motor"
        }

        var otherKind: String? {
            guard let named = named ?? nil, let kind, kind != named.kind else { return nil }
            return
                "`kind: \(kind.rawValue)` contradicts `model`, which is an `\(named.kind.rawValue)`; leave one of them out"
        }

        var neverFelt: String? {
            guard let maxOn = limits.maxOn, let least = minPulse ?? (named ?? nil)?.minPulse, least > maxOn else { return nil }
            return
                "`minPulse` (\(least)) is above `maxOn` (\(maxOn)): each pulse would be cut before it is felt; raise `maxOn` or lower `minPulse`"
        }

        /// 2.30 τ, with τ = q/(π · resonance).
        private var riseOfResonance: Nanoseconds? {
            guard kind == .lra, let q, let resonance else { return nil }
            return Nanoseconds(seconds: 2.30 * q / (.pi * resonance))
        }

        /// The motor that it describes; `nil` if it has limits only. Missing figures are those of the named model, or typical for the kind. A motor
        /// with a `rise` of its own runs down with the same time constant; one with a `start` of its own keeps turning down to half of that.
        var model: MotorModel? {
            let named = named ?? nil
            guard describes || named != nil else { return nil }
            var model = named ?? MotorLibrary.typical(kind ?? .erm)
            model.kind = kind ?? model.kind
            if let rise = rise ?? riseOfResonance {
                model.rise = rise
                // A `rise` that is wrong is reported alone.
                model.fall = max(model.kind == .erm ? rise.scaled(by: 1.15 / 2.97) : rise, Nanoseconds(1))
            }
            model.fall = fall ?? model.fall
            if let start {
                model.start = start
                model.hold = Share(clamping: start.value / 2)
            } else if let hold, named == nil {
                model.start = max(model.start, hold)
            }
            model.hold = hold ?? model.hold
            // A typical value never contradicts a limit.
            model.minPulse = minPulse ?? (named == nil ? model.within(maxOn: limits.maxOn) : model).minPulse
            model.resonance = resonance ?? model.resonance
            model.q = q ?? model.q
            model.overdrive = overdrive
            model.brake = brake ?? model.brake
            return model
        }

        private static let gaps = Form<Nanoseconds>.duration(in: .zero ... .seconds(1))
        private static let longTimes = Form<Nanoseconds>.duration(in: .zero...MotorModel.longestTime)
        private static let placedTimes = longTimes.then { time, reader -> (Nanoseconds?, NodeReader?)? in (time, reader) }
        private static let dutyForm = Form<Share>.share(
            Share.self, zero: "a duty of 0 would keep the motor off; write more, such as `40%`")
        /// To a hundredth.
        private static let hertz = Form<Nanoseconds>.period(ofFrequencyIn: 20...1000).then { period, _ -> Double? in
            (100 / period.inSeconds).rounded() / 100
        }
        private static let overdriveForm = Form<MotorModel.Overdrive>.object(OverdriveDraft.keys, into: OverdriveDraft()) {
            draft, _ in
            guard let level = draft.level, let time = draft.time else { return nil }
            return MotorModel.Overdrive(level: level, time: time)
        }
    }

    private struct OverdriveDraft {
        var level: Drive?
        var time: Nanoseconds?

        static let keys: [Key<Self>] = [
            .required("level", levelForm, "the level, as a multiple of the rated drive") { $0.level = $1 },
            .required(
                "for", .duration(in: .milliseconds(1) ... .seconds(1)),
                "the longest time at more than the rated drive: at most three times `rise`; used time comes back as fast"
            ) { $0.time = $1 },
        ]

        private static let levelForm = Form<Drive>(
            .either([.number(1...1.5, isOpen: true), .textLike("120%", pattern: #"^(10[1-9]|1[1-4][0-9])(\.[0-9]+)?%$|^150%$"#)])
        ) { reader in
            let level: Drive? =
                switch reader.node.content {
                case .number(let number): Drive(number)
                case .string(let text): Drive(driveText: text.string)
                case .null, .bool, .integer, .list, .object, .invalid: nil
                }
            if let level, level > .rated { return level }
            reader.failExpected("more than 1 and at most 1.5 times the rated drive, such as `1.2` or `120%`")
            return nil
        }
    }
}
