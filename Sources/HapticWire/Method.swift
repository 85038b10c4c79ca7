// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticJSON

/// What a client can ask for.
public enum Method: String, CaseIterable, Codable, Hashable, Sendable {
    case progress, release, event, play, present, hold, task
    case cancel, transaction, prepare, settings, patterns, actuators, subscribe, status, history, reload
    case discover = "rpc.discover"

    /// All that its params may have.
    public var members: [Member] {
        switch self {
        case .progress: ProgressParams.members.map(\.member)
        case .release: ReleaseParams.members.map(\.member)
        case .event: EventParams.members.map(\.member)
        case .play: PlayParams.members.map(\.member)
        case .present: PresentParams.members.map(\.member)
        case .hold: HoldParams.members.map(\.member)
        case .task: TaskParams.members.map(\.member)
        case .cancel: CancelParams.Given.members.map(\.member)
        case .transaction: TransactionParams.members.map(\.member)
        case .prepare: PrepareParams.members.map(\.member)
        case .settings: SettingsParams.members.map(\.member)
        case .subscribe: SubscribeParams.members.map(\.member)
        case .history: HistoryParams.members.map(\.member)
        case .patterns: PatternsParams.members.map(\.member)
        case .actuators, .status, .reload, .discover: NoParams.members.map(\.member)
        }
    }
}

/// A method with its params, checked as far as the wire goes: names of patterns and actuators are not looked up yet.
public enum Call: Sendable {
    case progress(ProgressParams)
    case release(ReleaseParams)
    case event(EventParams)
    case play(PlayParams)
    case present(PresentParams)
    case hold(HoldParams)
    case task(TaskParams)
    case cancel(CancelParams)
    /// The first of its batch.
    case transaction(TransactionParams)
    case prepare(PrepareParams)
    case settings(SettingsParams)
    case patterns(PatternsParams)
    case actuators
    case subscribe(SubscribeParams)
    case status
    case history(HistoryParams)
    case reload
    case discover

    init(_ method: Method?, name: Text, _ params: Node?) throws(WireError) {
        guard let method else {
            if PulsesHint.isMeant(by: name) {
                throw WireError(
                    .methodNotFound, "there is no method `\(name)`; write `play`: \(PulsesHint.pattern)",
                    data: .init(didYouMean: Method.play.rawValue))
            }
            let known = Method.allCases.map(\.rawValue)
            let hint = closestMatch(to: name.string, in: known)
            let question = hint.map { "did you mean `\($0)`?" } ?? "`rpc.discover` lists them all"
            throw WireError(
                .methodNotFound, "there is no method `\(name.prefix(bytes: WireLimit.text))`; \(question)",
                data: hint.map { .init(didYouMean: $0) })
        }
        self =
            switch method {
            case .progress: .progress(try ProgressParams(params))
            case .release: .release(try ReleaseParams(params))
            case .event: .event(try EventParams(params))
            case .play: .play(try PlayParams(params))
            case .present: .present(try PresentParams(params))
            case .hold: .hold(try HoldParams(params))
            case .task: .task(try TaskParams(params))
            case .cancel: .cancel(try CancelParams(CancelParams.Given(params)))
            case .transaction: .transaction(try TransactionParams(params))
            case .prepare: .prepare(try PrepareParams(params))
            case .settings: .settings(try SettingsParams(params))
            case .subscribe: .subscribe(try SubscribeParams(params))
            case .history: .history(try HistoryParams(params))
            case .patterns: .patterns(try PatternsParams(params))
            case .actuators: try Self.actuators.without(params)
            case .status: try Self.status.without(params)
            case .reload: try Self.reload.without(params)
            case .discover: try Self.discover.without(params)
            }
    }

    /// The same, where there are no `params` to it.
    private func without(_ params: Node?) throws(WireError) -> Self {
        _ = try NoParams(params)
        return self
    }
}
