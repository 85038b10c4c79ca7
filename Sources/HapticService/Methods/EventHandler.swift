// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

extension EventParams: ServedCall {
    func item(
        _ resolver: inout CallResolver, of client: ClientIdentity, readAt: MonotonicInstant
    ) throws(WireError) -> BatchItem? {
        let event = EventInput(
            name: name, value: value, intensity: intensity ?? resolver.defaults.intensity, feedbackClass: feedbackClass)
        return try resolver.input(self, .event(event), of: client, readAt: readAt)
    }

    var subject: Subject { Subject(source: id, name: name, app: app) }
}
