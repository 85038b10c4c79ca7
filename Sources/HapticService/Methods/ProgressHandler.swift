// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

extension ProgressParams: ServedCall {
    func item(
        _ resolver: inout CallResolver, of client: ClientIdentity, readAt: MonotonicInstant
    ) throws(WireError) -> BatchItem? {
        if mode == .follow, step != nil {
            throw .invalid("step", "is about steps, and with `mode: follow` there are none; leave it out")
        }
        let pattern = try resolver.optionalPattern(pattern, path: "pattern")
        let progress = ProgressInput(
            value: value, pattern: pattern, step: step, mode: mode, intensity: intensity ?? resolver.defaults.intensity)
        return try resolver.input(self, .progress(progress), of: client, readAt: readAt)
    }
}
