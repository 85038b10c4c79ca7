// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine

/// A number that stands for all that came out of a walk: the same walk gives the same. FNV-1a, 64 bits.
struct Trace {
    private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    private mutating func add(_ value: UInt64) {
        var rest = value
        for _ in 0..<8 {
            hash = (hash ^ (rest & 0xff)) &* 0x100_0000_01b3
            rest >>= 8
        }
    }

    mutating func add(_ decision: Decision) {
        add(decision.sequence)
        add(UInt64(bitPattern: decision.at.nanoseconds))
        add(decision.playback?.value ?? 0)
        for byte in decision.outcome.rawValue.utf8 { add(UInt64(byte)) }
        for byte in (decision.reason?.rawValue ?? "").utf8 { add(UInt64(byte)) }
    }

    mutating func add(_ action: EngineAction) {
        switch action {
        case .ended(let end):
            add(end.playback.value)
            add(UInt64(bitPattern: end.at.nanoseconds))
        case .interruption(let interruption):
            add(interruption.playback.value)
            add(UInt64(bitPattern: interruption.at.nanoseconds))
        case .actuate(let actuation):
            add(UInt64(bitPattern: actuation.planned.nanoseconds))
            add(actuation.level.intensity.value.bitPattern)
            add(actuation.drive.value.bitPattern)
        case .held(let change):
            add(UInt64(bitPattern: change.at.nanoseconds))
            add(change.value.value.bitPattern)
        case .revoke(let playback, _, let from, _):
            add(playback.value)
            add(UInt64(bitPattern: from.nanoseconds))
        }
    }

    mutating func add(_ actuator: Int, _ change: WitnessDriver.Change) {
        add(UInt64(actuator))
        add(UInt64(bitPattern: change.at))
        add(change.level.bitPattern)
    }
}
