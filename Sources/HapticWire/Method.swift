// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON

/// What a client can ask for.
public enum Method: String, CaseIterable, Codable, Hashable, Sendable {
    case progress, release, event, play, cancel, prepare, profile, patterns, actuators, subscribe, status, reload
    case discover = "rpc.discover"

    /// All that its params may have.
    public var members: [Member] {
        switch self {
        case .progress: ProgressParams.members
        case .release: ReleaseParams.members
        case .event: EventParams.members
        case .play: PlayParams.members
        case .cancel: CancelParams.members
        case .prepare: PrepareParams.members
        case .profile: ProfileParams.members
        case .subscribe: SubscribeParams.members
        case .patterns, .actuators, .status, .reload, .discover: NoParams.members
        }
    }
}

/// A method with its params, checked as far as the wire goes: names of patterns and actuators are not looked up yet.
public enum Call: Sendable {
    case progress(ProgressParams)
    case release(ReleaseParams)
    case event(EventParams)
    case play(PlayParams)
    case cancel(CancelParams)
    case prepare(PrepareParams)
    case profile(ProfileParams)
    case patterns
    case actuators
    case subscribe(SubscribeParams)
    case status
    case reload
    case discover

    init(_ method: Method?, name: Text, _ params: Node?) throws(WireError) {
        guard let method else {
            let known = Method.allCases.map(\.rawValue)
            let hint = closestMatch(to: name.string, in: known)
            let question = hint.map { "did you mean `\($0)`?" } ?? "`rpc.discover` lists them all"
            throw WireError(
                .methodNotFound, "there is no method `\(name.prefix(bytes: WireLimit.text))`; \(question)",
                data: hint.map { .init(didYouMean: $0) })
        }
        let reader = try ParamsReader(params, accepting: method.members)
        self =
            switch method {
            case .progress: .progress(try ProgressParams(reader))
            case .release: .release(try ReleaseParams(reader))
            case .event: .event(try EventParams(reader))
            case .play: .play(try PlayParams(reader))
            case .cancel: .cancel(try CancelParams(reader))
            case .prepare: .prepare(try PrepareParams(reader))
            case .profile: .profile(try ProfileParams(reader))
            case .subscribe: .subscribe(try SubscribeParams(reader))
            case .patterns: .patterns
            case .actuators: .actuators
            case .status: .status
            case .reload: .reload
            case .discover: .discover
            }
    }
}
