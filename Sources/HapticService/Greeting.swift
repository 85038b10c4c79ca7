// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticWire

/// The beginning of a connection: whether its first line is a `hello`.
enum Greeting {
    /// Nothing has been said.
    case open
    /// The first line was another one: the connection speaks for its user.
    case plain
    case scoped(ClientScope)
    /// The error that answers all requests after a refused `hello`. The connection asked for fewer rights than those of its user.
    case refused(WireError)
}

/// The scope of a connection, with the app and the methods of its `hello`.
struct ClientScope {
    /// As the engine knows it.
    let number: UInt32
    let name: Text
    let app: String
    /// In the order of `Methods.all`.
    let methods: [any ServedCall.Type]

    /// Throws for a method that the `hello` has not named.
    func check(_ method: any ServedCall.Type) throws(WireError) {
        guard !methods.contains(where: { $0 == method }), !Canary.is("scope-calls-anything") else { return }
        let names = methods.map { "`\($0.method)`" }.joined(separator: ", ")
        throw WireError(
            .notAllowed,
            "`\(method.method)` is not among the methods that the `hello` of this connection names (\(names)); the door has to name it there",
            data: .init(limit: "methods"))
    }
}

extension Client {
    var isScoped: Bool { if case .scoped = greeting { true } else { false } }

    /// The app of all that it sends, whatever its lines say; nil: each input says it itself.
    var app: String? { if case .scoped(let scope) = greeting { scope.app } else { nil } }

    /// Notes that something is said. Returns whether `request` is a `hello` before which nothing was.
    func begins(with request: Request) -> Bool {
        guard case .open = greeting else { return false }
        if request.isHello { return true }
        greeting = .plain
        return false
    }

    /// Notes a line that could not be read: a later `hello` is not the first line.
    ///
    /// A first line that has the word `hello` is refused as one. The lines of the door's client may come behind it already, and must not
    /// have the rights of the door.
    func noteUnreadable(_ line: [UInt8], _ fault: WireError) {
        guard case .open = greeting else { return }
        let word = Array(HelloParams.method.utf8)
        let mayBeHello = line.indices.contains { line[$0] == word[0] && line[$0...].starts(with: word) }
        if mayBeHello { refuseGreeting(for: fault) } else { greeting = .plain }
    }

    /// Throws if the beginning of the connection leaves no room for `request`.
    func checkGreeting(_ request: Request) throws(WireError) {
        switch greeting {
        case .open: return
        case .plain:
            guard request.isHello else { return }
            throw WireError(.invalidRequest, "`hello` must be the first line of its connection; open another one for it")
        case .scoped(let scope):
            guard !request.isHello else {
                throw WireError(
                    .invalidRequest, "this connection has said `hello` already; open another one for another client")
            }
            if let method = request.method { try scope.check(method) }
        case .refused(let error): throw error
        }
    }

    /// A `hello` was refused. A connection that has a scope keeps it.
    func refuseGreeting(for error: WireError) {
        switch greeting {
        case .scoped, .refused: return
        case .open, .plain:
            let message = "not done, for the `hello` of this connection was refused: \(error.message)"
            greeting = .refused(WireError(.invalidRequest, message))
        }
    }
}
