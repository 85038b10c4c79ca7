// SPDX-License-Identifier: MIT
import HapticClient
package import HapticWire

/// What a stream says of its source.
package enum StreamInput {
    case progress(ProgressParams)
    case release(ReleaseParams)

    /// With the time at which it happened, which is now where it does not say.
    func stamped(at now: Int64) -> StreamInput {
        switch self {
        case .progress(var params):
            params.atNs = params.atNs ?? now
            return .progress(params)
        case .release(var params):
            params.atNs = params.atNs ?? now
            return .release(params)
        }
    }

    func send(by client: HapticClient) throws(ClientError) -> RequestID {
        switch self {
        case .progress(let params): try client.send(params)
        case .release(let params): try client.send(params)
        }
    }
}
