// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticPatterns
import HapticPlanning
import HapticText
import HapticWire
import TestSupport
import Testing

@testable import HapticService

@Suite("Calls and their replies") struct CallTests {
    @Test("A play reaches the executor before it is counted or reported, and is answered")
    func handedOutFirst() throws {
        let bench = try Bench()
        let client = try bench.connect()
        _ = bench.ask(.subscribe(.decisions), of: client)
        bench.service.removeOutputs()
        var seen: [[Int]] = []
        let service = bench.service
        bench.sink.onCommit = { seen.append([service.statistics.awaitedCount, service.outputs.all.count]) }
        let decision = bench.ask(.play("soft"), of: client)?.decision
        #expect((decision?.outcome, decision?.actuators) == (.played, ["main"]))
        #expect(bench.sink.actuations.first?.level.isOn == true)
        #expect(seen == [[0, 0]])
        #expect(bench.service.statistics.awaitedCount == 1)
        #expect(bench.outputs().map(\.name) == ["decision"])
    }

    @Test("A line of cancels that end a phase of every playback is charged for each playback")
    func advances() throws {
        let names = (0..<64).map { "motor-\($0)" }
        let bench = try Bench { $0 = try Bench.configuration(actuators: names) }
        let client = try bench.connect()
        let line = Array(repeating: Request(.cancel(CancelParams(.all, mode: .advance))), count: 256)
        #expect(bench.say(line, of: client).allSatisfy { $0?.error == nil }, "nothing plays")
        for name in names {
            var play = PlayParams(pattern: .named("minute"))
            play.actuators = [name]
            _ = bench.ask(.play(play), of: client)
        }
        let errors = bench.say(line, of: client).map { $0?.error?.code }
        // 64 playbacks are 32,000 of the units of a line, 600,000.
        let first = try #require(errors.firstIndex(of: ErrorCode.quota.rawValue))
        #expect((8...18).contains(first))
    }

    @Test("The rate refuses the second of two releases of one hold in a line")
    func releases() throws {
        let bench = try Bench {
            $0.clientBounds.requestsPerUser = 1
            try $0.addHolds()
        }
        let client = try bench.connect()
        #expect(bench.ask(.hold("pay", .down), of: client)?.decision?.reason == .pressed)
        let replies = bench.say([Request(.hold("pay", .up)), Request(.hold("pay", .up))], of: client)
        #expect(replies[0]?.decision?.reason == .released)
        #expect(replies[1]?.error?.code == ErrorCode.quota.rawValue)
    }

    @Test("A line is one transaction: the later item takes the source, and replies are in the order of the requests")
    func transaction() throws {
        let bench = try Bench()
        let requests = [
            Request(.play("minute", id: "a")), Request(.play("sotf")),
            Request(.release(ReleaseParams(id: "b")), wantsReply: false),
            Request(.askSettings), Request(.play("soft", id: "a")),
        ]
        let replies = bench.say(requests, of: try bench.connect())
        #expect(replies.map { $0?.decision?.reason } == [.superseded, nil, nil, nil, nil])
        #expect(replies[1]?.error?.data?.didYouMean == "soft")
        #expect(replies[2] == nil)
        #expect(replies[3]?.settings?.profile.value == .full)
        #expect(replies[4]?.decision?.outcome == .played)
    }

    @Test("A batch loses only the items that are not allowed; a notification among them counts as refused, too")
    func notAllowed() throws {
        let bench = try Bench { $0.access[.profile] = AccessList(users: [Account(name: "ada", id: 1001)]) }
        let client = try bench.connect(user: 1002)
        let requests = [
            Request(.play("soft")), Request(.set(.silent)), Request(.set(.silent), wantsReply: false), Request(.askSettings),
        ]
        let replies = bench.say(requests, of: client)
        #expect(replies[0]?.decision?.outcome == .played)
        #expect(replies[1]?.error?.code == ErrorCode.notAllowed.rawValue)
        #expect(replies[2] == nil)
        #expect(replies[3]?.settings?.profile.value == .full)
        #expect(bench.status(of: client)?.refused == [.init(by: "profile", count: 2)])
    }

    @Test("A mistake in a call is reported with its member and a suggestion")
    func wrongMember() throws {
        let bench = try Bench { $0 = try Bench.configuration(actuators: ["main", "left", "right", "front", "back"]) }
        let client = try bench.connect()
        let differences = TextCases.differences(in: "mistakes/calls") { call in
            let words = call.split(separator: " ", maxSplits: 1)
            let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(words[0])","params":\#(words[1])}"#
            guard case .single(let message) = ClientLine(Array(line.utf8)) else { return [] }
            let reply = bench.say([Request(message)], of: client)[0]
            guard let error = reply?.error else { return [reply?.decision?.outcome.rawValue ?? "no decision"] }
            return [error.data?.path ?? error.message] + [error.data?.didYouMean].compactMap(\.self)
        }
        #expect(differences == [])
    }

    @Test(
        "An unknown pattern whose name asks for pulses is answered with the short form", arguments: ["pulse", "vibrate", "Buzz"])
    func pulses(name: String) throws {
        let bench = try Bench()
        let error = bench.ask(.play(name), of: try bench.connect())?.error
        #expect(error?.data?.path == "pattern")
        #expect(
            error?.message
                == "`pattern`: unknown pattern `\(name)`; pulses and pauses in milliseconds are a pattern object, such as `{\"pulses\": [100, 50, 100]}`"
        )
    }

    @Test("A notification has no reply; one that cannot be used becomes a decision, and is counted")
    func notification() throws {
        let bench = try Bench()
        let (watcher, client) = (try bench.connect(), try bench.connect())
        _ = bench.ask(.subscribe(.decisions), of: watcher)
        // A pattern of its own that cannot be read: who it is of is known all the same.
        var unread = PlayParams(pattern: .inline(Node(.object([]))))
        (unread.id, unread.app) = ("y", "till")
        let wrong = [
            Request(.play("sotf", id: "x"), wantsReply: false), Request(.play(unread), wantsReply: false),
            try .unusable("event", wantsReply: false),
            try .unusable("status", wantsReply: false),
            try .unusable("nothing", wantsReply: false),
        ]
        #expect(bench.say(wrong, of: client) == [nil, nil, nil, nil, nil])
        let decisions = bench.decisions()
        #expect(decisions.map(\.input) == [.play, .play, .event])
        #expect(decisions.map(\.source) == ["x", "y", nil])
        #expect(decisions.map(\.app) == [nil, "till", nil])
        #expect(decisions.map(\.outcome) == [.failed, .failed, .failed])
        #expect(decisions.map(\.reason) == [.invalidParams, .invalidParams, .invalidParams])
        #expect(bench.status(of: client)?.invalidNotifications == 5)
    }

    @Test("A client that has hung up is not answered, and its requests are carried out")
    func hungUp() throws {
        let bench = try Bench()
        let (client, other) = (try bench.connect(), try bench.connect())
        client.hasHungUp = true
        let calls: [Call] = [
            .status, .patterns(PatternsParams()), .actuators, .askSettings, .discover, .subscribe(.decisions),
            .prepare(PrepareParams(patterns: ["soft"])),
        ]
        #expect(bench.say(calls.map { Request($0) }, of: client).allSatisfy { $0 == nil })
        #expect(bench.service.subscribers.isEmpty)
        #expect(bench.outputs().isEmpty)
        _ = bench.say([Request(.play("minute"))], of: client)
        #expect(bench.status(of: other)?.playbacks == 1)
    }

    /// A list of patterns with the longest texts: six bytes for each byte of a description, and for each two bytes of a name,
    /// which has no control characters of one byte; and numbers of many digits.
    private static func longList() throws -> ServiceConfiguration {
        var configuration = try Bench.configuration()
        var patterns = configuration.engine.patterns
        let (description, rest) = (String(repeating: "\u{1}", count: 800), String(repeating: "\u{85}", count: 61))
        let level = Level(intensity: Intensity(clamping: 0.012345678901234567), sharpness: .zero)
        let length = Nanoseconds(59_999_999_999)
        let timeline = Timeline(
            frames: [.init(offset: .zero, level: level), .init(offset: length, level: .off)], duration: length)
        for number in 0..<1200 {
            // As long as a name may be.
            let name = Text("\(100_000 + number)" + rest)
            #expect(name.string.utf8.count == Pattern.Limit.nameLength)
            patterns[name] = PlayablePattern(name: name.string, timeline: timeline)
            configuration.patternDescriptions[name] = description
        }
        configuration.engine = try EngineConfiguration(actuators: configuration.engine.actuators, patterns: patterns)
        return configuration
    }

    @Test("A list of patterns that is too long for one answer comes in parts, each within a line of the daemon")
    func longList() throws {
        let bench = try Bench { $0 = try Self.longList() }
        let client = try bench.connect()
        let all = bench.service.configuration.engine.patterns.keys.sorted().map(\.string)
        var names: [String] = []
        for _ in 1...3 {
            let part = try #require(bench.ask(.patterns(PatternsParams(after: names.last)), of: client)?.patterns)
            #expect(WireWriter.answer(part, to: .integer(1)).count <= WireLimit.daemonLine)
            #expect(part.patterns.count <= Listings.mostPatterns)
            names += part.patterns.map(\.name)
            #expect(part.more == (names.count < all.count))
        }
        #expect(names == all)
        #expect(bench.ask(.patterns(PatternsParams(after: "zzz")), of: client)?.patterns == PatternsResult(patterns: []))
    }

    @Test("A pattern that is asked for by its name comes with its outline, and one that nobody knows is refused")
    func onePattern() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let soft = try #require(bench.ask(.patterns(PatternsParams(name: "soft")), of: client)?.patterns?.patterns)
        #expect(soft.map(\.name) == ["soft"])
        #expect(soft.first?.outline?.points.count == 4)
        let all = try #require(bench.ask(.patterns(PatternsParams()), of: client)?.patterns?.patterns)
        #expect(all.allSatisfy { $0.outline == nil })
        let error = bench.ask(.patterns(PatternsParams(name: "sofd")), of: client)?.error
        #expect((error?.data?.path, error?.data?.didYouMean) == ("name", "soft"))
    }

    @Test("All requests of a line are answered as of one instant, except for the changes that they make")
    func oneInstant() throws {
        let bench = try Bench()
        let calls: [Call] = [.status, .play("soft"), .status, .subscribe(.decisions), .status]
        let status = bench.say(calls.map { Request($0) }, of: try bench.connect()).compactMap { $0?.status }
        #expect(status.map(\.playbacks) == [1, 1, 1])
        #expect(status[0] == status[1])
        #expect(status.map(\.subscribers) == [0, 0, 1])
    }

    @Test("A status that each `subscribe` of a line changes is charged, and refused once the line has nothing left")
    func changingStatus() throws {
        let bench = try Bench { $0 = try Bench.configuration(actuators: (0..<8).map { "motor-\($0)" }) }
        let client = try bench.connect()
        let same = Array(repeating: Request(.status), count: 256)
        #expect(bench.say(same, of: client).allSatisfy { $0?.status != nil }, "one status is made for all of them")
        let changing = (0..<128).flatMap { index in
            [Request(index % 2 == 0 ? .subscribe(.decisions) : .subscribe()), Request(.status)]
        }
        let replies = bench.say(changing, of: client)
        // 256 messages of 100 bytes leave 344,000 of a line's 600,000 units.
        #expect(replies.count { $0?.status != nil } == 344_000 / (16_000 + 8 * 2000))
        #expect(replies.last??.error?.code == ErrorCode.quota.rawValue)
        #expect(bench.status(of: client)?.subscribers == 0, "every `subscribe` has counted")
    }

    @Test("Topics are wanted for as long as any client subscribes to them")
    func wantedTopics() throws {
        let bench = try Bench()
        let (one, other) = (try bench.connect(), try bench.connect())
        _ = bench.ask(.subscribe(.decisions, .holds), of: one)
        _ = bench.ask(.subscribe(.decisions), of: other)
        #expect(bench.service.outputs.subscriptions.topics == [.decisions, .holds])
        _ = bench.ask(.subscribe(.settings), of: one)
        #expect(bench.service.outputs.subscriptions.topics == [.decisions, .settings])
        bench.service.disconnect(other, at: bench.now)
        #expect(bench.service.outputs.subscriptions.topics == [.settings])
        _ = bench.ask(.subscribe(), of: one)
        #expect(bench.service.outputs.subscriptions.topics.isEmpty)
    }

    @Test("Once the service stops, waiting requests are answered, new ones are refused, and notifications are decided so")
    func shutDown() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let ticket = bench.ask(.play("minute", wait: true), of: client)?.ticket
        _ = bench.ask(.subscribe(.decisions), of: client)
        bench.service.shutDown(at: bench.now)
        let late = try #require(bench.outputs().first { $0.late != nil })
        guard let result: PlayResult = late.late?.result() else {
            Issue.record("not the end of a play")
            return
        }
        #expect((late.lateTicket, result.ending?.reason) == (ticket, .shutdown))
        #expect(bench.ask(.play("soft"), of: client)?.error?.code == ErrorCode.shuttingDown.rawValue)
        #expect(throws: WireError.shuttingDown) { try bench.connect() }
        _ = bench.say([Request(.progress(ProgressParams(value: .one)), wantsReply: false)], of: client)
        #expect(bench.decisions().map(\.reason) == [.shutdown])
        #expect(bench.service.statistics.invalidNotifications == 0)
    }
}
