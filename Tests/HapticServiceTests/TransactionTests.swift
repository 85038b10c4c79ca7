// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticText
import HapticWire
import Testing

@testable import HapticService

/// Lines as clients write them, for where something stands decides what it means.
@Suite("Transactions") struct TransactionTests {
    private let bench: Bench
    private let client: Client

    init() throws {
        bench = try Bench()
        client = try bench.connect()
    }

    /// The replies to a batch of these, each a method and its params; a method with `!` in front is a notification.
    private func say(_ items: [(method: String, params: String)]) -> [Reply?] {
        let requests = items.enumerated().map { index, item in
            let id = item.method.hasPrefix("!") ? "" : #""id":\#(index),"#
            let method = item.method.hasPrefix("!") ? String(item.method.dropFirst()) : item.method
            return #"{"jsonrpc":"2.0",\#(id)"method":"\#(method)","params":\#(item.params)}"#
        }
        guard case .batch(let messages) = ClientLine(Array("[\(requests.joined(separator: ","))]".utf8)) else {
            Issue.record("not a batch")
            return []
        }
        return bench.say(messages.map { Request($0) }, of: client)
    }

    @Test("A request is answered with the defaults now in force, and a notification is not")
    func answer() {
        let replies = say([("transaction", #"{"feedback":"off","intensity":0.5,"app":"till","deadlineMs":20}"#)])
        let all = TransactionResult(feedback: "off", intensity: 0.5, app: "till", deadlineMs: 20)
        #expect(replies == [.transaction(all)])
        let none = TransactionResult(feedback: nil, intensity: nil, app: nil, deadlineMs: nil)
        #expect(say([("transaction", #"{"feedback":null}"#)]) == [.transaction(none)])
        #expect(say([("!transaction", "{}")]) == [nil])
        let inline = #"{"tracks":[{"events":[{"atMs":0,"type":"transient","intensity":0.5}]}]}"#
        for (feedback, name) in [(#""normal""#, "normal"), (#""tick""#, "tick"), (inline, "inline")] {
            guard let result: TransactionResult = say([("transaction", #"{"feedback":\#(feedback)}"#)])[0]?.result() else {
                Issue.record("\(feedback) is refused")
                continue
            }
            #expect(result.feedback == name)
        }
    }

    @Test("Each input of any method has the defaults for its missing members; the next line does not")
    func defaults() {
        let replies = say([
            ("!transaction", #"{"feedback":"tick","intensity":0.5,"app":"till"}"#), ("progress", #"{"id":"p","value":0.5}"#),
            ("play", #"{"pattern":"soft"}"#), ("play", #"{"pattern":"soft","feedback":"normal"}"#),
            ("play", #"{"pattern":"soft","intensity":1,"app":"drawer"}"#), ("release", #"{"id":"p"}"#),
        ])
        let decisions = replies.dropFirst().map { $0?.decision }
        #expect(replies[0] == nil)
        #expect(decisions.map { $0?.pattern } == ["tick", "tick", "soft", "tick", nil])
        #expect(decisions.map { $0?.app } == ["till", "till", "till", "drawer", "till"])
        #expect(decisions.map { $0?.intensity } == [0.5, 0.5, 0.5, 1, nil])
        let later = bench.ask(.play("soft"), of: client)?.decision
        #expect(later?.pattern == "soft")
        #expect(later?.app == nil)
        #expect(later?.intensity == 1)
    }

    @Test("The deadline of an input is a default, too")
    func deadline() {
        let at = (bench.now - .milliseconds(15)).nanoseconds
        let items = [#"{"pattern":"soft","atNs":\#(at)}"#, #"{"pattern":"soft","atNs":\#(at),"deadlineMs":20}"#]
        let replies = say([("!transaction", #"{"deadlineMs":10}"#)] + items.map { ("play", $0) })
        #expect(replies.map { $0?.decision?.reason } == [nil, .stale, nil])
        #expect(replies[2]?.decision?.outcome == .played)
    }

    @Test("With the default `off` state changes without feedback; other methods are carried out as usual")
    func off() {
        _ = bench.ask(.play("minute", id: "a"), of: client)
        let replies = say([
            ("!transaction", #"{"feedback":"off"}"#), ("progress", #"{"id":"p","value":0.5}"#),
            ("settings", #"{"set":{"profile":"quiet"}}"#), ("cancel", #"{"id":"a","mode":"immediate"}"#), ("status", "{}"),
        ])
        #expect(replies[1]?.decision?.reason == .feedbackOff)
        #expect((replies[2]?.settings?.profile.value, replies[3]) == (.quiet, .cancel(CancelResult(cancelled: 1))))
        #expect(replies[4]?.status?.playbacks == 0)
        // The gate has moved.
        let next = ProgressParams(id: "p", value: Progress(clamping: 0.505))
        #expect(bench.ask(.progress(next), of: client)?.decision?.reason == .belowStep)
    }

    @Test("A pattern with open phases as a default is refused by the item that repeats it")
    func openPhases() {
        let replies = say([
            ("transaction", #"{"feedback":{"phases":[{"use":"soft","until":"released"}]}}"#),
            ("play", #"{"pattern":"soft","repeat":2}"#), ("play", #"{"pattern":"soft"}"#),
        ])
        #expect((replies[1]?.error?.data?.path, replies[2]?.decision?.outcome) == ("repeat", .played))
    }

    @Test(
        "The items behind a refused transaction are not carried out, and each answer names the transaction",
        arguments: [
            #"{"feedback":"sofd"}"#, #"{"feedback":true}"#, #"{"intensity":2}"#, #"{"app":""}"#, #"{"deadlineMs":-1}"#,
            #"{"id":"a"}"#, #"{"feedback":{"tracks":[]}}"#, "[]",
        ]) func refused(params: String) throws
    {
        let watcher = try bench.connect()
        _ = bench.ask(.subscribe(.decisions), of: watcher)
        _ = bench.ask(.play("minute", id: "a"), of: client)
        _ = bench.outputs()
        let replies = say([
            ("transaction", params), ("play", #"{"pattern":"soft"}"#), ("cancel", #"{"all":true}"#),
            ("settings", #"{"set":{"profile":"silent"}}"#), ("play", #"{"patern":"soft"}"#),
            ("!event", #"{"name":"a","id":"x"}"#),
        ])
        let own = try #require(replies[0]?.error)
        #expect(own.code == ErrorCode.invalidParams.rawValue)
        for reply in replies[1...3] {
            #expect(reply?.error?.code == ErrorCode.invalidRequest.rawValue)
            #expect(reply?.error?.message == "not done, for the `transaction` of this batch was refused: \(own.message)")
        }
        // What is wrong with one itself goes before that.
        #expect(replies[4]?.error?.data?.path == "patern")
        #expect(replies[5] == nil)
        let notices = bench.notices()
        try #require(notices.count == 1)
        let decision = try #require(notices[0].decision)
        #expect((decision.outcome, decision.reason) == (.failed, .invalidParams))
        #expect(decision.source == "x")
        let status = bench.status(of: client)
        #expect((status?.playbacks, status?.profile) == (1, .full))
        #expect(status?.invalidNotifications == 1)
    }

    @Test("A transaction that is not the first item is refused with the items behind it; those before it stand")
    func misplaced() {
        let replies = say([
            ("transaction", #"{"app":"till"}"#), ("play", #"{"pattern":"soft"}"#), ("transaction", #"{"feedback":"off"}"#),
            ("play", #"{"pattern":"soft"}"#),
        ])
        #expect(replies[1]?.decision?.app == "till")
        #expect(replies[2]?.error?.code == ErrorCode.invalidRequest.rawValue)
        #expect(replies[3]?.error?.message.contains("`transaction` must be the first item of its batch") == true)
        #expect(bench.ask(.play("tick"), of: client)?.decision?.outcome == .played)
    }

    @Test("Over the rate, or while the daemon stops, every item of a transaction is refused for that reason")
    func overRate() throws {
        let strict = try Bench { $0.clientBounds.requestsPerClient = 2 }
        let other = try strict.connect()
        let transaction = Request(.transaction(TransactionParams(feedback: .off)))
        let play = Request(.play("soft"))
        let first = strict.say([transaction, play, play], of: other)
        #expect((first[1]?.decision?.reason, first[2]?.error?.code) == (.feedbackOff, ErrorCode.quota.rawValue))
        let second = strict.say([transaction, play], of: other)
        #expect(second.allSatisfy { $0?.error?.data?.limit == "requestsPerClient" })
        bench.service.shutDown(at: bench.now)
        let last = bench.say([transaction, play], of: client)
        #expect(last.allSatisfy { $0?.error?.code == ErrorCode.shuttingDown.rawValue })
    }

    @Test("A notification that is refused shows the app of its transaction")
    func refusedApp() throws {
        let watcher = try bench.connect()
        _ = bench.ask(.subscribe(.decisions), of: watcher)
        _ = bench.outputs()
        _ = say([("!transaction", #"{"app":"till"}"#), ("!play", #"{"pattern":"sofd"}"#)])
        let decision = try #require(bench.decisions().first)
        #expect((decision.reason, decision.app) == (.invalidParams, "till"))
    }
}
