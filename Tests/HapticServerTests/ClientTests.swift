// SPDX-License-Identifier: MIT
import Glibc
import HapticClient
import HapticCore
import HapticText
import HapticWire
import Testing

@Suite("The client library, with a server") struct ClientTests {
    @Test("The client library asks, waits and gets notifications")
    func clientLibraryAsks() throws {
        let daemon = try TestDaemon()
        let client = try HapticClient(paths: [daemon.directory + "/none.sock", daemon.path])
        var notices: [Notice] = []
        client.onNotice = { notices.append($0) }
        _ = try client.call(SubscribeParams(topics: [.playbacks]))
        var play = PlayParams(pattern: .named("soft"))
        play.wait = true
        let result = try client.call(play, timeout: nil)
        #expect(result.ending?.ended == .completed)
        #expect(notices.map(\.name) == ["playback"])
        #expect(throws: ClientError.self) { try client.call(PlayParams(pattern: .named("none"))) }
    }

    @Test(
        "A pattern that is longer than a line is sent in parts, and one that is refused does not keep the next one from being played"
    )
    func large() throws {
        func play(_ interval: Int64) throws -> PlayParams {
            let events = (0..<1024).map {
                #"{"atMs":\#(Int64($0) * interval),"type":"transient","intensity":0.5,"sharpness":0.123456789}"#
            }
            let tree = try JSONReader.node(Array(#"{"tracks":[{"events":[\#(events.joined(separator: ","))]}]}"#.utf8))
            return PlayParams(pattern: .inline(tree))
        }
        let daemon = try TestDaemon()
        let client = try HapticClient(paths: [daemon.path])
        #expect(try play(20).parts().count > 1)
        // The events of its second part are after 60 s.
        #expect(throws: ClientError.self) { try client.send(try play(70)) }
        let result = try client.answer(to: try client.send(try play(20)), as: PlayResult.self)
        #expect((result.decision.outcome, result.pulses) == (.played, 1024))
    }

    @Test("A wait can be interrupted or cancelled, and is still answered")
    func waitedForCanBeInterrupted() throws {
        let daemon = try TestDaemon()
        let client = try HapticClient(paths: [daemon.path])
        var pipe: [Int32] = [-1, -1]
        #expect(Glibc.pipe(&pipe) == 0)
        defer { for descriptor in pipe { close(descriptor) } }
        var play = PlayParams(pattern: .named("minute"))
        play.id = "mine"
        play.wait = true
        let request = try client.send(play)
        client.interruptDescriptor = pipe[0]
        #expect(write(pipe[1], "x", 1) == 1)
        #expect(throws: ClientError.interrupted) { try client.answer(to: request, as: PlayResult.self, timeout: nil) }
        client.interruptDescriptor = nil
        let cancelled = try client.call(CancelParams(.source(id: "mine"), mode: .immediate))
        #expect(cancelled.cancelled == 1)
        let result = try client.answer(to: request, as: PlayResult.self)
        #expect(result.ending?.reason == .requested)
    }

    @Test("A client's inputs have its app, unless they name one themselves")
    func app() throws {
        let daemon = try TestDaemon()
        let client = try HapticClient(paths: [daemon.path], app: "till")
        var input = ProgressParams(id: "a", value: .zero)
        #expect(try client.call(input).app == "till")
        input.app = "drawer"
        #expect(try client.call(input).app == "drawer")
        let nameless = try HapticClient(paths: [daemon.path])
        #expect(try nameless.call(ReleaseParams(id: "a")).app == nil)
    }

    @Test("A batch is one line whose answers are taken one by one, with defaults for its items")
    func batch() throws {
        let daemon = try TestDaemon()
        let client = try HapticClient(paths: [daemon.path], app: "till")
        var batch = Batch(TransactionParams(feedback: .off))
        var own = ProgressParams(id: "b", value: .one)
        own.app = "drawer"
        batch.append(ProgressParams(id: "a", value: .one))
        batch.append(own)
        batch.append(CancelParams(.all))
        batch.append(SettingsParams())
        let ids = try client.send(batch)
        #expect((ids.count, client.untakenCount) == (4, 4))
        #expect(try client.answer(to: ids[3], as: SettingsResult.self).profile.value == .full)
        #expect(try client.answer(to: ids[2], as: CancelResult.self).cancelled == 0)
        let second = try client.answer(to: ids[1], as: DecisionResult.self)
        let first = try client.answer(to: ids[0], as: DecisionResult.self)
        #expect([first, second].map(\.reason) == [.feedbackOff, .feedbackOff])
        #expect([first, second].map(\.app) == ["till", "drawer"])
        #expect(second.seq == first.seq + 1)
        #expect(client.untakenCount == 0)
    }

    @Test("A batch with wrong defaults does nothing, and each answer gives the reason; defaults are optional")
    func batchThatIsRefused() throws {
        let daemon = try TestDaemon()
        let client = try HapticClient(paths: [daemon.path], app: "till")
        var batch = Batch(TransactionParams(feedback: .pattern(.named("sofd"))))
        batch.append(ReleaseParams(id: "a"))
        let error = #expect(throws: ClientError.self) {
            try client.answer(to: try client.send(batch)[0], as: DecisionResult.self)
        }
        #expect(error.map { "\($0)" }?.contains("did you mean `soft`?") == true)
        batch.defaults = nil
        #expect(try client.answer(to: try client.send(batch)[0], as: DecisionResult.self).app == "till")
        #expect(try client.send(Batch()) == [])
        try client.notify(batch)
        var last = ReleaseParams(id: "b")
        last.app = "drawer"
        let decision = try client.call(last)
        #expect((decision.seq, decision.app) == (3, "drawer"))
    }

    @Test("A door sends its `hello` first, and again when it connects again")
    func door() throws {
        let daemon = try TestDaemon()
        let hello = HelloParams(app: "shop", scope: "page", methods: ["progress"])
        let door = try HapticClient(paths: [daemon.path], hello: hello)
        let step = ProgressParams(id: "a", value: Progress(0.5)!)
        #expect(try door.call(step).app == "shop")
        let again = try HapticClient.reconnect(
            paths: [daemon.path], hello: door.hello, Reconnection(lostAt: 0), greet: { _ throws(ClientError) in })
        #expect((again.app, again.hello?.scope) == ("shop", "page"))
        #expect(try again.call(step).reason == .belowStep)
        #expect(try HapticClient(paths: [daemon.path]).call(step).reason != .belowStep)
        #expect(throws: ClientError.self) { try again.call(StatusParams()) }
        let mistaken = HelloParams(app: "shop", scope: "page", methods: ["progres"])
        #expect(throws: ClientError.self) { try HapticClient(paths: [daemon.path], hello: mistaken) }
    }

    @Test("The paths where a daemon may listen are tried in the order of the contract; errors name the group, and a long path")
    func placesWhereADaemon() {
        let environment = ["HAPTICD_SOCKET": "/a", "XDG_RUNTIME_DIR": "/run/user/1"]
        #expect(SocketPath.candidates(explicit: "/b", environment: environment) == ["/b"])
        #expect(SocketPath.candidates(explicit: nil, environment: environment) == ["/a"])
        let both = ["/run/hapticd/hapticd.sock", "/run/user/1/hapticd/hapticd.sock"]
        #expect(SocketPath.candidates(explicit: nil, environment: ["XDG_RUNTIME_DIR": "/run/user/1"]) == both)
        #expect("\(ClientError.noPermission(path: "/run/hapticd/hapticd.sock"))".contains("`haptics`"))
        let long = "/tmp/" + String(repeating: "x", count: 103)
        #expect(throws: ClientError.pathTooLong(path: long)) { try HapticClient(paths: [long]) }
        #expect(throws: ClientError.noDaemon(tried: ["/nowhere"])) { try HapticClient(paths: ["/nowhere"]) }
    }
}
