// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `hapticctl`'s streams where the daemon refuses requests for their rate.
@Suite("Streams that are faster than the daemon allows")
struct RateTests {
    private func daemon(_ bounds: String) throws -> Daemon {
        let folder = try TemporaryFolder()
        let text = "version: 1\nactuators: [{ name: main, backend: simulated }]\nbounds: { \(bounds) }\n"
        return try Daemon(["--config", folder.write(text, to: "hapticd.yaml")], in: folder)
    }

    private func decisions(_ ended: EndedProgram) -> [[String: Any]] {
        ended.objects.map { $0.object("decision") }.filter { !$0.isEmpty }
    }

    @Test(
        "A completion is felt, however many values were refused before it", arguments: ["requestsPerClient", "requestsPerUser"])
    func completion(bound: String) throws {
        let daemon = try daemon("\(bound): 5/s")
        let records = (1...100).map { "\($0)\n" }.joined()
        let ended = try daemon.ctl("progress", "copy", "--stdin", "--json", "--max", "100", input: records)
        #expect(ended.status == 0, "\(ended.errors)")
        let last = try #require(decisions(ended).last)
        #expect((last.number("value"), last.text("outcome"), last.text("pattern")) == (1, "played", "success"))
    }

    @Test("What was left out is counted: each value was sent, or came too fast")
    func counted() throws {
        let daemon = try daemon("requestsPerClient: 5/s")
        let records = (1...100).map { "\($0)\n" }.joined()
        let ended = try daemon.ctl("progress", "copy", "--stdin", "--max", "100", input: records)
        let summary = try #require(
            try #/copy: (\d+) sent, .*; (\d+) came faster than hapticd allows and were left out/#.firstMatch(in: ended.output),
            "\(ended)")
        #expect((Int(summary.1) ?? 0) + (Int(summary.2) ?? 0) == 100, "\(ended.output)")
    }

    @Test("A charge completes over the rate, and one that is let go goes back to 0", arguments: [nil, "0.5"])
    func charge(releaseAt: String?) throws {
        let daemon = try daemon("requestsPerClient: 5/s")
        let release = releaseAt.map { ["--release-at", $0] } ?? []
        let ended = try runCtl(["charge", "--json", "--socket", daemon.socket] + release, in: daemon.folder)
        #expect(ended.status == 0, "\(ended.errors)")
        let last = try #require(decisions(ended).last)
        if releaseAt == nil {
            #expect((last.number("value"), last.text("pattern")) == (1, "success"), "\(last)")
        } else {
            #expect(last.text("input") == "release", "\(last)")
        }
    }

    @Test("A completion is felt by the next daemon also where that refuses what restores the source")
    func restart() throws {
        let first = try daemon("requestsPerClient: 1/s")
        let stream = try Program(
            "hapticctl", ["progress", "copy", "--stdin", "--json", "--socket", first.socket], in: first.folder)
        stream.write("0.2\n")
        try wait(for: "a decision") { stream.output.contains(#""value":0.2,"#) }
        _ = try first.stop(SIGKILL)
        try wait(for: "the end of the connection to be seen") { stream.output.contains(#""connected":false"#) }
        let second = try Daemon(["--config", first.folder.path("hapticd.yaml")], in: first.folder)
        // The question whether somebody is there takes the only request of this second.
        stream.write("0.6\n1\n")
        stream.closeInput()
        let ended = try stream.wait()
        #expect(ended.status == 0, "\(ended.errors)")
        let all = decisions(ended)
        #expect(all.compactMap { $0.number("value") } == [0.2, 1] && all.last?.text("pattern") == "success", "\(ended.output)")
        #expect(try second.ctl("status", "--json").objects[0].number("sources") == 1)
    }

    @Test("A stream that rests sends nothing, for as long as the daemon says but not for ever, and names what was not delivered")
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
        #expect(ended.status == 1 && ended.errors.contains("copy at 100% was not delivered: too fast"), "\(ended)")
        #expect(connection.availableData.isEmpty, "something was sent after the refusal")
    }
}
