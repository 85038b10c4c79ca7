// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticFormats
import HapticPatterns
import HapticText
import HapticWire
import TestSupport
import Testing

@testable import HapticService

@Suite("Patterns that come in several lines") struct PlayPartsTests {
    // MARK: The same as in one line

    /// Large patterns: clips, and one with springs, gains, curves and a glow, which no cut of a track may change.
    private static let patterns: [@Sendable () throws -> Pattern] = [
        { try clip(seconds: 20, points: 1200) }, { try clip(seconds: 59, points: 4000) }, { try mixed() },
    ]

    private static func clip(seconds: Double, points: Int) throws -> Pattern {
        try PatternFiles.read(LargeClip.haptic(seconds: seconds, points: points), file: "rain.haptic").pattern
    }

    private static func mixed() throws -> Pattern {
        var random = SplitMix64(seed: 35)
        func share() -> Double { Double.random(in: 0...1, using: &random) }
        func keyframes(_ count: Int, _ interval: Int64) -> [Keyframe] {
            let curves: [Easing] = [.linear, .linear, .step, .easeInOut, .spring(.bouncy)]
            return (0..<count).map {
                Keyframe(
                    at: Nanoseconds(Int64($0) * interval), intensity: Intensity(share())!, sharpness: Sharpness(share())!,
                    curve: curves[$0 % curves.count])
            }
        }
        let events = (0..<500).map {
            HapticEvent(
                at: .milliseconds(Int64($0) * 20), kind: .transient, intensity: Intensity(share())!,
                sharpness: Sharpness(share())!)
        }
        let curve = ParameterCurve(
            parameter: .intensity, points: (0..<300).map { .init(at: .milliseconds(Int64($0) * 30), value: share()) })
        return try Pattern(
            name: "mixed",
            tracks: [
                .keyframes(keyframes(1000, 9_876_543), gain: Intensity(0.6)!), .events(events),
                .keyframes(keyframes(900, 10_000_001)),
            ], parameterCurves: [curve], sum: .glow, transition: .bouncy, meaning: .warning)
    }

    @Test("A pattern is felt the same in parts as in one line", arguments: patterns.indices)
    func differential(index: Int) throws {
        let pattern = try Self.patterns[index]()
        var play = PlayParams(pattern: .inline(PatternWriter.tree(pattern)))
        (play.id, play.intensity, play.wait) = ("rain", Intensity(0.9), false)
        let parts = play.parts()
        #expect(parts.count > 1)
        let (whole, divided) = (try Bench(), try Bench())
        let one = try #require(try whole.say(play, bytes: 1000, of: try whole.connect())?.decision)
        let client = try divided.connect()
        var replies: [Reply?] = []
        for part in parts { replies.append(try divided.say(part, of: client)) }
        #expect(replies.dropLast().allSatisfy { $0?.result(as: PlayPartResult.self) != nil })
        let several = replies.last??.decision
        #expect(one.outcome == .played)
        #expect(several == one)
        for bench in [whole, divided] { bench.pass(.seconds(61)) }
        #expect(whole.sink.actuations.count > 1000)
        #expect(divided.sink.actuations == whole.sink.actuations)
        #expect(divided.service.clients.begunPlays.bytes == 0)
    }

    // MARK: Bounds

    /// A part with the keyframe number `number` of one long track.
    private static func part(_ number: Int, more: Bool? = true) throws -> PlayParams {
        let track = #"{"keyframes":[{"atMs":\#(number),"intensity":0.5}]\#(number == 0 ? "" : #","continued":true"#)}"#
        var params = PlayParams(pattern: .inline(try JSONReader.node(Array(#"{"tracks":[\#(track)]}"#.utf8))))
        params.more = more
        return params
    }

    @Test("A pattern has 1 MiB of lines at most; one with more is refused up to its last part, and the next one is played")
    func bounded() throws {
        let bench = try Bench()
        let client = try bench.connect()
        for number in 0..<16 {
            guard let result: PlayPartResult = try bench.say(Self.part(number), bytes: 65_536, of: client)?.result() else {
                Issue.record("refused part \(number)")
                return
            }
            #expect(result.bytes == 65_536 * (number + 1))
        }
        #expect(try bench.say(Self.part(16), bytes: 1, of: client)?.error?.code == ErrorCode.quota.rawValue)
        #expect(bench.service.clients.begunPlays.bytes == 0)
        for more in [true, false] {
            let error = try bench.say(Self.part(17, more: more), of: client)?.error
            #expect(error?.message.hasPrefix("an earlier part of this pattern was refused, so send all of it again: ") == true)
            #expect(error?.message.contains("again: an earlier part") == false)
        }
        #expect(bench.service.clients.begunPlays.count == 0)
        for number in 0..<3 {
            let reply = try bench.say(Self.part(number, more: number < 2), of: client)
            #expect(reply?.error == nil)
            #expect(reply?.decision?.outcome == (number < 2 ? nil : .played))
        }
    }

    @Test("All connections have 4 MiB, and a connection that closes gives back its own")
    func all() throws {
        let bench = try Bench()
        let clients = try (0..<5).map { try bench.connect(user: 1001 + UInt32($0) / 2) }
        for client in clients.dropLast() {
            #expect(try bench.say(Self.part(0), bytes: WireLimit.patternInParts, of: client)?.error == nil)
        }
        #expect(bench.service.clients.begunPlays.bytes == BegunPlays.most)
        #expect(try bench.say(Self.part(0), of: clients[4])?.error?.code == ErrorCode.quota.rawValue)
        bench.service.disconnect(clients[0], at: bench.now)
        #expect(bench.service.clients.begunPlays.bytes == 3 * WireLimit.patternInParts)
        _ = try bench.say(.noMore, of: clients[4])
        #expect(try bench.say(Self.part(0), of: clients[4])?.error == nil)
        for client in clients { bench.service.disconnect(client, at: bench.now) }
        #expect(bench.service.clients.begunPlays.count == 0)
        #expect(bench.service.clients.begunPlays.bytes == 0)
    }

    @Test("A user has 2 MiB, root too, and the others still have room", arguments: [1001, 0] as [UInt32])
    func ofUser(user: UInt32) throws {
        let bench = try Bench()
        let clients = try (0..<3).map { _ in try bench.connect(user: user) }
        for client in clients.dropLast() {
            #expect(try bench.say(Self.part(0), bytes: WireLimit.patternInParts, of: client)?.error == nil)
        }
        let error = try #require(try bench.say(Self.part(0), of: clients[2])?.error)
        #expect(error.code == ErrorCode.quota.rawValue)
        #expect(error.message.hasPrefix("the patterns that your connections have begun to send may have 2097152 bytes; "))
        let other = try bench.connect(user: 1002)
        #expect(try bench.say(Self.part(0), bytes: WireLimit.patternInParts, of: other)?.error == nil)
        bench.service.disconnect(clients[0], at: bench.now)
        _ = try bench.say(.noMore, of: clients[2])
        #expect(try bench.say(Self.part(0), of: clients[2])?.error == nil)
    }

    @Test("Each part of a line costs the entries that it may continue: 256 small ones are more than the line may cost")
    func smallParts() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let keyframes = (0..<700).map { #"{"atMs":\#($0),"intensity":0.5}"# }.joined(separator: ",")
        let tree = try JSONReader.node(Array(#"{"tracks":[{"keyframes":[\#(keyframes)]}]}"#.utf8))
        var first = PlayParams(pattern: .inline(tree))
        first.more = true
        #expect(try bench.say(first, of: client)?.error == nil)
        let replies = bench.say(try (700..<956).map { Request(.play(try Self.part($0))) }, of: client)
        let accepted = replies.prefix { $0?.result(as: PlayPartResult.self) != nil }.count
        // Of 600,000 units reading takes 256 × (100 × 6 + 400), and each part 10 for each of the 700 entries and more before it.
        #expect(accepted == 47)
        #expect(replies.dropFirst(accepted).allSatisfy { $0?.error?.code == ErrorCode.quota.rawValue })
        #expect(replies[accepted]?.error?.message.hasPrefix("the parts in this line cost more than it may") == true)
        #expect(bench.service.clients.begunPlays.bytes == 0)
    }

    @Test("The bytes of a line with several parts count once")
    func batch() throws {
        let bench = try Bench()
        let client = try bench.connect()
        let requests = try (0..<3).map { Request(.play(try Self.part($0, more: $0 < 2))) }
        bench.service.read(requests, bytes: 500, of: client, readAt: bench.now, at: bench.now)
        var replies: [Reply?] = []
        bench.service.decide(at: bench.now, into: &replies)
        #expect(replies[0] == .playPart(PlayPartResult(bytes: 500)))
        #expect(replies[1] == .playPart(PlayPartResult(bytes: 500)))
        #expect(replies[2]?.decision?.outcome == .played)
    }

    // MARK: What is refused

    @Test("A part that is refused for its rate may be sent again in its place, and no rate refuses the last part")
    func rate() throws {
        let bench = try Bench { $0.clientBounds.requestsPerClient = 2 }
        let client = try bench.connect()
        for number in 0..<2 { #expect(try bench.say(Self.part(number), of: client)?.error == nil) }
        let refused = try bench.say(Self.part(2), of: client)?.error
        #expect(refused?.data?.retryAfterMs != nil)
        bench.pass(.seconds(1))
        for number in 2..<4 { #expect(try bench.say(Self.part(number), of: client)?.error == nil) }
        #expect(bench.ask(.status, of: client)?.error?.data?.retryAfterMs != nil)
        #expect(try bench.say(Self.part(4, more: false), of: client)?.decision?.outcome == .played)
        #expect(try bench.say(Self.part(0, more: false), of: client)?.error?.data?.retryAfterMs != nil)
    }

    @Test("Putting a large pattern together is no lateness, and `noMore` ends a pattern that has begun without feedback")
    func latenessAndEnd() throws {
        let bench = try Bench()
        let client = try bench.connect()
        for number in 0..<2 { #expect(try bench.say(Self.part(number), of: client)?.error == nil) }
        let ended = try bench.say(.noMore, of: client)?.decision
        #expect((ended?.outcome, ended?.reason) == (.suppressed, .feedbackOff))
        #expect(bench.service.clients.begunPlays.count == 0)
        for number in 0..<2 { #expect(try bench.say(Self.part(number), of: client)?.error == nil) }
        let late = try bench.say(Self.part(2, more: false), of: client, decidedAfter: .seconds(1))?.decision
        #expect(late?.outcome == .played)
    }

    @Test(
        "A client that waits sends a part again that is refused for its rate; the pattern of one that does not is felt without the part",
        arguments: [(true, true), (true, false), (false, true), (false, false)])
    func firstPart(waits: Bool, isContinued: Bool) throws {
        func tap(_ milliseconds: Int, isContinued: Bool = false, more: Bool) throws -> PlayParams {
            let event = #"{"atMs":\#(milliseconds),"type":"transient","intensity":1,"sharpness":1}"#
            let track = #"{"events":[\#(event)]\#(isContinued ? #","continued":true"# : "")}"#
            var params = PlayParams(pattern: .inline(try JSONReader.node(Array(#"{"tracks":[\#(track)]}"#.utf8))))
            params.more = more
            return params
        }
        let bench = try Bench { $0.clientBounds.requestsPerClient = 2 }
        let client = try bench.connect()
        for _ in 0..<2 { _ = bench.ask(.status, of: client) }
        #expect(try bench.say(tap(0, more: true), of: client)?.error?.data?.retryAfterMs != nil)
        bench.pass(.seconds(1))
        if waits { #expect(try bench.say(tap(0, more: true), of: client)?.error == nil) }
        let last = try bench.say(tap(100, isContinued: isContinued, more: false), of: client)
        bench.pass(.seconds(1))
        let isPlayed = waits || !isContinued
        #expect(last?.decision?.outcome == (isPlayed ? .played : nil))
        #expect((last?.error != nil) == !isPlayed)
        #expect(bench.sink.actuations.count { $0.isOn } == (waits ? 2 : isPlayed ? 1 : 0))
    }

    @Test("A part whose params are wrong refuses the rest of its pattern")
    func unusablePart() throws {
        let bench = try Bench()
        let client = try bench.connect()
        #expect(try bench.say(Self.part(0), of: client)?.error == nil)
        _ = bench.say([try .unusable("play", #"{"more":true}"#)], of: client)
        let error = try bench.say(Self.part(1, more: false), of: client)?.error
        #expect(
            error?.message.hasPrefix("an earlier part of this pattern was refused, so send all of it again: `pattern` is missing")
                == true)
    }

    @Test(
        "A notification that is refused spoils the pattern that has begun, if it was a part or may have been one",
        arguments: [
            (#"{"jsonrpc":"2.0","method":"play","params":{"pattern":{"tracks":[]},"more":true}}"#, true),
            (#"{"jsonrpc":"2.0","method":"play","params":{"pattern":{"tracks":[]},"more":true,"id":"a"}}"#, true),
            (#"{"jsonrpc":"2.0","method":"play","params":{"pattern":{"tracks":[]},"more":1}}"#, true),
            (#"{"jsonrpc":"2.0","metod":"play","params":{}}"#, true),
            (#"{"jsonrpc":"2.0","method":"plya","params":{"pattern":{"tracks":[]}}}"#, true),
            (#"{"jsonrpc":"2.0","method":"play","params":{"pattern":{"tracks":[]},"moer":true}}"#, true),
            (#"{"jsonrpc":"2.0","method":"play","params":{"pattern":{"tracks":[]},"continues":true}}"#, true),
            (#"{"jsonrpc":"2.0","method":"play","parms":{"pattern":{"tracks":[]},"more":true}}"#, true),
            (#"{"method":"play","params":{"pattern":{"tracks":[]},"continues":true}}"#, true),
            (#"{"jsonrpc":"2.0","method":"play","params":{"pattern":"sotf"}}"#, false),
            (#"{"jsonrpc":"2.0","method":"event","params":{}}"#, false),
            (#"{"jsonrpc":"2.0","method":"pattern","id":7}"#, false),
        ])
    func notification(line: String, spoils: Bool) throws {
        let bench = try Bench()
        let client = try bench.connect()
        for number in 0..<2 { #expect(try bench.say(Self.part(number), of: client)?.error == nil) }
        guard case .single(let message) = ClientLine(Array(line.utf8)) else { return }
        _ = bench.say([Request(message)], of: client)
        let last = try bench.say(Self.part(2, more: false), of: client)
        #expect((last?.error != nil) == spoils)
        #expect((last?.decision?.outcome == .played) == !spoils)
    }

    @Test(
        "A first part that is mistyped as a notification refuses its pattern, too, with the reason",
        arguments: [
            (#""method":"play","params":{"pattern":{"tracks":[]},"moer":true}"#, "`moer` is not a member of these params"),
            (#""method":"plya","params":{"pattern":{"tracks":[]},"more":true}"#, "there is no method `plya`"),
        ])
    func mistypedFirst(members: String, reason: String) throws {
        let bench = try Bench()
        let client = try bench.connect()
        guard case .single(let message) = ClientLine(Array(#"{"jsonrpc":"2.0",\#(members)}"#.utf8)) else { return }
        _ = bench.say([Request(message)], of: client)
        for more in [true, false] {
            let error = try bench.say(Self.part(0, more: more), of: client)?.error
            #expect(error?.message.hasPrefix("an earlier part of this pattern was refused, so send all of it again: ") == true)
            #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        }
        #expect(bench.service.clients.begunPlays.count == 0)
    }

    @Test("A last part that a batch cannot wait for ends its pattern, which is not added to the next one")
    func waitInBatch() throws {
        let bench = try Bench()
        let client = try bench.connect()
        #expect(try bench.say(Self.part(0), of: client)?.error == nil)
        let last = #"[{"jsonrpc":"2.0","method":"play","params":{"pattern":{},"more":false,"wait":true}}]"#
        guard case .batch(let messages) = ClientLine(Array(last.utf8)) else { return }
        _ = bench.say(messages.map { Request($0) }, of: client)
        #expect(bench.service.clients.begunPlays.count == 0)
    }

    @Test("A mistake in a part is reported with its place, and what follows of the pattern is refused for it")
    func mistakes() throws {
        let differences = try TextCases.differences(in: "mistakes/play-parts") { text in
            let bench = try Bench()
            let client = try bench.connect()
            return text.split(separator: "\n").map { params in
                let line = #"{"jsonrpc":"2.0","id":1,"method":"play","params":\#(params)}"#
                guard case .single(let message) = ClientLine(Array(line.utf8)) else { return "no line" }
                let reply = bench.say([Request(message)], of: client)[0]
                if reply?.result(as: PlayPartResult.self) != nil { return "part" }
                return reply?.error?.message ?? reply?.decision?.outcome.rawValue ?? "no decision"
            }
        }
        #expect(differences == [])
    }
}

extension Bench {
    /// Sends `play` as text, in a line of its own. `bytes`: what it is charged for; nil: its length. `lag`: from reading to deciding.
    fileprivate func say(
        _ play: PlayParams, bytes: Int? = nil, of client: Client, decidedAfter lag: Nanoseconds = .zero
    ) throws -> Reply? {
        let line = WireWriter.request(play, id: .integer(1)).dropLast()
        if bytes == nil { #expect(line.count <= WireLimit.clientLine) }
        guard case .single(let message) = ClientLine(Array(line)) else { return nil }
        service.read([Request(message)], bytes: bytes ?? line.count, of: client, readAt: now, at: now)
        var replies: [Reply?] = []
        service.decide(at: now + lag, into: &replies)
        return replies[0]
    }
}
