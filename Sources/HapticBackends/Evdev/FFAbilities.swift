// SPDX-License-Identifier: MIT

/// What a force-feedback device says it can do.
public struct FFAbilities: Hashable, Sendable {
    /// A heavy and a light motor. The kernel also says so of every device with periodic effects.
    public var rumble: Bool
    /// The waveforms of periodic effects; none: it has no periodic effects.
    public var waveforms: Set<FFWaveform>
    /// A steady force.
    public var constant: Bool
    /// Its overall strength can be set.
    public var gain: Bool
    /// How many effects it holds at once.
    public var effectCount: Int
    /// It has buttons: a pad or a wheel. A device without any is a single vibrator.
    public var hasButtons: Bool
    /// A program made it (uinput), so what it says comes from no driver.
    public var isVirtual: Bool

    public init(
        rumble: Bool = false, waveforms: Set<FFWaveform> = [], constant: Bool = false, gain: Bool = false, effectCount: Int = 16,
        hasButtons: Bool = true, isVirtual: Bool = false
    ) {
        self.rumble = rumble
        self.waveforms = waveforms
        self.constant = constant
        self.gain = gain
        self.effectCount = effectCount
        self.hasButtons = hasButtons
        self.isVirtual = isVirtual
    }

    /// A kind of effect that vibrations can be made of.
    public enum Form: String, Hashable, Sendable {
        case periodic
        case rumble
        case constant
    }

    /// What to drive it by; nil where it has nothing that an actuator could use.
    ///
    /// Periodic first: with periodic effects the rumble bit is the kernel's emulation (a sine of 50 ms, always at full strength).
    /// The other way round for the kernel's memoryless devices, which are most pads and all vibrators:
    /// there the periodic effects are the emulation, which runs both motors alike and steps an envelope every 50 ms. Constant last:
    /// a steady push is felt once, when it comes, and vibrates nothing.
    public var form: Form? {
        if rumble && isMemoryless { return .rumble }
        if !waveforms.isEmpty { return .periodic }
        if rumble { return .rumble }
        return constant ? .constant : nil
    }

    /// Whether it has all the marks of a device that the kernel plays effects for (ff-memless.c): exactly these waveforms, a
    /// gain, and 16 effects.
    public var isMemoryless: Bool {
        !isVirtual && rumble && gain && effectCount == 16 && waveforms == [.square, .triangle, .sine]
    }
}

extension FFAbilities {
    /// `has`: whether the device has this code of EV_FF.
    init(effectCount: Int, hasButtons: Bool, isVirtual: Bool, has: (UInt16) -> Bool) {
        self.init(
            rumble: has(0x50), waveforms: has(0x51) ? Set(FFWaveform.allCases.filter { has($0.rawValue) }) : [],
            constant: has(0x52), gain: has(0x60), effectCount: effectCount, hasButtons: hasButtons, isVirtual: isVirtual)
    }
}

extension FFAbilities: CustomStringConvertible {
    /// `periodic (sine, square), rumble, gain, 16 effects`.
    public var description: String {
        let waves = FFWaveform.allCases.filter(waveforms.contains).map { "\($0)" }.joined(separator: ", ")
        let words = [
            waveforms.isEmpty ? nil : "periodic (\(waves))", rumble ? "rumble" : nil, constant ? "constant" : nil,
            gain ? "gain" : nil, effectCount == 1 ? "1 effect" : "\(effectCount) effects",
        ]
        return words.compactMap(\.self).joined(separator: ", ")
    }
}
