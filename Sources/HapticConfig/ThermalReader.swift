// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticMotors
internal import HapticText

extension MotorReader {
    /// The `thermal` of a motor, while it is read.
    struct ThermalDraft {
        var model: ThermalModel

        static let keys: [Key<Self>] = [
            .optional(
                "winding", .duration(in: ThermalModel.windings), default: usually { "\($0.winding)" },
                "the time constant of the winding"
            ) { $0.model.winding = $1 },
            .optional(
                "case", .duration(in: ThermalModel.housings), default: usually { "\($0.housing)" },
                "the time constant of the case"
            ) { $0.model.housing = $1 },
            .optional(
                "continuous", shareForm, default: usually { plainText($0.continuous.value) },
                "the drive that the motor bears without end: \(leastShare)"
            ) { $0.model.continuous = $1 },
            .optional(
                "soft", shareForm, default: usually { plainText($0.soft.value) },
                "the share of the limit above which the drive is lowered: \(leastShare), and less than 1"
            ) { $0.model.soft = $1 },
            .optional(
                "floor", shareForm, default: usually { plainText($0.floor.value) },
                "the remaining share of the drive just below the limit: \(leastShare)"
            ) { $0.model.floor = $1 },
        ]

        private static let leastShare = "at least \(plainText(ThermalModel.shares.lowerBound * 100)) %"

        /// A figure of each kind of motor; once if all are equal.
        private static func usually(_ figure: (ThermalModel) -> String) -> String {
            let figures = MotorModel.Kind.allCases.map { (kind: $0, text: figure(.standard($0))) }
            if figures.allSatisfy({ $0.text == figures[0].text }) { return figures[0].text }
            return figures.map { "\($0.text) for an `\($0.kind.rawValue)`" }.joined(separator: ", ")
        }

        /// Reads the model. Keys that are left out have the values of the kind of motor.
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
}
