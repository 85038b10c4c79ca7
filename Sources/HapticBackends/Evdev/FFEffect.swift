// SPDX-License-Identifier: MIT

/// An effect as the kernel's force feedback takes it: what is uploaded to a device, and by its content found again in a slot.
///
/// It has no delay, and never the length 0, which would be without end.
struct FFEffect: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        /// The heavy and the light motor, each of 0xffff.
        case rumble(strong: UInt16, weak: UInt16)
        /// A vibration; its magnitude of 0x7fff.
        case periodic(FFWaveform, periodMs: UInt16, magnitude: UInt16)
        /// A push; its level of 0x7fff.
        case constant(level: UInt16)
    }

    /// How an effect begins and ends: straight lines from `attackLevel` to its magnitude and from there to `fadeLevel`.
    struct Envelope: Hashable, Sendable {
        var attackMs: UInt16
        var attackLevel: UInt16
        var fadeMs: UInt16
        var fadeLevel: UInt16

        static let none = Envelope(attackMs: 0, attackLevel: 0, fadeMs: 0, fadeLevel: 0)
    }

    /// A daemon that is stopped renews nothing and stops nothing; then a pad must not go on for more than 2 s.
    static let longestMs: UInt16 = 2000

    let form: Form
    let envelope: Envelope
    let lengthMs: UInt16

    /// `lengthMs` is 1 to `longestMs`.
    init(_ form: Form, envelope: Envelope = .none, lengthMs: UInt16) {
        // trap: both who make effects keep to it; an effect without an end must not be.
        precondition(lengthMs >= 1 && lengthMs <= Self.longestMs, "an effect has an end, within 2 s")
        self.form = form
        self.envelope = envelope
        self.lengthMs = lengthMs
    }

    /// Whether the kernel lets this effect take the slot of `other` without an erase: it wants the same type and waveform.
    func canReplace(_ other: FFEffect) -> Bool {
        switch (form, other.form) {
        case (.rumble, .rumble), (.constant, .constant): true
        case (.periodic(let a, _, _), .periodic(let b, _, _)): a == b
        default: false
        }
    }
}

/// A waveform of a periodic effect, by the kernel's code for it.
public enum FFWaveform: UInt16, CaseIterable, Hashable, Sendable {
    case square = 0x58
    case triangle = 0x59
    case sine = 0x5a
    case sawUp = 0x5b
    case sawDown = 0x5c
}
