// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticWire

extension ConditionParams: ServedCall {
    /// Everyone may release what they assert: a reload may have taken the right away.
    func privilege(in _: FeedbackService, for _: Client) -> Privilege? { on ? .conditions : nil }

    func item(
        _ resolver: inout CallResolver, of client: ClientIdentity, readAt _: MonotonicInstant
    ) throws(WireError) -> BatchItem? {
        // A release needs no right, and the suggestions of an error would tell everyone the names in the configuration.
        let name = on ? try resolver.condition(name, path: "name") : name
        return .condition(ConditionRequest(client: client, name: name, isOn: on))
    }
}

extension ConditionChange {
    /// The answer to the request.
    var reply: Reply {
        switch self {
        case .taken(let name, let isInForce): .result(ConditionResult(name: name, inForce: isInForce))
        case .unknown: .error(.invalid("name", "is no condition of the configuration"))
        case .tooMany:
            .error(
                WireError(
                    .quota,
                    "the user asserts \(ConditionRule.mostPerUser) conditions, counted once for each connection, and may assert no more; release one",
                    data: .init(most: ConditionRule.mostPerUser)))
        }
    }
}
