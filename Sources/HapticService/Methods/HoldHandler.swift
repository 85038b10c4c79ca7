// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

extension HoldParams: ServedCall {
    func item(
        _ resolver: inout CallResolver, of client: ClientIdentity, readAt: MonotonicInstant
    ) throws(WireError) -> BatchItem? {
        if leaseMs != nil, state == .up {
            throw .invalid("leaseMs", "is how long a press lasts, and this one ends; leave it out")
        }
        let holdInput = HoldInput(
            state, lease: leaseMs.flatMap { Nanoseconds(seconds: $0 / 1000) }, isDated: atNs != nil)
        return try resolver.input(self, .hold(holdInput), of: client, readAt: readAt)
    }

    var releasedHold: String? { state == .up ? id : nil }
}
