// SPDX-License-Identifier: MIT
#if Evdev
    private import CEvdev
    private import Glibc

    /// A force-feedback device of the kernel. Its descriptor is never shared: when the last copy closes, the kernel stops all effects.
    final class EvdevPort: FFPort {
        let device: String
        let name: String
        let abilities: FFAbilities
        let path: String?
        private let descriptor: Int32

        init(_ node: InputNode) throws(FFPortError) {
            (path, name) = (node.path, node.name)
            let descriptor = open(node.path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { throw FFPortError(errno: errno) }
            do throws(FFPortError) {
                abilities = try Self.abilities(descriptor, isVirtual: node.isVirtual)
                // The last who had the device may have left it soft.
                if abilities.gain { try Self.write(descriptor, (Int32(FF_GAIN), 0xffff)) }
            } catch {
                Glibc.close(descriptor)
                throw error
            }
            self.descriptor = descriptor
            device = node.description
        }

        private static func abilities(_ descriptor: Int32, isVirtual: Bool) throws(FFPortError) -> FFAbilities {
            var evdev: OpaquePointer?
            let result = libevdev_new_from_fd(descriptor, &evdev)
            guard result == 0, let evdev else { throw FFPortError(errno: -result) }
            defer { libevdev_free(evdev) }
            let count = cevdev_effect_count(descriptor)
            guard count >= 0 else { throw FFPortError(errno: -count) }
            return FFAbilities(
                effectCount: Int(count), hasButtons: libevdev_has_event_type(evdev, UInt32(EV_KEY)) == 1, isVirtual: isVirtual
            ) { code in
                libevdev_has_event_code(evdev, UInt32(EV_FF), UInt32(code)) == 1
            }
        }

        func upload(_ effect: FFEffect, replacing id: Int16?) throws(FFPortError) -> Int16 {
            var raw = ff_effect(effect, id: id ?? -1)
            try Self.check(cevdev_upload(descriptor, &raw))
            return raw.id
        }

        func erase(_ id: Int16) throws(FFPortError) { try Self.check(cevdev_erase(descriptor, Int32(id))) }

        func play(_ id: Int16?, stopping other: Int16?) throws(FFPortError) {
            try Self.write(descriptor, (id.map(Int32.init) ?? -1, 1), (other.map(Int32.init) ?? -1, 0))
        }

        func close() { Glibc.close(descriptor) }

        private static func write(
            _ descriptor: Int32, _ first: (code: Int32, value: Int32), _ second: (code: Int32, value: Int32) = (-1, 0)
        ) throws(FFPortError) {
            try check(cevdev_write(descriptor, first.code, first.value, second.code, second.value))
        }

        private static func check(_ error: Int32) throws(FFPortError) {
            guard error == 0 else { throw FFPortError(errno: error) }
        }
    }

    extension ff_effect {
        /// Along the first axis: a wheel has no other.
        private static let leftward: UInt16 = 0x4000

        fileprivate init(_ effect: FFEffect, id: Int16) {
            self.init()
            self.id = id
            direction = Self.leftward
            replay = ff_replay(length: effect.lengthMs, delay: 0)
            let envelope = ff_envelope(
                attack_length: effect.envelope.attackMs, attack_level: effect.envelope.attackLevel,
                fade_length: effect.envelope.fadeMs, fade_level: effect.envelope.fadeLevel)
            switch effect.form {
            case .rumble(let strong, let weak):
                type = UInt16(FF_RUMBLE)
                u.rumble = ff_rumble_effect(strong_magnitude: strong, weak_magnitude: weak)
            case .periodic(let waveform, let period, let magnitude):
                type = UInt16(FF_PERIODIC)
                u.periodic.waveform = waveform.rawValue
                u.periodic.period = period
                u.periodic.magnitude = Int16(magnitude)
                u.periodic.envelope = envelope
            case .constant(let level):
                type = UInt16(FF_CONSTANT)
                u.constant = ff_constant_effect(level: Int16(level), envelope: envelope)
            }
        }
    }
#endif
