// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
public import HapticWire

/// All methods.
public enum Methods {
    static let all: [any ServedCall.Type] = [
        ProgressParams.self, ReleaseParams.self, EventParams.self, PlayParams.self, PresentParams.self, HoldParams.self,
        TaskParams.self, ConditionParams.self, CancelParams.self, TransactionParams.self, PrepareParams.self,
        SettingsParams.self, PatternsParams.self, ActuatorsParams.self, SubscribeParams.self, StatusParams.self,
        HistoryParams.self, ReloadParams.self, HelloParams.self, DiscoverParams.self,
    ]

    /// The same, for descriptions.
    public static var calls: [any WireCall.Type] { all }

    private static let named = Dictionary(uniqueKeysWithValues: all.map { (Text($0.method), $0) })

    static func named(_ name: Text) -> (any ServedCall.Type)? { named[name] }
}

/// A call with its handler: what the service does for it. Each method has one, in Methods/.
///
/// A call is an input or another item for the engine (`item`), or a question (`reply`), or it is answered while its line is read (`take`).
protocol ServedCall: WireCall {
    /// What the call needs beside the connection; nil: nothing.
    func privilege(in service: FeedbackService, for client: Client) -> Privilege?
    /// Throws where no configuration lets `client` do it.
    func checkAccess(in service: FeedbackService, for client: Client, at now: MonotonicInstant) throws(WireError)

    /// What the engine is to decide; nil: it does not decide this.
    ///
    /// - Parameters:
    ///   - resolver: Looks up names, and pays for that.
    ///   - client: Who asks.
    ///   - readAt: When the call was read, which is when an input happened that does not say so itself.
    func item(
        _ resolver: inout CallResolver, of client: ClientIdentity, readAt: MonotonicInstant
    ) throws(WireError) -> BatchItem?
    /// Takes the call while its line is read.
    func take(in service: FeedbackService, for client: Client) throws(WireError) -> CurrentLine.Taken

    /// Answers a question, once the items of its line have been decided; nil: there is nothing to say.
    func answer(in service: FeedbackService, for client: Client, wantsReply: Bool, at now: MonotonicInstant) -> Reply?
    /// The answer for a client that waits for it.
    func reply(in service: FeedbackService, for client: Client, at now: MonotonicInstant) -> Reply?

    /// What a refused call is shown as in a decision; nil: it is no input.
    static var input: Decision.InputKind? { get }
    /// The part of a set that the call is; nil: it is none.
    var setPart: SetPart? { get }
    /// Whether the pattern of a play goes on in the next one; nil: it is in one piece, or this is no play.
    var patternGoesOn: Bool? { get }
    /// The hold that the call lets go of.
    var releasedHold: String? { get }
    /// Who an input is about, what it is named and which app it is of, for a decision on one that is not looked into any further.
    var subject: Subject { get }
}

/// Whom a refused input is about.
struct Subject {
    var source: String?
    var name: String?
    var app: String?
}

extension ServedCall {
    func privilege(in _: FeedbackService, for _: Client) -> Privilege? { nil }

    func checkAccess(in service: FeedbackService, for client: Client, at now: MonotonicInstant) throws(WireError) {
        try checkPrivilege(in: service, for: client, at: now)
    }

    /// Throws where the configuration keeps the call to others.
    func checkPrivilege(in service: FeedbackService, for client: Client, at now: MonotonicInstant) throws(WireError) {
        guard let privilege = privilege(in: service, for: client), !service.clients.rights.has(privilege, client) else { return }
        let refusal = service.clients.rights.refusal(of: privilege, isScoped: client.isScoped)
        throw service.outputs.refused(refusal, to: client.peer.user, at: now)
    }

    func item(
        _: inout CallResolver, of _: ClientIdentity, readAt _: MonotonicInstant
    ) throws(WireError) -> BatchItem? { nil }

    func take(in service: FeedbackService, for client: Client) throws(WireError) -> CurrentLine.Taken {
        let item = try item(&service.line.resolver, of: client.identity, readAt: service.line.readAt)
        return item.map { .item($0, .plain) } ?? .question
    }

    /// Nobody answers a client that has hung up: others shall not wait for an answer that nobody hears.
    func answer(in service: FeedbackService, for client: Client, wantsReply: Bool, at now: MonotonicInstant) -> Reply? {
        wantsReply && !client.hasHungUp ? reply(in: service, for: client, at: now) : nil
    }

    func reply(in _: FeedbackService, for _: Client, at _: MonotonicInstant) -> Reply? { nil }

    static var input: Decision.InputKind? { nil }
    var setPart: SetPart? { nil }
    var patternGoesOn: Bool? { nil }
    var releasedHold: String? { nil }
    var subject: Subject { Subject() }
}

extension ServedCall where Self: InputParams {
    /// An input has the name of its method.
    static var input: Decision.InputKind? { Decision.InputKind(rawValue: method) }
    var subject: Subject { Subject(source: id, app: app) }
}
