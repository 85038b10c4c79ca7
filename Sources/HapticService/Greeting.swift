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
    /// The error that answers all that follows a refused `hello`: whoever sent it wanted fewer rights than the user has.
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
            .notAllowed, "`\(method.method)` is not among the methods that the `hello` of this connection names: \(names)",
            data: .init(limit: "methods"))
    }
}

extension Client {
    var isScoped: Bool { if case .scoped = greeting { true } else { false } }

    /// The app of all that it sends, whatever its lines say; nil: each input says it itself.
    var app: String? { if case .scoped(let scope) = greeting { scope.app } else { nil } }

    /// Whether `request` is a `hello` before which nothing was said.
    func begins(with request: Request) -> Bool {
        guard case .open = greeting else { return false }
        if request.isHello { return true }
        greeting = .plain
        return false
    }

    /// A line could not be read. After it a `hello` is not the first one.
    func beginsUnreadably() { if case .open = greeting { greeting = .plain } }

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

/// The scopes that connections have named, each with the number by which the engine knows it.
///
/// A scope outlives its connections, as its ids do, until `mostGone` others have gone after it; then it begins anew with another number.
/// Of scopes without a connection the oldest of the user who has the most is forgotten first.
struct ScopeTable {
    static let mostGone = 1024

    private struct Key: Hashable {
        let user: UInt32
        let name: Text
    }

    private struct Known {
        let number: UInt32
        var connections = 0
    }

    private var scopes: [Key: Known] = [:]
    /// Those without a connection, in the order in which they went.
    private var gone: [Key] = []
    private var lastNumber: UInt32 = 0

    var count: Int { scopes.count }

    /// A connection of `user` has named the scope; returns its number.
    mutating func enter(_ name: Text, of user: UInt32) -> UInt32 {
        let key = Key(user: user, name: name)
        var scope = scopes[key] ?? Known(number: unusedNumber())
        if scope.connections == 0 { gone.removeAll { $0 == key } }
        scope.connections += 1
        scopes[key] = scope
        return scope.number
    }

    /// That connection is closed.
    mutating func leave(_ name: Text, of user: UInt32) {
        let key = Key(user: user, name: name)
        guard var scope = scopes[key] else { return }
        scope.connections -= 1
        scopes[key] = scope
        guard scope.connections == 0 else { return }
        gone.append(key)
        if gone.count > Self.mostGone { forgetOne() }
    }

    private mutating func forgetOne() {
        let counts = Dictionary(gone.map { ($0.user, 1) }, uniquingKeysWith: +)
        let user = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
        guard let oldest = gone.firstIndex(where: { $0.user == user }) else { return }
        scopes[gone.remove(at: oldest)] = nil
    }

    private mutating func unusedNumber() -> UInt32 {
        repeat { lastNumber = lastNumber == .max ? 1 : lastNumber + 1 } while scopes.values.contains { $0.number == lastNumber }
        return lastNumber
    }
}
