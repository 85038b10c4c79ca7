// SPDX-License-Identifier: MIT
package import HapticCore
package import HapticEngine
private import HapticMotors
private import HapticWire

extension JournalRecord.Entry {
    /// 36 years: sums of a few instants fit into 64 bits.
    private static let latest = MonotonicInstant(nanoseconds: 1 << 60)

    /// Why no daemon can have recorded this after `previous` under `configuration`: an engine that takes it could trap. Nil: one can.
    package func mistake(after previous: MonotonicInstant, in configuration: EngineConfiguration) -> String? {
        guard at >= previous, at <= Self.latest else { return "it happens before the event before, or never" }
        switch event {
        case .actuator(let index, _, let found):
            guard found?.model?.mistakes.isEmpty ?? true else { return "no motor moves like that" }
            return Self.mistake([index], configuration)
        case .batch(let items, let work):
            guard items.count <= WorkBudget.mostItems else {
                return "it has more than \(WorkBudget.mostItems) items"
            }
            guard work.left <= WorkBudget.line else { return "no line may cost so much" }
            for item in items {
                switch item {
                case .input(let input): if let mistake = Self.mistake(input, configuration) { return mistake }
                case .change(let change): if case .set(let off) = change.off, let mistake = Self.mistake(off) { return mistake }
                case .cancel, .condition: break
                }
            }
            return nil
        case .settings(let settings): return settings.off.flatMap(Self.mistake)
        case .localTime(let time):
            let isShown = (0..<86_400).contains(time.second) && (0..<1_000_000_000).contains(time.nanosecond)
            return isShown ? nil : "no clock shows that"
        case .slept(let time):
            return (.zero...EngineConfiguration.longestTime).contains(time) ? nil : "no machine sleeps so long"
        case .refusal, .connectionClosed, .configuration, .holdsWait, .shutdown, .time: return nil
        }
    }

    private static func mistake(_ off: Off) -> String? {
        guard case .until(let end) = off else { return nil }
        return (.zero...latest).contains(end) ? nil : "feedback is off until an instant that there is not"
    }

    private static func mistake(_ input: Input, _ configuration: EngineConfiguration) -> String? {
        // trap: a constant.
        let longestDeadline = Nanoseconds(seconds: WireLimit.deadlineMilliseconds.upperBound / 1000)!
        guard input.at >= .zero, (.zero...longestDeadline).contains(input.deadline ?? .zero) else {
            return "no input has such a time"
        }
        switch input.kind {
        case .progress(let progress):
            if let step = progress.step, !(step > 0 && step <= 1) { return "a step is more than 0 and at most 1" }
        case .play(let play):
            guard WireLimit.repetitions.contains(play.repetitions) else { return "nothing is repeated so often" }
            return mistake(play.actuators ?? [], configuration)
        case .present(let present):
            guard present.ids.count <= WireLimit.things else { return "no line has so many ids" }
        case .hold(let holdInput):
            guard holdInput.lease.map(HoldShape.leases.contains) ?? true else { return "no press has such a lease" }
        case .release, .event, .task: break
        }
        return nil
    }

    private static func mistake(_ actuators: [ActuatorIndex], _ configuration: EngineConfiguration) -> String? {
        let known = configuration.actuators.indices
        return actuators.allSatisfy { known.contains($0.value) } ? nil : "there is no such actuator"
    }
}
