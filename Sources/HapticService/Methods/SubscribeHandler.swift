// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticWire

extension SubscribeParams: ServedCall {
    func answer(in service: FeedbackService, for client: Client, wantsReply: Bool, at _: MonotonicInstant) -> Reply? {
        guard !client.hasHungUp else { return nil }
        service.outputs.subscriptions.subscribe(client, to: topics)
        service.line.status = nil
        return wantsReply ? .result(SubscribeResult(topics)) : nil
    }
}
