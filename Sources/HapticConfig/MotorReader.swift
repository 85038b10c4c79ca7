// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON
internal import HapticMotors

/// Reads the `motor` of an actuator: the name of a known motor, or a block that says what is known of it.
enum MotorReader {
    typealias Motor = ActuatorConfiguration.Motor

    static let form = Form<Motor>(.either([nameForm.kind, block.kind])) { reader in
        if case .string = reader.node.content { return nameForm.read(reader).map { Motor(model: $0) } }
        return block.read(reader)
    }

    private static let names = MotorLibrary.motors.map(\.name)

    /// A name alone never overdrives: what a motor bears is one thing, what the board's supply gives is another.
    private static let nameForm = Form<MotorModel>(.choice(names)) { reader in
        guard let text = reader.text() else { return nil }
        guard var model = MotorLibrary.motor(named: text.string)?.model else {
            reader.fail(unknownMessage("motor", text.string, candidates: names))
            return nil
        }
        model.overdrive = nil
        return model
    }

    private static let block = Form<Motor>(.object(Draft.keys.map(\.member))) { reader in
        // Of a key that is wrong by itself nothing is concluded.
        guard let draft = reader.whole({ reader.object(Draft.keys, into: Draft()) { draft, _ in draft } }) else { return nil }
        let model = draft.model
        let mistakes = draft.saysMore ? model.mistakes : []
        for mistake in mistakes { (mistake.key.flatMap { draft.places[$0] } ?? reader).fail("\(mistake)") }
        let others = [draft.otherKind, draft.neverFelt, draft.missing].compactMap { $0 }
        for other in others { reader.fail(other) }
        let thermal = draft.thermal.map { ThermalDraft.read($0, of: model.kind) }
        guard mistakes.isEmpty, others.isEmpty, thermal != .some(nil) else { return nil }
        return Motor(
            limits: draft.limits, model: draft.isKnown ? model : nil, overdrive: draft.overdrive, thermal: thermal ?? nil)
    }

    private struct Draft {
        var named: MotorModel?
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

        static let keys: [Key<Self>] = [
            .optional("model", nameForm, "a known motor, of which the other keys change what they say") { $0.named = $1 },
            .optional("kind", .choice(of: MotorModel.Kind.self, "kind of motor"), "a rotating mass or a linear one") {
                $0.kind = $1
            },
            .optional("rise", placedTimes, "from rest to 90 % of its acceleration at rated drive") {
                ($0.rise, $0.places[.rise]) = $1
            },
            .optional("fall", placedTimes, "from there, undriven, to 10 %") { ($0.fall, $0.places[.fall]) = $1 },
            .optional("start", .share(Share.self), "the least drive that sets it in motion") { $0.start = $1 },
            .optional("hold", .share(Share.self), "the least drive that keeps it in motion") { $0.hold = $1 },
            .optional("minPulse", longTimes, "the shortest pulse from rest that is felt") { $0.minPulse = $1 },
            .optional("resonance", hertz, "of a linear one") { $0.resonance = $1 },
            .optional("q", .number(in: MotorModel.qs), "the quality factor of its resonance") { $0.q = $1 },
            .optional("overdrive", overdriveForm, "more than the rated drive, which its supply has") { $0.overdrive = $1 },
            .optional("brake", .boolean, "it may be driven backwards to brake it") { $0.brake = $1 },
            .optional("minGap", gaps, "the least time off between two pulses") { $0.limits.minGap = $1 },
            .optional("maxOn", .duration(in: .milliseconds(1) ... .seconds(60)), "the longest time on") { $0.limits.maxOn = $1 },
            .optional("thermal", .object(of: ThermalDraft.keys), "how it gets hot, and how hot it may be") { $0.thermal = $1 },
            .optional("duty", dutyForm, "the share of any 10 s that it may be on") { $0.limits.duty = $1 },
        ]

        /// Whether patterns can be fitted to it.
        var isKnown: Bool { named != nil || start != nil }

        /// Whether it says what nothing depended on before patterns were fitted; what only says that is as valid as it was.
        var saysMore: Bool {
            isKnown || hold != nil || minPulse != nil || resonance != nil || q != nil || overdrive != nil || brake != nil
        }

        var missing: String? {
            isKnown && named == nil && rise == nil && riseOfResonance == nil
                ? "`start` says that patterns are fitted to this motor, which needs its `rise`; add it, or name a known motor"
                : nil
        }

        var otherKind: String? {
            guard let named, let kind, kind != named.kind else { return nil }
            return
                "`kind: \(kind.rawValue)` contradicts `model`, which is an `\(named.kind.rawValue)`; leave one of them out"
        }

        var neverFelt: String? {
            guard let maxOn = limits.maxOn, model.minPulse > maxOn else { return nil }
            return
                "`minPulse` (\(model.minPulse)) is above `maxOn` (\(maxOn)): each pulse would be cut before it is felt; raise `maxOn` or lower `minPulse`"
        }

        /// 2.30 τ, with τ = q/(π · resonance).
        private var riseOfResonance: Nanoseconds? {
            guard kind == .lra, let q, let resonance else { return nil }
            return Nanoseconds(seconds: 2.30 * q / (.pi * resonance))
        }

        /// What is not said is as in the library: it runs down with the same time constant, and goes on turning down to half of what
        /// starts it.
        var model: MotorModel {
            let kind = kind ?? named?.kind ?? .erm
            // Where none is known, no overdrive is too long for it.
            let rise = rise ?? riseOfResonance ?? named?.rise ?? max(.milliseconds(100), overdrive?.time ?? .zero)
            // Where `rise` is wrong, that is said of it alone.
            let ownFall = max(kind == .erm ? rise.scaled(by: 1.15 / 2.97) : rise, Nanoseconds(1))
            let fall = fall ?? (self.rise == nil ? named?.fall : nil) ?? ownFall
            let start = start ?? named?.start ?? .one
            let hold = hold ?? (self.start == nil ? named?.hold : nil) ?? Share(clamping: start.value / 2)
            return MotorModel(
                kind: kind, rise: rise, fall: fall, start: start, hold: hold, minPulse: minPulse ?? named?.minPulse ?? .zero,
                resonance: resonance ?? named?.resonance, q: q ?? named?.q, overdrive: overdrive,
                brake: brake ?? named?.brake ?? false)
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

    private struct ThermalDraft {
        var model: ThermalModel

        static let keys: [Key<Self>] = [
            .optional("winding", .duration(in: ThermalModel.windings), "how fast the winding gets hot") { $0.model.winding = $1 },
            .optional("case", .duration(in: ThermalModel.housings), "how fast the case does") { $0.model.housing = $1 },
            .optional("continuous", shareForm, "the drive that it bears for ever") { $0.model.continuous = $1 },
            .optional("soft", shareForm, "the share of its limit from which on it is driven less") { $0.model.soft = $1 },
            .optional("floor", shareForm, "what is left of its drive just below the limit") { $0.model.floor = $1 },
        ]

        /// What is not said is as for any motor of this kind.
        static func read(_ field: NodeReader, of kind: MotorModel.Kind) -> ThermalModel? {
            var draft = Self(model: .standard(kind))
            guard field.read(keys, into: &draft) else { return nil }
            let mistakes = draft.model.mistakes
            for mistake in mistakes { field.fail("\(mistake)") }
            return mistakes.isEmpty ? draft.model : nil
        }

        private static let shareForm = Form<Share>.share(
            Share.self, zero: "a share of 0 would keep the motor off; write more, such as `40%`")
    }

    private struct OverdriveDraft {
        var level: Drive?
        var time: Nanoseconds?

        static let keys: [Key<Self>] = [
            .required("level", levelForm, "a multiple of the rated drive") { $0.level = $1 },
            .required("for", .duration(in: .milliseconds(1) ... .seconds(1)), "the longest time at more than the rated drive") {
                $0.time = $1
            },
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
