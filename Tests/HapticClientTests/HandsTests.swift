// SPDX-License-Identifier: MIT
import Dispatch
import FoundationEssentials
import Glibc
import HapticClient
import HapticCore
import HapticText
import HapticWire
import Synchronization
import Testing

/// The other end of a connection, in a thread of its own: answers each line with the next of its answers.
private final class Answering: Sendable {
    private let lines = Mutex<[String]>([])
    private let done = DispatchSemaphore(value: 0)

    /// Each answer is what follows the `id`, which counts from 1.
    init(_ connection: Int32, _ answers: [String]) {
        DispatchQueue.global().async { [self] in
            for (index, answer) in answers.enumerated() {
                guard let line = Self.readLine(connection) else { break }
                lines.withLock { $0.append(line) }
                let text = "{\"jsonrpc\":\"2.0\",\"id\":\(index + 1),\(answer)}\n"
                _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
            }
            close(connection)
            done.signal()
        }
    }

    /// One request at a time is there, so its line ends what is read.
    private static func readLine(_ connection: Int32) -> String? {
        var (line, bytes): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 65_536))
        while line.last != UInt8(ascii: "\n") {
            let count = recv(connection, &bytes, bytes.count, 0)
            guard count > 0 else { return nil }
            line += bytes[..<count]
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// What it was asked, once it has given all its answers.
    func asked() throws -> [JSONValue] {
        done.wait()
        return try lines.withLock { try $0.map { try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) } }
    }
}

@Suite("Sets, holds and tasks of a client")
struct HandsTests {
    private let client: HapticClient
    private let daemon: Int32
    private let listener: Listener

    init() throws {
        listener = try Listener()
        client = try HapticClient(paths: [listener.path], app: "till")
        daemon = try listener.takeNext()
    }

    /// The end of an answer: a decision with this reason, or with none.
    private static func decision(_ reason: Reason?, things: Decision.ThingCounts? = nil) -> String {
        var decision = Decision(
            sequence: 1, at: .init(nanoseconds: 1), input: .present, outcome: .suppressed, reason: reason)
        decision.things = things
        return #""result":\#(String(decoding: WireWriter.result(DecisionResult(decision)), as: UTF8.self))"#
    }

    private static let incomplete = decision(.incomplete)
    private static let ids = (0..<20_000).map { "item-\($0)" }

    private static func count(_ params: JSONValue?) -> Int {
        if case .array(let ids)? = params?["ids"] { ids.count } else { 0 }
    }

    @Test("A set goes over as many lines as it takes, and the decision is that of the last one")
    func set() throws {
        let parts = PresentParams(name: "cart", ids: Self.ids).parts().count
        let answers = Array(repeating: Self.incomplete, count: parts - 1)
        let other = Answering(daemon, answers + [Self.decision(nil, things: .init(inserted: 20_000, removed: 0, kept: 0))])
        #expect(try client.present("cart", Self.ids).inserted == 20_000)
        let params = try other.asked().map { $0["params"] }
        #expect(params.count == parts)
        #expect(parts > 3)
        #expect(params.map(Self.count).reduce(0, +) == 20_000)
        #expect(params.map { $0?["more"] == .bool(true) } == (1...parts).map { $0 < parts })
        #expect(params.allSatisfy { $0?["app"] == .string("till") })
        #expect(params.allSatisfy { $0?["atNs"] != nil })
    }

    @Test("After a refused part only the last part is sent; another error ends the set, and a line over the rate is repeated")
    func refused() throws {
        let quota = Self.decision(.quota)
        let tooFast =
            #""error":{"code":-32000,"message":"too many","data":{"limit":"requestsPerClient","most":1,"retryAfterMs":1}}"#
        let kept = Self.decision(.unchanged, things: .init(inserted: 0, removed: 0, kept: 2))
        let stopping = #""error":{"code":-32004,"message":"stopping"}"#
        let other = Answering(daemon, [Self.incomplete, quota, quota, tooFast, kept, Self.incomplete, stopping])
        #expect(try client.present("cart", Self.ids).reason == .quota)
        #expect(try client.present("cart", ["a", "b"]).kept == 2)
        #expect(throws: ClientError.refused(WireError(.shuttingDown, "stopping"))) { try client.present("cart", Self.ids) }
        let params = try other.asked().map { $0["params"] }
        try #require(params.count == 7)
        #expect(Self.count(params[2]) == 0)
        #expect(params[2]?["more"] == nil)
        #expect(params[3]?["ids"] == params[4]?["ids"])
    }

    @Test("A hold and a task send their states, and the notices of a hold reach the client that pressed it")
    func holdAndTask() throws {
        let notice = HoldNotice(
            HoldChange(id: "pay", origin: .client, user: 1, state: .began, value: .zero, at: .init(nanoseconds: 5)))
        let line = String(decoding: WireWriter.notification(.hold(notice)).dropLast(), as: UTF8.self)
        let pressed = Self.decision(.pressed)
        let other = Answering(daemon, [pressed + "}\n" + line.dropLast(), Self.decision(.noRule)])
        var notices: [Notice] = []
        client.onNotice = { notices.append($0) }
        #expect(try client.hold("pay", .down).reason == .pressed)
        #expect(try client.task("copy", .succeeded).reason == .noRule)
        let asked = try other.asked()
        #expect(asked.map { $0["method"] } == [.string("hold"), .string("task")])
        #expect(asked.map { $0["params"]?["state"] } == [.string("down"), .string("succeeded")])
        #expect(asked.map { $0["params"]?["id"] } == [.string("pay"), .string("copy")])
        #expect(notices == [.hold(notice)])
    }
}
