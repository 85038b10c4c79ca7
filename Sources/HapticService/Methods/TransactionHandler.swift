// SPDX-License-Identifier: MIT
internal import HapticWire

extension TransactionParams: ServedCall {
    func take(in service: FeedbackService, for _: Client) throws(WireError) -> CurrentLine.Taken {
        .answered(.result(try service.line.resolver.begin(self)))
    }
}
