// SPDX-License-Identifier: MIT
public import HapticCore

extension StatusResult {
    /// A key, button or switch that hapticd reads for a hold or a condition.
    public struct Input: WireResult {
        /// The kind of device behind an input.
        public enum Kind: String, CaseIterable, Hashable, Sendable {
            /// A key, switch or axis of an input device.
            case key
            /// A line of a GPIO chip.
            case line
            /// No device: `hapticd --simulate`.
            case simulated
        }

        public var hold: String?
        public var condition: String?
        public var input: String
        public var kind: Kind
        public var error: String?
        public var fault: ActuatorFault.Kind?

        public init(
            hold: String? = nil, condition: String? = nil, input: String, kind: Kind, _ fault: ActuatorFault? = nil
        ) {
            self.hold = hold
            self.condition = condition
            self.input = input
            self.kind = kind
            error = fault?.words
            self.fault = fault?.kind
        }

        public static let blank = Self(input: "", kind: .simulated)

        public static let members: [WireMember<Self>] = [
            .nullable("hold", \.hold, .anyText, "the hold that the input presses; null: the input asserts a condition"),
            .nullable("condition", \.condition, .anyText, "the condition that the input asserts; null: the input presses a hold"),
            .required("input", \.input, .anyText, "the key, button or switch"),
            .required(
                "kind", \.kind, .choice(),
                "a `key`, switch or axis of an input device, a GPIO `line`, or `simulated`: no device"),
            .nullable(
                "error", \.error, .anyText,
                "the reason why hapticd cannot read it now, and a remedy; null: none, or it is being opened"),
            .nullable("fault", \.fault, .choice(), "the reason in one word"),
        ]
    }
}
