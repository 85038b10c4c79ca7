// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticMotors
public import HapticWire

extension MotorResult {
    /// `isAssumed`: the configuration does not describe it.
    public init(_ model: MotorModel, isAssumed: Bool = false) {
        self.init(
            name: MotorLibrary.name(of: model), assumed: isAssumed, kind: model.kind.rawValue, riseMs: model.rise.inMilliseconds,
            fallMs: model.fall.inMilliseconds,
            start: model.start.value, hold: model.hold.value, minPulseMs: model.minPulse.inMilliseconds,
            resonanceHz: model.resonance, q: model.q,
            overdrive: model.overdrive.map { Overdrive(level: $0.level.value, forMs: $0.time.inMilliseconds) },
            brake: model.brake)
    }

    /// The same as a model; nil where it is none that this version knows, or contradicts itself.
    public var model: MotorModel? {
        guard let kind = MotorModel.Kind(text: Text(kind)), let rise = time(riseMs), let fall = time(fallMs),
            let start = Share(start), let hold = Share(hold), let minPulse = time(minPulseMs)
        else { return nil }
        var model = MotorModel(
            kind: kind, rise: rise, fall: fall, start: start, hold: hold, minPulse: minPulse, resonance: resonanceHz, q: q,
            brake: brake)
        if let overdrive {
            guard let level = Drive(overdrive.level), let most = time(overdrive.forMs) else { return nil }
            model.overdrive = MotorModel.Overdrive(level: level, time: most)
        }
        return model.mistakes.isEmpty ? model : nil
    }

    private func time(_ milliseconds: Double) -> Nanoseconds? { Nanoseconds(seconds: milliseconds / 1000) }
}
