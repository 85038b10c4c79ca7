// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticEngine
internal import HapticWire

/// What the configuration refuses to a user, in words for the client and for the log.
public struct Refusal: Hashable, Sendable {
    public enum Cause: Hashable, Sendable {
        case bound(Bound)
        case access(Privilege)
        /// `cancel` with `untilResumed`, which no configuration gives to anyone else.
        case suspension
        /// All clients together read too slowly, and this one's user the most so.
        case backlog

        /// The key in the configuration.
        public var key: String {
            switch self {
            case .bound(let bound): bound.rawValue
            case .access(let privilege): privilege.rawValue
            case .suspension: "untilResumed"
            case .backlog: "backlog"
            }
        }
    }

    public var cause: Cause
    /// How much the bound allows; 0 where it is no bound.
    var most = 0
    /// Who may, where it is kept to some.
    var allowed = AccessList()
    /// How long until a request is in order again.
    var wait: Nanoseconds?
    /// What was asked for, where another key says who may do it.
    var asked: Privilege?
    /// A client of a door asked for it, which has none of the rights of its door.
    var isScoped = false

    /// What is the matter, without what to do.
    var sentence: String {
        switch cause {
        case .bound(.clients): "\(most) clients are connected, and no more can be"
        case .bound(.clientsPerUser): "the user has \(most) connections, and may have no more"
        case .bound(.requestsPerClient): "more than \(most) requests a second from one client"
        case .bound(.requestsPerUser): "more than \(most) requests a second from the clients of one user"
        case .bound(.sources): "there are \(most) sources, and no more can be"
        case .bound(.sourcesPerUser): "the user has \(most) sources, and may have no more"
        case .bound(.sourcesPerClient): "the client has made \(most) sources, and may make no more"
        case .bound(.things): "the sets of all users may have \(most) things, with 80 bytes of ids for each, and no more"
        case .bound(.thingsPerUser): "the sets of the user may have \(most) things, with 80 bytes of ids for each, and no more"
        case .bound(.playbacks): "there are \(most) playbacks, and no more can be"
        case .bound(.playbacksPerUser): "the user has \(most) playbacks, and may have no more"
        case .bound(.playbacksPerClient): "the client has \(most) playbacks, and may have no more"
        case .backlog: "more than \(most >> 20) MiB wait for clients that do not read, and the one with the most of it is closed"
        case .access(let privilege): "\((asked ?? privilege).action) is kept to \(allowed.words)"
        case .suspension: "`untilResumed` is kept to root and the user that hapticd runs as"
        }
    }

    /// The table of the configuration that holds the key, and the key.
    private var key: String {
        switch cause {
        case .bound(let bound): "bounds: \(bound.rawValue)"
        case .access(let privilege): "access: \(privilege.rawValue)"
        case .suspension: "cancel: untilResumed"
        case .backlog: "backlog"
        }
    }

    /// The sentence; for the client of a door also why it is refused, even if its door may.
    private var explanation: String {
        guard isScoped else { return sentence }
        return "\(sentence), and the client of a door is none of them; a connection without `hello` has the rights of its user"
    }

    /// For the one who is refused.
    func error(user: UInt32) -> WireError {
        switch cause {
        case .bound, .backlog:
            let milliseconds = wait.map { ($0.inMilliseconds * 1000).rounded(.up) / 1000 }
            let advice = milliseconds.map { "try again in \(Int($0.rounded(.up))) ms, or send less" } ?? "try again later"
            return WireError(
                .quota, "\(sentence); \(advice) (`\(key)`)",
                data: .init(limit: cause.key, most: most, retryAfterMs: milliseconds))
        case .access:
            let advice = isScoped ? "" : ", and user \(user) is not among them; \(allowed.advice)"
            return WireError(.notAllowed, "\(explanation)\(advice) (`\(key)`)", data: .init(limit: cause.key))
        case .suspension:
            let advice = isScoped ? "" : "; leave it out"
            return WireError(.notAllowed, explanation + advice, data: .init(path: cause.key))
        }
    }

    /// For the log, with the name of the user where there is one.
    func warning(user: String) -> String {
        "refused to \(subject(user)): \(explanation) (`\(key)`); more of it is only counted, until there is none for \(Int(RefusalLog.quiet.inSeconds)) s"
    }

    /// For the log: how often it was refused after the first time.
    func summary(user: String, count: UInt64) -> String {
        "refused to \(subject(user)) another \(count) times (`\(key)`); none in the last \(Int(RefusalLog.quiet.inSeconds)) s"
    }

    private func subject(_ user: String) -> String { isScoped ? "a client of the door of \(user)" : user }
}

extension Privilege {
    /// What is done by it.
    fileprivate var action: String {
        switch self {
        case .reload: "`reload`"
        case .cancelAll: "ending what others play"
        case .profile: "setting the profile"
        case .settings: "changing what people set"
        case .classes: "naming the class `alarm`"
        case .conditions: "asserting a condition"
        case .speakFor: "speaking for others"
        // It refuses no request: what is kept to others is null.
        case .history: "seeing ids and values of other users"
        }
    }
}

extension AccessList {
    /// Who is in it, beside the two that always are.
    fileprivate var words: String {
        let named = users.filter { $0.id != 0 }.map { "user `\($0.name)`" } + groups.map { "group `\($0.name)`" }
        return (named + ["root"]).joined(separator: ", ") + " and the user that hapticd runs as"
    }

    fileprivate var advice: String {
        guard let group = groups.first else { return "ask one of them, or run it with sudo" }
        return "ask one of them, or join the group (`sudo usermod -aG \(group.name) $USER`, then log in again)"
    }
}
