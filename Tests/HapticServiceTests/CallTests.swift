// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticJSON
import HapticPatterns
import HapticWire
import Testing

@testable import HapticService

@Suite("Calls and their replies") struct CallTests {
    @Test("A play is decided, handed out and answered")
    func play() throws {
        let bench = try Bench()
        let reply = bench.ask(.play("soft"), of: try bench.connect())
        #expect(reply?.decision?.outcome == "played" && reply?.decision?.actuators == ["main"])
        #expect(bench.sink.actuations.first?.level.isOn == true && bench.sink.commits == 1)
    }

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
        #expect(bench.service.statistics.awaitedCount == 1 && bench.outputs().map(\.name) == ["decision"])
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

    @Test("A client has a value followed, and says nothing of steps then")
    func followed() throws {
        let bench = try Bench()
        let client = try bench.connect()
        var params = ProgressParams(id: "lever", value: Progress(0.4)!)
        params.mode = .follow
        let decision = bench.ask(.progress(params), of: client)?.decision
        #expect(decision?.outcome == "played" && decision?.intensity == 0.4 && decision?.pattern == nil)
        params.step = 0.1
        #expect(bench.ask(.progress(params), of: client)?.error?.data?.path == "step")
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

    @Test("A play may be spread over its actuators, and what is wrong with that is refused by its member")
    func spread() throws {
        let configuration = try EngineConfiguration(
            classes: Self.loud, actuators: ["left", "right"].map { EngineActuator(name: $0) },
            patterns: [Text("soft"): PlayablePattern(name: "soft", timeline: Timeline(frames: [], duration: .zero))])
        var resolver = CallResolver(configuration)
        func ask(_ change: (inout PlayParams) -> Void) throws(WireError) -> PlayInput? {
            var params = PlayParams(pattern: .named("soft"))
            change(&params)
            let client = ClientIdentity(connection: 1, user: 1)
            guard case .input(let input) = try resolver.item(.play(params), of: client, readAt: .zero),
                case .play(let play) = input.kind
            else { return nil }
            return play
        }
        #expect(
            try ask {
                $0.staggerMs = 60
                $0.from = .last
            }?.spread == .stagger(Stagger(interval: .milliseconds(60), origin: .last)))
        #expect(
            try ask { $0.handOver = HandOverParams(to: "right") }?.spread
                == .handOver(HandOver(to: ActuatorIndex(1), duration: .milliseconds(200))))
        let unknown = #expect(throws: WireError.self) { try ask { $0.handOver = HandOverParams(to: "rihgt") } }
        #expect(unknown?.data?.path == "handOver.to" && unknown?.data?.didYouMean == "right")
        let own = #expect(throws: WireError.self) {
            try ask {
                $0.actuators = ["right"]
                $0.handOver = HandOverParams(to: "right")
            }
        }
        #expect(own?.data?.path == "handOver.to")
        let many = try EngineConfiguration(
            classes: Self.loud, actuators: (0..<5).map { EngineActuator(name: "motor-\($0)") }, patterns: configuration.patterns)
        resolver = CallResolver(many)
        let long = #expect(throws: WireError.self) { try ask { $0.staggerMs = 251 } }
        #expect(long?.data?.path == "staggerMs")
        #expect(try ask { $0.staggerMs = 250 }?.spread != nil)
    }

    @Test("What waits for something is played once: `steps` and `repeat` are refused, also where it is what is felt instead")
    func openPhases() throws {
        let hum = try Pattern(
            name: "hum",
            tracks: [
                .keyframes([
                    Keyframe(at: .zero, intensity: .one, sharpness: .zero),
                    Keyframe(at: .milliseconds(50), intensity: .zero, sharpness: .zero, curve: .step),
                ])
            ])
        let call = PlayablePattern(try Pattern(name: "call", phases: [.init(hum, until: .released)]))
        let configuration = try EngineConfiguration(
            classes: Self.loud, actuators: [EngineActuator(name: "main")],
            patterns: [Text("call"): call, Text("hum"): PlayablePattern(hum)])
        var resolver = CallResolver(configuration)
        func path(_ name: String, _ change: (inout PlayParams) -> Void) -> String? {
            var params = PlayParams(pattern: .named(name))
            change(&params)
            do throws(WireError) {
                _ = try resolver.item(.play(params), of: ClientIdentity(connection: 1, user: 1), readAt: .zero)
                return nil
            } catch {
                return error.data?.path
            }
        }
        #expect(path("call") { $0.steps = 1 } == "steps")
        #expect(path("call") { $0.repeat = 2 } == "repeat")
        #expect(path("call") { $0.repeat = 1 } == nil)
        #expect(path("hum") { ($0.steps, $0.repeat) = (3, 2) } == nil)
        #expect(path("hum") { ($0.repeat, $0.feedback) = (2, .pattern(.named("call"))) } == "repeat")
    }

    /// Classes that name no pattern.
    private static var loud: ClassTable {
        var classes = ClassTable.standard
        (classes.notification.reduced, classes.interaction.reduced) = (.full, .full)
        return classes
    }

    @Test(
        "Of an inline pattern the typo is named, with what was meant, not what comes of it",
        arguments: [
            (#"{"tracks":[{"evnts":[]}]}"#, "pattern.tracks[0].evnts", "events"),
            (#"{"trakcs":[]}"#, "pattern.trakcs", "tracks"),
            (#"{"compose":[{"use":"soft"},{"use":"tik"}]}"#, "pattern.compose[1].use", "tick"),
            (#"{"phases":[{"compose":[{"use":"sotf"}]}]}"#, "pattern.phases[0].compose[0].use", "soft"),
            (#"{"phases":[{"use":"soft","untill":"released"}]}"#, "pattern.phases[0].untill", "until"),
            (
                #"{"tracks":[{"keyframes":[{"atMs":0,"intensity":0,"curve":{"spring":{"respnse":0.2,"dampingFraction":1}}},{"atMs":9,"intensity":1}]}]}"#,
                "pattern.tracks[0].keyframes[0].curve.spring.respnse", "response"
            ),
        ])
    func inlineTypo(pattern: String, path: String, meant: String) throws {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"play","params":{"pattern":\#(pattern)}}"#
        guard case .single(let message) = ClientLine(Array(line.utf8)) else { return #expect(Bool(false)) }
        let bench = try Bench()
        let error = bench.say([Request(message)], of: try bench.connect())[0]?.error
        #expect(error?.data?.path == path && error?.data?.didYouMean == meant, "\(String(describing: error))")
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
        #expect(decisions.map(\.input) == ["play", "play", "event"] && decisions.map(\.source) == ["x", "y", nil])
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
        #expect(bench.service.subscribers.isEmpty && bench.outputs().isEmpty)
        _ = bench.say([Request(.play("minute"))], of: client)
        #expect(bench.ask(.status, of: other)?.status?.playbacks == 1)
    }

    @Test("Lists that stay the same are made once")
    func madeOnce() throws {
        let bench = try Bench()
        let client = try bench.connect()
        func patterns() -> UnsafePointer<PatternResult>? {
            guard case .patterns(let result)? = bench.ask(.patterns(PatternsParams()), of: client) else { return nil }
            return result.patterns.withUnsafeBufferPointer { $0.baseAddress }
        }
        func actuators() -> (address: UnsafePointer<ActuatorResult>?, isAvailable: [Bool]) {
            guard case .actuators(let result)? = bench.ask(.actuators, of: client) else { return (nil, []) }
            return (result.actuators.withUnsafeBufferPointer { $0.baseAddress }, result.actuators.map(\.isAvailable))
        }
        let (first, second) = (patterns(), actuators())
        #expect(first != nil && patterns() == first)
        #expect(second.address != nil && actuators().address == second.address && second.isAvailable == [true])
        bench.service.setActuator(ActuatorIndex(0), ActuatorFault("unplugged"), at: bench.now)
        #expect(actuators().isAvailable == [false])
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
            #expect(name.string.utf8.count == Pattern.Limit.nameLength && NodeReader.isName(name.string))
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
            #expect(part.patterns.count <= Listings.mostPatterns && part.more == (names.count < patterns.count))
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
        #expect(result.patterns.map(\.name) == ["soft"] && result.patterns[0].outline?.points.count == 4)
        guard case .patterns(let all)? = bench.ask(.patterns(PatternsParams()), of: client) else {
            Issue.record("no patterns")
            return
        }
        #expect(all.patterns.allSatisfy { $0.outline == nil })
        guard case .error(let error)? = bench.ask(.patterns(PatternsParams(name: "sofd")), of: client) else {
            Issue.record("no error")
            return
        }
        #expect(error.code == ErrorCode.invalidParams.rawValue && error.data?.path == "name" && error.data?.didYouMean == "soft")
    }

    @Test("All questions of one line are answered as of one instant, but for what one of them changes")
    func oneInstant() throws {
        let bench = try Bench()
        let calls: [Call] = [.status, .play("soft"), .status, .subscribe(.decisions), .status]
        let status = bench.say(calls.map { Request($0) }, of: try bench.connect()).compactMap { $0?.status }
        #expect(status.map(\.playbacks) == [1, 1, 1] && status[0] == status[1])
        #expect(status.map(\.subscribers) == [0, 0, 1])
    }

    @Test("The service wants to be woken while something plays, and never where nothing is due")
    func wakeUps() throws {
        let bench = try Bench()
        #expect(bench.service.nextWakeUp == .distantFuture)
        _ = bench.ask(.play("minute"), of: try bench.connect())
        #expect(bench.service.nextWakeUp < bench.now + .seconds(61))
        bench.pass(.seconds(61))
        #expect(bench.sink.actuations.last?.level.isOn == false)
    }

    @Test("Once the service stops, what waits is answered and what comes is refused")
    func shutDown() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let ticket = bench.ask(.play("minute", wait: true), of: client)?.ticket
        bench.service.shutDown(at: bench.now)
        let late = bench.outputs().filter { $0.late != nil }
        guard case .play(let result)? = late.first?.late else { return #expect(Bool(false)) }
        #expect(late.first?.lateTicket == ticket && result.ending?.reason == "shutdown")
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
