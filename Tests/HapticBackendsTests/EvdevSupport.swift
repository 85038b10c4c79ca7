// SPDX-License-Identifier: MIT
import Glibc
import HapticCore
import HapticPatterns
import Synchronization

@testable import HapticBackends

/// Abilities as devices have them.
enum Pads {
    static let periodic = FFAbilities(rumble: true, waveforms: [.square, .sine, .triangle], isVirtual: true)
    static let rumble = FFAbilities(rumble: true, isVirtual: true)
    static let constant = FFAbilities(constant: true)
    /// What the kernel says of most game pads.
    static let memoryless = FFAbilities(rumble: true, waveforms: [.square, .sine, .triangle], gain: true)
    /// What it says of a vibrator on a board.
    static let vibrator = FFAbilities(rumble: true, waveforms: [.square, .sine, .triangle], gain: true, hasButtons: false)

    static func holding(_ count: Int, _ abilities: FFAbilities = periodic) -> FFAbilities {
        var abilities = abilities
        abilities.effectCount = count
        return abilities
    }
}

/// Patterns as those that are built in.
enum Examples {
    static let soft = pulse("soft", 0.5, 0.2, ms: 8)
    static let heavy = pulse("heavy", 1, 0.2, ms: 20)
    static let success = timeline(
        "success",
        [
            Keyframe(at: .zero, intensity: .zero, sharpness: Sharpness(clamping: 0.4)),
            Keyframe(
                at: .milliseconds(140), intensity: Intensity(clamping: 0.9), sharpness: Sharpness(clamping: 0.6),
                curve: .spring(Spring(response: .milliseconds(200), dampingFraction: 1)!)),
            Keyframe(
                at: .milliseconds(440), intensity: .zero, sharpness: Sharpness(clamping: 0.3),
                curve: .spring(Spring(response: .milliseconds(250), dampingFraction: 1)!)),
        ])

    static func pulse(_ name: String, _ intensity: Double, _ sharpness: Double, ms: Int64) -> Timeline {
        timeline(
            name,
            [
                Keyframe(at: .zero, intensity: Intensity(clamping: intensity), sharpness: Sharpness(clamping: sharpness)),
                Keyframe(at: .milliseconds(ms), intensity: .zero, sharpness: .zero, curve: .step),
            ])
    }

    /// Lines between levels at times in milliseconds.
    static func lines(_ points: [(ms: Int64, intensity: Double, sharpness: Double)]) -> Timeline {
        timeline(
            "lines",
            points.map {
                Keyframe(
                    at: .milliseconds($0.ms), intensity: Intensity(clamping: $0.intensity),
                    sharpness: Sharpness(clamping: $0.sharpness))
            })
    }

    private static func timeline(_ name: String, _ keyframes: [Keyframe]) -> Timeline {
        // swift-format-ignore: NeverUseForceTry
        Timeline(try! Pattern(name: name, tracks: [.keyframes(keyframes)]))
    }
}

/// A second and `ms` after the start.
func at(_ ms: Int64) -> MonotonicInstant { .zero + .milliseconds(1000 + ms) }

func level(_ intensity: Double, _ sharpness: Double = 0) -> Level {
    Level(intensity: Intensity(clamping: intensity), sharpness: Sharpness(clamping: sharpness))
}

/// What is felt of effects that play together, worked out from what the kernel's documentation says of them, not from the mapping.
func felt(_ effects: [FFEffect]) -> Level {
    effects.reduce(.off) { sum, effect in
        let one: Level =
            switch effect.form {
            case .rumble(let strong, let weak):
                level(
                    (Double(strong) * Double(strong) + Double(weak) * Double(weak)).squareRoot() / 65535,
                    atan2(Double(weak), Double(strong)) / (.pi / 2))
            case .periodic(_, let period, let magnitude):
                level(Double(magnitude) / 32767, log2(20 / Double(period)) / 2)
            case .constant(let push): level(Double(push) / 32767, 0)
            }
        return level(sum.intensity.value + one.intensity.value, max(sum.sharpness.value, one.sharpness.value))
    }
}

/// A device in memory that keeps the kernel's rules (ff-core.c): slots, owners, compatible updates, ENOSPC.
final class ModelPad: FFPort, Sendable {
    struct State {
        var slots: [Int16: FFEffect] = [:]
        var playing: Set<Int16> = []
        var uploads = 0
        var isClosed = false
        /// Slots that another program has.
        var taken = 0
        var failure: Int32?
        /// What must never be asked for.
        var mistakes: [String] = []
    }

    let device = "\"Model\" (/dev/input/event0)"
    let name: String
    let abilities: FFAbilities
    let path: String? = nil
    let state = Mutex(State())
    /// While it hangs, calls wait here.
    private let hangs = Atomic(false)
    private let hasCaller = Atomic(false)

    init(_ abilities: FFAbilities, name: String = "Model") { (self.abilities, self.name) = (abilities, name) }

    var output: Level { felt(playing) }
    var playing: [FFEffect] { state.withLock { state in state.playing.compactMap { state.slots[$0] } } }
    func fail(_ errno: Int32) { state.withLock { $0.failure = errno } }
    func hang(_ hangs: Bool) { self.hangs.store(hangs, ordering: .sequentiallyConsistent) }
    /// Whether it hangs in the middle of a call.
    var isStuck: Bool { hasCaller.load(ordering: .sequentiallyConsistent) }

    private func call<Result>(_ body: (inout State) throws(FFPortError) -> Result) throws(FFPortError) -> Result {
        while hangs.load(ordering: .sequentiallyConsistent) {
            hasCaller.store(true, ordering: .sequentiallyConsistent)
            usleep(1000)
        }
        hasCaller.store(false, ordering: .sequentiallyConsistent)
        let outcome = state.withLock { state -> Swift.Result<Result, FFPortError> in
            if state.isClosed { state.mistakes.append("used after close") }
            if let failure = state.failure { return .failure(FFPortError(errno: failure)) }
            do throws(FFPortError) {
                return .success(try body(&state))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    func upload(_ effect: FFEffect, replacing id: Int16?) throws(FFPortError) -> Int16 {
        try call { state throws(FFPortError) in
            state.uploads += 1
            if let id {
                guard let old = state.slots[id], effect.canReplace(old) else { throw FFPortError(errno: EINVAL) }
                if state.playing.contains(id) { state.mistakes.append("a playing effect was replaced") }
                state.slots[id] = effect
                return id
            }
            guard let free = (0..<Int16(self.abilities.effectCount - state.taken)).first(where: { state.slots[$0] == nil }) else {
                throw FFPortError(errno: ENOSPC)
            }
            state.slots[free] = effect
            return free
        }
    }

    func erase(_ id: Int16) throws(FFPortError) {
        try call { state throws(FFPortError) in
            guard state.slots.removeValue(forKey: id) != nil else { throw FFPortError(errno: EINVAL) }
            if state.playing.remove(id) != nil { state.mistakes.append("a playing effect was erased") }
        }
    }

    func play(_ id: Int16?, stopping other: Int16?) throws(FFPortError) {
        try call { state throws(FFPortError) in
            if let id { state.playing.insert(id) }
            if let other { state.playing.remove(other) }
            if state.playing.contains(where: { state.slots[$0] == nil }) { state.mistakes.append("an empty slot was played") }
            if state.playing.count > 1 { state.mistakes.append("two effects play at once") }
        }
    }

    func close() {
        state.withLock { state in
            if state.isClosed { state.mistakes.append("closed twice") }
            state.isClosed = true
            (state.slots, state.playing) = ([:], [])
        }
    }
}
