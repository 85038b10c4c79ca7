// SPDX-License-Identifier: MIT
internal import HapticCore
public import HapticWire

/// What a client asks for, or what is wrong with it.
public struct Request: Sendable {
    public let call: Result<Call, WireError>
    /// A notification has no reply.
    public let wantsReply: Bool
    /// Its reply has no id, so that nobody knows what it is a reply to.
    let isAnonymous: Bool
    /// Which input it is, also where it cannot be used: a refused one ends in a decision, too. Nil: it is none.
    let input: Decision.InputKind?
    /// What is known of the part of a set that it is, also where it cannot be used. Nil: it is none.
    let part: Message.SetPart?
    /// The `more` of a `play`, usable or not; `nil` if it is no part of a pattern, or cannot be read.
    let more: Bool?
    /// It is an unusable request that does not say whether it was a part of a pattern.
    let mayHaveBeenPart: Bool
    /// What stands behind it in its batch is about to have its defaults, also where it cannot be used.
    let isTransaction: Bool

    public init(_ call: Call, wantsReply: Bool = true) {
        self.call = .success(call)
        self.wantsReply = wantsReply
        isAnonymous = false
        input = call.input
        part = call.part
        more = call.more
        mayHaveBeenPart = false
        isTransaction = if case .transaction = call { true } else { false }
    }

    /// One whose params are wrong. `method`: what it asked for, as far as that is known. `more`: that of a `play`, if it has one.
    public init(_ method: Method?, _ error: WireError, more: Bool? = nil, wantsReply: Bool = true) {
        call = .failure(error)
        part = method == .present ? Message.SetPart() : nil
        self.more = more
        mayHaveBeenPart = more == nil && (method == nil || method == .play)
        self.wantsReply = wantsReply
        isAnonymous = false
        input = method?.input
        isTransaction = method == .transaction
    }

    public init(_ message: Message) {
        call = message.call
        isAnonymous = message.id == .null
        // What asks for nothing that is known may have been one.
        let unknown = isAnonymous && message.method == nil ? Message.SetPart() : nil
        part = (try? message.call.get())?.part ?? message.unusablePart ?? unknown
        more = (try? message.call.get())?.more ?? message.unusableMore
        let isUnusable = if case .failure = message.call { true } else { false }
        mayHaveBeenPart = isUnusable && more == nil && (message.method == nil || message.method == .play)
        wantsReply = message.id != nil
        input = message.method?.input
        isTransaction = message.method == .transaction
    }
}

extension Method {
    /// An input has the name of its method.
    fileprivate var input: Decision.InputKind? { Decision.InputKind(rawValue: rawValue) }
}

extension Call {
    fileprivate var input: Decision.InputKind? {
        switch self {
        case .progress: .progress
        case .release: .release
        case .event: .event
        case .play: .play
        case .present: .present
        case .hold: .hold
        case .task: .task
        case .cancel, .transaction, .prepare, .profile, .settings, .patterns, .actuators, .subscribe, .status, .history, .reload,
            .discover:
            nil
        }
    }

    fileprivate var part: Message.SetPart? {
        guard case .present(let params) = self else { return nil }
        return Message.SetPart(name: params.name, more: params.more ?? false)
    }

    fileprivate var more: Bool? { if case .play(let params) = self { params.more } else { nil } }

    /// Who an input is about, what it is named and which app it is of, for a decision on one that is not looked into any further.
    var subject: (source: String?, name: String?, app: String?) {
        switch self {
        case .progress(let params): (params.id, nil, params.app)
        case .release(let params): (params.id, nil, params.app)
        case .event(let params): (params.id, params.name, params.app)
        case .play(let params): (params.id, nil, params.app)
        case .present(let params): (nil, params.name, params.app)
        case .hold(let params): (params.id, nil, params.app)
        case .task(let params): (params.id, nil, params.app)
        default: (nil, nil, nil)
        }
    }
}
