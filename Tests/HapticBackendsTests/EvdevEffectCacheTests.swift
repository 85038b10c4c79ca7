// SPDX-License-Identifier: MIT
import Glibc
import HapticCore
import Synchronization
import TestSupport
import Testing

@testable import HapticBackends

private func effect(_ magnitude: UInt16, _ waveform: FFWaveform = .sine) -> FFEffect {
    FFEffect(.periodic(waveform, periodMs: 10, magnitude: magnitude), lengthMs: 1000)
}

@Suite("The slots of a device") struct EvdevEffectCacheTests {
    @Test("An uploaded effect is played again; the one that was not used for longest leaves")
    func leastRecentlyUsed() {
        var cache = EffectCache(capacity: 2)
        #expect(cache.step(for: effect(1), playing: nil) == .add)
        cache.store(effect(1), id: 0)
        #expect(cache.step(for: effect(2), playing: nil) == .add)
        cache.store(effect(2), id: 1)
        #expect(cache.step(for: effect(1), playing: nil) == .reuse(id: 0))
        #expect(cache.step(for: effect(3), playing: nil) == .replace(id: 1, inPlace: true))
        cache.store(effect(3), id: 1)
        #expect(cache.step(for: effect(2), playing: nil) == .replace(id: 0, inPlace: true))
        #expect(cache.count == 2)
    }

    @Test("Another waveform needs an erase first, because the kernel updates only effects of one waveform")
    func unlike() {
        var cache = EffectCache(capacity: 1)
        cache.store(effect(1), id: 0)
        #expect(cache.step(for: effect(1, .square), playing: nil) == .replace(id: 0, inPlace: false))
        cache.remove(0)
        #expect(cache.step(for: effect(1, .square), playing: nil) == .add)
    }

    @Test("A playing effect keeps its slot, also the only one")
    func playing() {
        var cache = EffectCache(capacity: 2)
        cache.store(effect(1), id: 0)
        cache.store(effect(2), id: 1)
        #expect(cache.step(for: effect(3), playing: 0) == .replace(id: 1, inPlace: true))
        var one = EffectCache(capacity: 1)
        one.store(effect(1), id: 0)
        #expect(one.step(for: effect(2), playing: 0) == .stopFirst)
        #expect(one.step(for: effect(2), playing: nil) == .replace(id: 0, inPlace: true))
    }

    @Test(
        "Prepared effects stay, and leave room for what was not prepared", arguments: [(1, 0), (2, 1), (3, 1), (4, 2), (16, 14)])
    func pinned(capacity: Int, most: Int) {
        var cache = EffectCache(capacity: capacity)
        let effects = (0..<UInt16(capacity)).map { effect($0) }
        for (id, effect) in effects.enumerated() { cache.store(effect, id: Int16(id)) }
        #expect(cache.mostPinned == most)
        #expect(cache.canPin(Array(effects.prefix(most))))
        #expect(!cache.canPin(Array(effects.prefix(most + 1))))
        for effect in effects.prefix(most) { cache.pin(effect) }
        for other in 0..<UInt16(20) {
            guard case .replace(let id, true) = cache.step(for: effect(1000 + other), playing: nil) else {
                Issue.record("no slot for another effect")
                return
            }
            cache.store(effect(1000 + other), id: id)
        }
        #expect(effects.prefix(most).allSatisfy(cache.isPinned))
    }

    @Test("A device with less room than it reports is used with the room that it has")
    func shrinks() {
        var cache = EffectCache(capacity: 16)
        let isOfUse = cache.shrink()
        #expect(!isOfUse)
        cache.store(effect(1), id: 3)
        let isOfUseNow = cache.shrink()
        #expect(isOfUseNow)
        #expect(cache.capacity == 1)
        #expect(cache.step(for: effect(2), playing: nil) == .replace(id: 3, inPlace: true))
    }
}

@Suite("Effects on a device that keeps the kernel's rules") struct EvdevSessionTests {
    @Test(
        "Random plays, stops and preparations lose no slot and play what was asked for", arguments: [1, 2, 16])
    func randomPlays(slots: Int) throws {
        var random = SplitMix64(seed: UInt64(slots))
        let pad = ModelPad(Pads.holding(slots))
        let session = FFSession()
        _ = try session.open { pad }
        var prepared: Set<FFEffect> = []
        for _ in 0..<3000 {
            let chosen = effect(UInt16.random(in: 0..<20, using: &random), Bool.random(using: &random) ? .sine : .square)
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                let before = pad.playing
                if try session.prepare(chosen, isToStay: Bool.random(using: &random)) { prepared.insert(chosen) }
                #expect(pad.playing == before)
            case 1, 2:
                try session.perform(.stop)
                #expect(pad.playing.isEmpty)
            default:
                let uploads = pad.state.withLock { $0.uploads }
                try session.perform(.play(chosen))
                #expect(pad.playing == [chosen])
                if prepared.contains(chosen) { #expect(pad.state.withLock { $0.uploads } == uploads) }
            }
        }
        let state = pad.state.withLock { $0 }
        #expect(state.mistakes == [])
        #expect(state.slots.count <= slots)
        session.close()
        #expect(pad.state.withLock { $0.slots }.isEmpty)
    }

    @Test("If another program holds slots the session uses the others, and reports a device without any")
    func taken() throws {
        let pad = ModelPad(Pads.holding(16))
        let session = FFSession()
        _ = try session.open { pad }
        pad.state.withLock { $0.taken = 13 }
        for magnitude in 0..<UInt16(50) {
            try session.perform(.play(effect(magnitude)))
            #expect(pad.playing == [effect(magnitude)])
        }
        #expect(pad.state.withLock { $0.slots.count } == 3)

        let full = ModelPad(Pads.holding(16))
        full.state.withLock { $0.taken = 16 }
        let other = FFSession()
        _ = try other.open { full }
        #expect(throws: DriverFault(.busy(holder: nil), device: full.device)) { try other.perform(.play(effect(1))) }
    }

    @Test("After a fault the device is closed, so it is off, and the fault stays")
    func fault() throws {
        let pad = ModelPad(Pads.periodic)
        let session = FFSession()
        _ = try session.open { pad }
        try session.perform(.play(effect(1)))
        pad.fail(ENODEV)
        let lost = DriverFault(.deviceLost, device: pad.device)
        #expect(throws: lost) { try session.perform(.play(effect(2))) }
        #expect(pad.state.withLock { $0.isClosed })
        #expect(throws: lost) { try session.perform(.stop) }
        session.close()
        #expect(pad.state.withLock { $0.mistakes } == [])
    }

    @Test("A device that can neither vibrate nor push is refused, and given back")
    func unusable() {
        let pad = ModelPad(FFAbilities(gain: true))
        let session = FFSession()
        #expect {
            try session.open { pad }
        } throws: { error in
            "\(error)".hasPrefix("\(pad.device) cannot be used: it has force feedback but neither vibration")
        }
        #expect(pad.state.withLock { $0.isClosed })
    }
}
