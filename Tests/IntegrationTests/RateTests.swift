// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `hapticctl`'s streams if the daemon refuses requests for their rate.
@Suite("Streams that are faster than the daemon allows", .ownThreads)
struct RateTests {
    private static let records = (1...100).map { "\($0)\n" }.joined()

    private func decisions(_ ended: EndedProgram) -> [[String: Any]] {
        ended.objects.map { $0.object("decision") }.filter { !$0.isEmpty }
    }

    @Test(
        "A completion is played, however many values were refused before it", arguments: ["requestsPerClient", "requestsPerUser"])
    func completion(bound: String) throws {
        let daemon = try Daemon(
            configuration: "bounds: { \(bound): 20/s }\nclasses: { notification: { deadline: none } }")
        let ended = try daemon.ctl("progress", "copy", "--stdin", "--json", "--max", "100", input: Self.records)
        #expect(ended.status == 0, "\(ended.errors)")
        let last = try #require(decisions(ended).last)
        #expect((last.number("value"), last.text("outcome"), last.text("pattern")) == (1, "played", "success"))
    }

    @Test("Values that are left out are counted; a charge completes over the rate, and a released one goes back to 0")
    func counted() throws {
        let daemon = try Daemon(configuration: "bounds: { requestsPerClient: 20/s }")
        let ended = try daemon.ctl("progress", "copy", "--stdin", "--max", "100", input: Self.records)
        let summary = try #require(
            try #/copy: (\d+) sent, .*; (\d+) came faster than hapticd allows and were left out/#.firstMatch(in: ended.output),
            "\(ended)")
        let (sent, leftOut) = try (#require(Int(summary.1)), #require(Int(summary.2)))
        #expect(sent + leftOut == 100, "\(ended.output)")
        let charge = try daemon.ctl("charge", "--json", "--tick", "1ms")
        #expect(charge.status == 0, "\(charge.errors)")
        #expect(decisions(charge).last?.text("pattern") == "success", "\(charge.output)")
        let released = try daemon.ctl("charge", "--json", "--tick", "1ms", "--release-at", "0.5")
        #expect(decisions(released).last?.text("input") == "release", "\(released.output)")
    }

    @Test("A stream that rests sends nothing, for a bounded time, and names its undelivered values")
    func neverAllowed() throws {
        let folder = try TemporaryFolder()
        let socket = try listeningSocket(at: folder.path("strict.sock"))
        var limit = timeval(tv_sec: Int(patience), tv_usec: 0)
        setsockopt(socket.fileDescriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let stream = try Program(
            "hapticctl",
            ["progress", "copy", "--stdin", "--reconnect-for", "0s", "--socket", folder.path("strict.sock")], in: folder)
        stream.write("0.2\n")
        let descriptor = accept(socket.fileDescriptor, nil, nil)
        try #require(descriptor >= 0, "nobody connects: \(stream.errors)")
        let connection = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        #expect(String(decoding: connection.availableData, as: UTF8.self).contains(#""value":0.2"#))
        let refusal =
            #"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"too fast","data":{"retryAfterMs":1e12}}}"# + "\n"
        connection.write(Data(refusal.utf8))
        // It looks at its connection first, so it knows of the refusal before it reads these.
        stream.write("0.3\n1\n")
        stream.closeInput()
        let ended = try stream.wait()
        #expect(ended.status == 1)
        #expect(ended.errors.contains("copy at 100% was not delivered: too fast"), "\(ended)")
        #expect(connection.availableData.isEmpty, "something was sent after the refusal")
    }
}
