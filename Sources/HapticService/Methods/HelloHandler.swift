// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticText
internal import HapticWire

extension HelloParams: ServedCall {
    func privilege(in _: FeedbackService, for _: Client) -> Privilege? { .speakFor }

    func take(in service: FeedbackService, for client: Client) throws(WireError) -> CurrentLine.Taken {
        try checkMethods()
        let (user, name, named) = (client.peer.user, Text(scope), Set(methods.map { Text($0) }))
        let allowed = Methods.all.filter { named.contains(Text($0.method)) }
        let number = service.clients.scopes.enter(name, of: user)
        service.clients.begin(client, as: ClientScope(number: number, name: name, app: app, methods: allowed))
        return .answered(.result(HelloResult(app: app, scope: scope, methods: allowed.map { $0.method })))
    }

    private func checkMethods() throws(WireError) {
        guard let index = methods.firstIndex(where: { Methods.named(Text($0)) == nil }) else { return }
        let word = UnknownWord("method", methods[index], candidates: Methods.all.map { $0.method })
        let path = "methods[\(index)]"
        throw WireError(
            .invalidParams, "`\(path)`: \(word.message)", data: .init(path: path, didYouMean: word.didYouMean))
    }
}
