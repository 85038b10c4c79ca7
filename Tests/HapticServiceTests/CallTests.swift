// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticJSON
import HapticPatterns
import HapticWire
import Testing

@testable import HapticService

@Suite("Calls and their replies") struct CallTests {
    @Test("What is felt is handed out before anything is counted or said of it")
    func handedOutFirst() throws {
        let bench = try Bench()
        let client = try bench.connect()
        _ = bench.ask(.subscribe(.decisions), of: client)
        bench.service.removeOutputs()
        var seen: [[Int]] = []
        let service = bench.service
        bench.sink.onCommit = { seen.append([service.statistics.awaitedCount, service.outputs.all.count]) }
        _ = bench.ask(.play("soft"), of: client)
        #expect(seen.first == [0, 0])
        #expect((bench.service.statistics.awaitedCount, bench.outputs().map(\.name)) == (1, ["decision"]))
    }

    @Test("A line of cancels that end a phase of every playback is charged for each playback")
    func advances() throws {
        let names = (0..<64).map { "motor-\($0)" }
        let bench = try Bench { $0 = try Bench.configuration(actuators: names) }
        let client = try bench.connect()
        let advance = Request(.cancel(CancelParams(.all, mode: .advance)))
        let line = Array(repeating: advance, count: 256)
        #expect(bench.say(line, of: client).allSatisfy { $0?.error == nil }, "nothing plays")
        for name in names {
            var play = PlayParams(pattern: .named("minute"))
            play.actuators = [name]
            _ = bench.ask(.play(play), of: client)
        }
        let errors = bench.say(line, of: client).map { $0?.error?.code }
        // 64 playbacks are 32,000 of the units of a line, 600,000.
        #expect(errors.firstIndex(of: ErrorCode.quota.rawValue).map { (8...18).contains($0) } == true)
    }

    @Test("Of two releases of one hold in a line, the rate refuses the second")
    func releases() throws {
        let rule = HoldRule(
            match: .clients(Glob("*")), feedback: RuleFeedback(pattern: "soft", feedbackClass: .texture), complete: "tick")
        let bench = try Bench {
            $0.clientBounds.requestsPerUser = 1
            $0.engine = try EngineConfiguration(
                actuators: $0.engine.actuators, holdRules: [rule], patterns: $0.engine.patterns)
        }
        let client = try bench.connect()
        #expect(bench.ask(.hold(HoldParams(id: "pay", state: .down)), of: client)?.decision?.reason == "pressed")
        let up = Request(.hold(HoldParams(id: "pay", state: .up)))
        let replies = bench.say([up, up], of: client)
        #expect(replies[0]?.decision?.reason == "released")
        #expect(replies[1]?.error?.code == ErrorCode.quota.rawValue)
    }

    @Test("A line is one transaction: the later item takes the source, and replies are in the order of the requests")
    func transaction() throws {
        let bench = try Bench()
        let requests = [
            Request(.play("minute", id: "a")), Request(.play("sotf")),
            Request(.release(ReleaseParams(id: "b")), wantsReply: false),
            Request(.askProfile), Request(.play("soft", id: "a")),
        ]
        let replies = bench.say(requests, of: try bench.connect())
        #expect(replies.count == 5)
        #expect(replies[0]?.decision?.reason == "superseded")
        #expect(replies[1]?.error?.data?.didYouMean == "soft")
        #expect(replies[2] == nil)
        #expect(replies[3] == .profile(ProfileResult(.full)))
        #expect(replies[4]?.decision?.outcome == "played")
    }

    @Test("A notification has no reply; one that cannot be used becomes a decision, and is counted")
    func notification() throws {
        let bench = try Bench()
        let (watcher, client) = (try bench.connect(), try bench.connect())
        _ = bench.ask(.subscribe(.decisions), of: watcher)
        bench.service.removeOutputs()
        // A pattern of its own that cannot be read: who it is of is known all the same.
        var unread = PlayParams(pattern: .inline(Node(.object([]))))
        (unread.id, unread.app) = ("y", "till")
        let wrong = [
            Request(.play("sotf", id: "x"), wantsReply: false), Request(.play(unread), wantsReply: false),
            Request(.event, WireError(.invalidParams, "wrong"), wantsReply: false),
            Request(.status, WireError(.invalidParams, "no input"), wantsReply: false),
            Request(nil, WireError(.methodNotFound, "nothing"), wantsReply: false),
        ]
        #expect(bench.say(wrong, of: client) == [nil, nil, nil, nil, nil])
        let decisions = bench.outputs().compactMap(\.notice).compactMap { notice -> DecisionResult? in
            if case .decision(let decision) = notice { decision } else { nil }
        }
        #expect((decisions.map(\.input), decisions.map(\.source)) == (["play", "play", "event"], ["x", "y", nil]))
        #expect(decisions[1].app == "till")
        #expect(decisions.allSatisfy { $0.outcome == "failed" && $0.reason == "invalidParams" })
        #expect(bench.ask(.status, of: client)?.status?.invalidNotifications == 5)
    }

    @Test("A client that has hung up is not answered, and what it said is done")
    func hungUp() throws {
        let bench = try Bench()
        let (client, other) = (try bench.connect(), try bench.connect())
        client.hasHungUp = true
        let prepare = Call.prepare(PrepareParams(patterns: ["soft"]))
        let calls: [Call] = [
            .status, .patterns(PatternsParams()), .actuators, .askProfile, .discover, .subscribe(.decisions), prepare,
        ]
        #expect(bench.say(calls.map { Request($0) }, of: client).allSatisfy { $0 == nil })
        #expect(bench.service.subscribers.isEmpty)
        #expect(bench.outputs().isEmpty)
        _ = bench.say([Request(.play("minute"))], of: client)
        #expect(bench.ask(.status, of: other)?.status?.playbacks == 1)
    }

    @Test("A list of patterns that is too long for one answer comes in parts, each within a line of the daemon")
    func longList() throws {
        var configuration = try Bench.configuration()
        var patterns = configuration.engine.patterns
        // What takes most room: six bytes for one of a description; for each two of a name, which has no control characters of one byte;
        // and numbers of many digits.
        let (description, rest) = (String(repeating: "\u{1}", count: 800), String(repeating: "\u{85}", count: 61))
        let level = Level(intensity: Intensity(clamping: 0.012345678901234567), sharpness: .zero)
        let length = Nanoseconds(59_999_999_999)
        let timeline = Timeline(
            frames: [.init(offset: .zero, level: level), .init(offset: length, level: .off)], duration: length)
        for number in 0..<1200 {
            // As long as a name may be.
            let name = Text("\(100_000 + number)" + rest)
            #expect(name.string.utf8.count == Pattern.Limit.nameLength)
            #expect(NodeReader.isName(name.string))
            patterns[name] = PlayablePattern(name: name.string, timeline: timeline)
            configuration.patternDescriptions[name] = description
        }
        configuration.engine = try EngineConfiguration(actuators: configuration.engine.actuators, patterns: patterns)
        let long = configuration
        let bench = try Bench { $0 = long }
        let client = try bench.connect()
        var names: [String] = []
        for _ in 1...3 {
            let part: PatternsResult
            switch bench.ask(.patterns(PatternsParams(after: names.last)), of: client) {
            case .patterns(let result)?, .pattern(let result)?: part = result
            default:
                Issue.record("no list")
                return
            }
            #expect(WireWriter.answer(part, to: .integer(1)).count <= WireLimit.daemonLine)
            names += part.patterns.map(\.name)
            #expect(part.patterns.count <= Listings.mostPatterns)
            #expect(part.more == (names.count < patterns.count))
        }
        #expect(names == patterns.keys.sorted().map(\.string))
        guard case .pattern(let none)? = bench.ask(.patterns(PatternsParams(after: "zzz")), of: client) else {
            Issue.record("no list")
            return
        }
        #expect(none == PatternsResult(patterns: []))
    }

    @Test("A pattern that is asked for by its name comes with its outline, and one that nobody knows is refused")
    func onePattern() throws {
        let bench = try Bench()
        let client = try bench.connect()
        guard case .pattern(let result)? = bench.ask(.patterns(PatternsParams(name: "soft")), of: client) else {
            Issue.record("no pattern")
            return
        }
        #expect((result.patterns.map(\.name), result.patterns[0].outline?.points.count) == (["soft"], 4))
        guard case .patterns(let all)? = bench.ask(.patterns(PatternsParams()), of: client) else {
            Issue.record("no patterns")
            return
        }
        #expect(all.patterns.allSatisfy { $0.outline == nil })
        guard case .error(let error)? = bench.ask(.patterns(PatternsParams(name: "sofd")), of: client) else {
            Issue.record("no error")
            return
        }
        #expect((error.code, error.data?.path) == (ErrorCode.invalidParams.rawValue, "name"))
        #expect(error.data?.didYouMean == "soft")
    }

    @Test("All questions of one line are answered as of one instant, but for what one of them changes")
    func oneInstant() throws {
        let bench = try Bench()
        let calls: [Call] = [.status, .play("soft"), .status, .subscribe(.decisions), .status]
        let status = bench.say(calls.map { Request($0) }, of: try bench.connect()).compactMap { $0?.status }
        #expect((status.map(\.playbacks), status[0]) == ([1, 1, 1], status[1]))
        #expect(status.map(\.subscribers) == [0, 0, 1])
    }

    @Test("Once the service stops, what waits is answered and what comes is refused")
    func shutDown() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let ticket = bench.ask(.play("minute", wait: true), of: client)?.ticket
        bench.service.shutDown(at: bench.now)
        let late = bench.outputs().filter { $0.late != nil }
        guard case .play(let result)? = late.first?.late else { return #expect(Bool(false)) }
        #expect((late.first?.lateTicket, result.ending?.reason) == (ticket, "shutdown"))
        #expect(bench.ask(.play("soft"), of: client)?.error?.code == ErrorCode.shuttingDown.rawValue)
        #expect(throws: WireError.shuttingDown) { try bench.connect() }
    }

    @Test("What is notified once the service stops is decided so, and is not called wrong")
    func notifiedAfterShutDown() throws {
        let bench = try Bench()
        let client = try bench.connect()
        _ = bench.ask(.subscribe(.decisions), of: client)
        bench.service.shutDown(at: bench.now)
        _ = bench.outputs()
        _ = bench.say([Request(.progress(ProgressParams(value: .one)), wantsReply: false)], of: client)
        guard case .decision(let decision)? = bench.outputs().first?.notice else { return #expect(Bool(false)) }
        #expect((decision.outcome, decision.reason) == ("failed", "shutdown"))
        #expect(bench.service.statistics.invalidNotifications == 0)
    }
}
