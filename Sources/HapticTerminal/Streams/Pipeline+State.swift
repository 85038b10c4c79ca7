// SPDX-License-Identifier: MIT
import HapticClient
import HapticWire

extension Pipeline {
    enum Link {
        case connected(HapticClient)
        case away(Reconnection)
        /// Connected again, and asked whether somebody is there; the answer has to come by `deadline`.
        case greeting(HapticClient, RequestID, Reconnection, deadline: Int64)
    }

    struct Unanswered {
        var id: RequestID
        var input: StreamInput
        /// Not of the stream: it restores the source of a new daemon.
        var isRestoration = false
    }

    /// The daemon has refused an input for its rate: nothing is sent before `end`, nor before all that was sent is answered.
    struct BackOff {
        var end: Int64
        var reason: ClientError
        /// To be sent at the end of it: that the source was let go.
        var release: ReleaseParams?
        var owesRestoration = false
    }
}
