// SPDX-License-Identifier: MIT
internal import HapticCore

extension DriverFault {
    /// What kind of fault a description is of, so that a client knows it that has only the daemon's words.
    public enum Kind: Hashable, Sendable {
        case absent, deviceLost, permission, busy
        /// Every other one.
        case other
    }

    /// Of the text that `description` makes. It looks at the end only, which no name of a device can be in.
    public static func kind(ofDescription text: String) -> Kind {
        for (cause, kind) in [(Cause.absent, Kind.absent), (.deviceLost, .deviceLost), (.permission, .permission)] {
            if text.without(end: DriverFault(cause, device: "").description) != nil { return kind }
        }
        return text.without(end: "; stop that, or choose another device in the configuration") == nil ? .other : .busy
    }
}
