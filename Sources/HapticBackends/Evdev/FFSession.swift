// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticMotors
private import Synchronization

/// One device from being opened to being closed, with what is in its slots. On the device's own thread, but for `giveUp`.
///
/// Unchecked, because only that thread touches what varies, and the compiler cannot see it.
final class FFSession: @unchecked Sendable {
    private var port: (any FFPort)?
    private var cache = EffectCache(capacity: 1)
    private var playing: Int16?
    /// Why it was closed before it was asked to be.
    private var fault: DriverFault?
    private let isGivenUp = Atomic<Bool>(false)

    /// Any thread: nothing that is still to come is played. A device that gets on after a hang must not play what is over.
    func giveUp() { isGivenUp.store(true, ordering: .releasing) }

    /// The properties of an open device.
    struct Opened: Sendable {
        var abilities: FFAbilities
        var path: String?
        var motor: FoundMotor
    }

    func open(_ find: () throws(DriverFault) -> any FFPort) throws(DriverFault) -> Opened {
        let found = try find()
        guard !isGivenUp.load(ordering: .acquiring) else {
            found.close()
            throw DriverFault(.closed, device: found.device)
        }
        let abilities = found.abilities
        guard abilities.form != nil, abilities.effectCount > 0 else {
            found.close()
            throw DriverFault(
                .unusable(
                    why: "it has force feedback but neither vibration (periodic, rumble) nor a constant force",
                    remedy: "run `hapticctl actuators --scan` and name a device that has one of these"),
                device: found.device)
        }
        port = found
        cache = EffectCache(capacity: max(1, abilities.effectCount))
        let motor = EvdevBackend.motor(named: found.name, hasButtons: abilities.hasButtons)
        return Opened(abilities: abilities, path: found.path, motor: FoundMotor(motor))
    }

    /// Does one operation. After a fault the device is closed: then the kernel stops it.
    func perform(_ operation: FFOperation) throws(DriverFault) {
        try use { port throws(FFPortError) in
            switch operation {
            case .play(let effect):
                let id = try self.slot(of: effect, port)
                // First the new one, then no longer the old one, and both at once: no gap between two levels.
                try port.play(id, stopping: self.playing == id ? nil : self.playing)
                self.playing = id
            case .stop:
                guard let id = self.playing else { return }
                try port.play(nil, stopping: id)
                self.playing = nil
            }
        }
    }

    /// Whether `effects` can be kept ready together with those that already are.
    func hasRoom(for effects: [FFEffect]) -> Bool { port != nil && cache.canPin(effects) }

    /// Puts `effect` in a slot without disturbing what plays; true where it is to stay there, which `isToStay` asks for. Else it is
    /// put in a free slot, if there is one, until that is needed.
    func prepare(_ effect: FFEffect, isToStay: Bool) throws(DriverFault) -> Bool {
        try use { port throws(FFPortError) in
            let step = self.cache.step(for: effect, playing: self.playing)
            // Stopped first: the only slot that could be given plays.
            guard step == .add || isToStay && self.cache.canPin([effect]) && step != .stopFirst else { return }
            _ = try self.slot(of: effect, port)
            if isToStay, self.cache.canPin([effect]) { self.cache.pin(effect) }
        }
        return cache.isPinned(effect)
    }

    /// Stops, erases and closes. No effect where it is closed.
    func close() {
        guard let port else { return }
        // Closing does all that by itself; a device that fails here is none to complain about any more.
        if let playing { try? port.play(nil, stopping: playing) }
        for id in cache.ids { try? port.erase(id) }
        end(port)
    }

    private func end(_ port: any FFPort) {
        port.close()
        self.port = nil
        playing = nil
    }

    private func use(_ body: (any FFPort) throws(FFPortError) -> Void) throws(DriverFault) {
        if let fault { throw fault }
        guard let port, !isGivenUp.load(ordering: .acquiring) else { return }
        do throws(FFPortError) {
            try body(port)
        } catch {
            end(port)
            // ENOSPC: all slots are taken, and none of them by us.
            let fault =
                error.errno == ENOSPC
                ? DriverFault(.busy(holder: nil), device: port.device)
                : DriverFault(errno: error.errno, device: port.device, isOpen: true)
            self.fault = fault
            throw fault
        }
    }

    /// The slot that `effect` is in, uploaded where it was in none.
    private func slot(of effect: FFEffect, _ port: any FFPort) throws(FFPortError) -> Int16 {
        while true {
            switch cache.step(for: effect, playing: playing) {
            case .reuse(let id): return id
            case .add:
                do throws(FFPortError) {
                    return try upload(effect, replacing: nil, port)
                } catch {
                    // Another program has some of the slots: go on with those there are.
                    guard error.errno == ENOSPC, cache.shrink() else { throw error }
                }
            case .replace(let id, inPlace: true): return try upload(effect, replacing: id, port)
            case .replace(let id, inPlace: false):
                try port.erase(id)
                cache.remove(id)
            case .stopFirst:
                try port.play(nil, stopping: playing)
                playing = nil
            }
        }
    }

    private func upload(_ effect: FFEffect, replacing id: Int16?, _ port: any FFPort) throws(FFPortError) -> Int16 {
        let id = try port.upload(effect, replacing: id)
        cache.store(effect, id: id)
        return id
    }
}
