// SPDX-License-Identifier: MIT
public import HapticCore

extension StatusResult {
    /// A key or a button that hapticd reads for a hold.
    public struct Input: WireResult {
        public enum Kind: String, CaseIterable, Hashable, Sendable {
            /// A key of an input device.
            case key
            case line
            /// No device: `hapticd --simulate`.
            case simulated
        }

        public var hold: String
        public var input: String
        public var kind: Kind
        public var error: String?
        public var fault: ActuatorFault.Kind?

        public init(hold: String, input: String, kind: Kind, _ fault: ActuatorFault? = nil) {
            self.hold = hold
            self.input = input
            self.kind = kind
            error = fault?.words
            self.fault = fault?.kind
        }

        public static let blank = Self(hold: "", input: "", kind: .simulated)

        public static let members: [WireMember<Self>] = [
            .required("hold", \.hold, .anyText, "the hold"),
            .required("input", \.input, .anyText, "the key or button"),
            .required("kind", \.kind, .choice(), "a `key` of an input device, a GPIO `line`, or `simulated`: no device"),
            .nullable(
                "error", \.error, .anyText,
                "the reason why hapticd cannot read it now, and a remedy; null: none, or it is being opened"),
            .nullable("fault", \.fault, .choice(), "the reason in one word"),
        ]
    }
}
