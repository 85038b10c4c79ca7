// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticWire

extension ActuatorsParams: ServedCall {
    func reply(in service: FeedbackService, for _: Client, at _: MonotonicInstant) -> Reply? {
        .written(service.listings.actuators(of: service.configuration))
    }
}
