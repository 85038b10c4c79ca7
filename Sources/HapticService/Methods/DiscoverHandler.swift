// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticWire

extension DiscoverParams: ServedCall {
    func reply(in service: FeedbackService, for _: Client, at _: MonotonicInstant) -> Reply? {
        .written(service.listings.document(version: service.daemon.version))
    }
}
