// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticWire

/// What an `Arranger` makes more of what clients say.
extension Sayings {
    /// In whole milliseconds.
    mutating func spread(_ request: inout Request, _ sent: inout Sent) -> [String] {
        switch arranger.spread(request.pattern, over: request.motors, on: board) {
        case nil: return []
        case .stagger(let interval, let origin):
            let milliseconds = max(1, interval / 1_000_000)
            request.spread = .stagger(milliseconds * 1_000_000, origin)
            return [#""staggerMs":\#(milliseconds),"from":"\#(origin.rawValue)""#]
        case .handOver(let to, let length):
            let milliseconds = max(1, length / 1_000_000)
            request.spread = .handOver(to: to, milliseconds * 1_000_000)
            sent.errors.insert(ErrorNumber.params)
            return [#""handOver":{"to":"\#(motorNames[to])","durationMs":\#(milliseconds)}"#]
        }
    }

    /// Puts a `transaction` before `items`.
    func begin(_ kind: Arranger.Transaction, _ items: inout [(text: String, sent: Sent)], of client: WalkClient) {
        var sent = Sent(id: client.nextNumber(), result: "feedback")
        if service.rate != nil { sent.errors.insert(ErrorNumber.quota) }
        var param = #""feedback":"off""#
        switch kind {
        case .off: for index in items.indices { items[index].sent.isSilent = true }
        case .late: param = #""deadlineMs":0.001"#
        case .pattern(let name):
            param = #""feedback":"\#(name)""#
            for index in items.indices { items[index].sent.request?.pattern = name }
        case .wrong:
            param = #""feedback":"sofd""#
            sent = refused(sent, ErrorNumber.params)
            for index in items.indices {
                items[index].sent = refused(items[index].sent, ErrorNumber.request)
                items[index].sent.isUndone = true
            }
        }
        items.insert((Self.text("transaction", [param], sent.id), sent), at: 0)
    }

    /// Ends a phase of something that plays; nil: not this time.
    mutating func ending(_ sent: inout Sent, by client: WalkClient) -> (String, [String])? {
        let mode = #""mode":"advance""#
        switch arranger.ending(of: open.filter { $0.source?.user == client.user }) {
        case nil: return nil
        case .release(let source):
            (sent.result, sent.source) = ("seq", source.id)
            return ("release", [])
        case .advance(.all, _):
            sent.result = "cancelled"
            if !client.isPrivileged { sent = refused(sent, ErrorNumber.notAllowed) }
            return ("cancel", [#""all":true"#, mode])
        case .advance(.source(let id), _):
            sent.result = "cancelled"
            return ("cancel", [#""id":"\#(id)""#, mode])
        case .advance(.playback(let playback), _):
            sent.result = "cancelled"
            if !client.isPrivileged { sent.errors.insert(ErrorNumber.notAllowed) }
            return ("cancel", [#""playback":\#(playback.value)"#, mode])
        }
    }
}
