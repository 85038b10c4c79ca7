// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText
public import HapticWire

/// What a client asks for, or what is wrong with it.
public struct Request: Sendable {
    let call: Result<any ServedCall, WireError>
    /// What it asks for, as far as that is known, also where its params are wrong.
    let method: (any ServedCall.Type)?
    /// A notification has no reply.
    public let wantsReply: Bool
    /// Its reply has no id, so that nobody knows what it is a reply to.
    let isAnonymous: Bool
    /// What is known of the part of a set that it is, also where it cannot be used. Nil: it is none.
    let part: SetPart?
    /// The `more` of a `play`, usable or not; `nil` if it is no part of a pattern, or cannot be read.
    let more: Bool?
    /// It is an unusable request that does not say whether it was a part of a pattern.
    let mayHaveBeenPart: Bool

    /// It is a `hello`, also where its params are wrong.
    var isHello: Bool { method.map { $0 == HelloParams.self } ?? false }

    /// Which input it is, also where it cannot be used: a refused one ends in a decision, too. Nil: it is none.
    var input: Decision.InputKind? { method?.input }

    /// - Parameters:
    ///   - call: A call of one of `Methods.all`.
    ///   - wantsReply: Whether it is no notification.
    public init(_ call: some WireCall, wantsReply: Bool = true) {
        // trap: all calls are served.
        guard let call = call as? any ServedCall else { preconditionFailure("nobody serves \(type(of: call))") }
        self.call = .success(call)
        method = type(of: call)
        self.wantsReply = wantsReply
        isAnonymous = false
        part = call.setPart
        more = call.patternGoesOn
        mayHaveBeenPart = false
    }

    public init(_ message: Message) {
        let method = message.method.flatMap { Methods.named($0) }
        self.method = method
        wantsReply = message.id != nil
        isAnonymous = message.id == .null
        do throws(WireError) {
            if let error = message.error { throw error }
            guard let method else { throw Self.unknown(message.method ?? "") }
            let call = try method.init(params: message.params)
            try call.check(at: message.place)
            self.call = .success(call)
            part = call.setPart
            more = call.patternGoesOn
            mayHaveBeenPart = false
        } catch {
            call = .failure(error)
            // What asks for nothing that is known may have been a part.
            let unknown = message.id == .null && method == nil ? SetPart() : nil
            part = method is PresentParams.Type ? PresentParams.part(ofUnusable: message.params) : unknown
            let isPlay = method is PlayParams.Type
            let more = isPlay || method == nil ? PlayParams.more(ofUnusable: message.params, error, isPlay: isPlay) : nil
            self.more = more
            mayHaveBeenPart = more == nil && (method == nil || isPlay)
        }
    }

    private static func unknown(_ name: Text) -> WireError {
        if PulsesHint.isMeant(by: name) {
            return WireError(
                .methodNotFound, "there is no method `\(name)`; write `play`: \(PulsesHint.pattern)",
                data: .init(didYouMean: PlayParams.method))
        }
        let hint = closestMatch(to: name.string, in: Methods.all.map { $0.method })
        let question = hint.map { "did you mean `\($0)`?" } ?? "`rpc.discover` lists them all"
        return WireError(
            .methodNotFound, "there is no method `\(name.prefix(bytes: WireLimit.text))`; \(question)",
            data: hint.map { .init(didYouMean: $0) })
    }
}
