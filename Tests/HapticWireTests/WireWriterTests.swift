// SPDX-License-Identifier: MIT
import FoundationEssentials
import HapticCore
import HapticText
import HapticWire
import TestSupport
import Testing

struct WireWriterTests {
    /// A result of `count` bytes and some more.
    private static func long(_ count: Int) -> PrepareResult {
        PrepareResult(patterns: [String(repeating: "x", count: count)], actuators: [], readyForMs: nil)
    }

    private func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }

    @Test("A decision has all its members, null where there is none")
    func decisionHasAll() {
        let decision = Decision(
            sequence: 1, at: .init(nanoseconds: 5), input: .event, name: "a/b", outcome: .suppressed, reason: .noRule)
        let expected =
            #"{"jsonrpc":"2.0","id":"x","result":{"seq":1,"atNs":5,"input":"event","origin":"client","source":null,"app":null,"user":null,"#
            + #""process":null,"name":"a/b","value":null,"inserted":null,"removed":null,"kept":null,"class":null,"rule":null,"outcome":"suppressed","reason":"noRule","pattern":null,"intensity":null,"actuators":[],"#
            + #""playback":null,"felt":null,"feltPeak":null,"ageMs":null,"mistake":null}}"# + "\n"
        #expect(text(WireWriter.answer(DecisionResult(decision), to: .string("x"))) == expected)
    }

    @Test("The answers to a batch are one line of JSON that fits")
    func answersToABatch() throws {
        #expect(WireWriter.batch([]) == nil)
        let long = WireWriter.answer(Self.long(300_000), to: .integer(1))
        let short = WireWriter.answer(CancelResult(cancelled: 1), to: .integer(2))
        let line = try #require(
            WireWriter.batch([
                (.integer(1), long), (.integer(1), long), (.integer(1), long), (.integer(1), long), (.integer(2), short),
            ]))
        #expect(line.count <= WireLimit.daemonLine)
        let answers = try JSONDecoder().decode([JSONValue].self, from: Data(line))
        #expect(answers.map { $0["error"]?["code"] } == [nil, nil, nil, .number(-32002), nil])
    }

    @Test("Room is kept for the longest refusal of each request")
    func roomIsKept() throws {
        let id = RequestID.string(Text(String(repeating: "\u{1}", count: WireLimit.text)))
        let answer = WireWriter.answer(Self.long(10_000), to: id)
        let line = try #require(WireWriter.batch(Array(repeating: (id, answer), count: WireLimit.batchItems)))
        #expect(line.count <= WireLimit.daemonLine)
        #expect(try JSONDecoder().decode([JSONValue].self, from: Data(line)).count == WireLimit.batchItems)
    }

    @Test("An answer that is too long becomes an error")
    func answerThatIsTooLongBecomes() throws {
        let line = WireWriter.answer(Self.long(WireLimit.daemonLine), to: .integer(1))
        guard case .refusal(.integer(1), let error) = try ServerLine(line) else {
            Issue.record("not an error")
            return
        }
        #expect(error.code == ErrorCode.answerTooLong.rawValue)
    }

    @Test("The daemon reads what a client writes")
    func clientWritesIsWhatTheDaemon() throws {
        var play = PlayParams(pattern: .named("soft"))
        play.steps = 75
        play.durationMs = 1600
        play.feedbackClass = .texture
        play.feedback = .off
        play.app = "till"
        play.repeat = 2
        let line = WireWriter.request(play, id: .integer(3))
        guard case .single(let message) = ClientLine(Array(line.dropLast())), let read = try? PlayParams(params: message.params)
        else {
            Issue.record("not a play")
            return
        }
        #expect(message.id == .integer(3))
        #expect(read.train == StepTrain(steps: 75))
        #expect(read.pattern == .named("soft"))
        #expect(read.feedbackClass == .texture)
        #expect(read.feedback == .off)
        #expect(read.app == "till")
        #expect(read.repeat == 2)
    }

    @Test("A client's batch is one line, and a transaction in it is read as it was written")
    func clientsBatch() throws {
        let (feedback, intensity) = (FeedbackReference.pattern(.named("tick")), Intensity(0.25))
        let transaction = TransactionParams(feedback: feedback, intensity: intensity, app: "till", deadlineMs: 12.5)
        let line = WireWriter.batch(of: [
            WireWriter.request(transaction, id: nil),
            WireWriter.request(EventParams(name: "a"), id: .integer(1)),
        ])
        #expect((line.count { $0 == UInt8(ascii: "\n") }, line.last) == (1, UInt8(ascii: "\n")))
        guard case .batch(let messages) = ClientLine(Array(line.dropLast())), messages.map(\.id) == [nil, .integer(1)],
            let read = try? TransactionParams(params: messages[0].params)
        else { return #expect(Bool(false)) }
        #expect((read.feedback, read.intensity) == (feedback, intensity))
        #expect((read.app, read.deadlineMs) == ("till", 12.5))
    }

    @Test("An inline pattern is the same tree at both ends")
    func inlinePatternIsATree() throws {
        let json =
            #"{"tracks":[{"keyframes":[{"atMs":0,"intensity":0.5},{"atMs":20.25,"intensity":0,"curve":null}]}],"x":[true]}"#
        let pattern = PatternReference.inline(try JSONReader.node(Array(json.utf8)))
        let line = WireWriter.request(PlayParams(pattern: pattern), id: .null)
        #expect(text(line).contains(json))
        guard case .single(let message) = ClientLine(Array(line.dropLast())), let read = try? PlayParams(params: message.params)
        else {
            Issue.record("not a play")
            return
        }
        #expect(read.pattern == pattern)
    }

    @Test("Notices are read as they were written")
    func noticesAreRead() throws {
        let end = PlaybackEnd(playback: .init(17), ending: .cancelled, reason: .requested, at: .init(nanoseconds: 9))
        let notices: [Notice] = [
            .playback(EndingResult(end)), .missed(.init(count: 3)),
            .interruption(.init(.init(playback: .init(17), state: .resumed, at: .init(nanoseconds: 9)))),
            .actuator(.init(actuator: "main", isAvailable: false, error: nil)),
            .hold(
                .init(
                    .init(
                        id: "pay", origin: .client, user: 1000, state: .progress, value: Progress(clamping: 0.25),
                        at: .init(nanoseconds: 9)))),
        ]
        for notice in notices {
            guard case .notice(let read) = try ServerLine(WireWriter.notification(notice)) else {
                Issue.record("not a notice")
                return
            }
            #expect(read == notice)
        }
        let json = text(WireWriter.line(notices[0]))
        #expect(json == #"{"playback":{"playback":17,"ended":"cancelled","reason":"requested","atNs":9}}"# + "\n")
    }
}

struct LineEncoderTests {
    private struct Nested: Encodable {
        private enum Key: CodingKey { case list, object, last }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: Key.self)
            var list = members.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1)
            var object = list.nestedContainer(keyedBy: Key.self)
            try object.encodeNil(forKey: .last)
            try list.encodeNil()
            _ = members.nestedContainer(keyedBy: Key.self, forKey: .object)
            // The same container again, which goes on.
            var again = encoder.container(keyedBy: Key.self)
            try again.encode([[String]](), forKey: .last)
        }
    }

    private func text(_ value: some Encodable) -> String { String(decoding: WireWriter.line(value).dropLast(), as: UTF8.self) }

    @Test("Containers end before the next one begins, and at the end of their value")
    func containersEndWhereTheNext() {
        #expect(text(Nested()) == #"{"list":[1,{"last":null},null],"object":{},"last":[]}"#)
        #expect(text([Nested?.none, nil]) == "[null,null]")
        #expect(text([[1], [], [2, 3]]) == "[[1],[],[2,3]]")
    }

    @Test(
        "A number is written as the shortest text that reads as it",
        arguments: [
            (0, "0"), (-0.0, "-0"), (1, "1"), (0.42, "0.42"), (1e-5, "1e-05"), (1e16, "1e+16"), (-1.5, "-1.5"),
            (0.1 + 0.2, "0.30000000000000004"),
        ]) func numberIsTheShortest(number: Double, expected: String)
    {
        #expect(text(number) == expected)
    }

    @Test("A string is read as it was written, whatever it holds")
    func whateverAString() throws {
        var random = SplitMix64(seed: 11)
        #expect(text("a\"\\\n\r\t\u{1}\u{1f}/ä😀") == #""a\"\\\n\r\t\u0001\u001f/ä😀""#)
        for _ in 0..<300 {
            let scalars = (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random) >> UInt32.random(in: 0...20, using: &random))
            }
            let string = String(String.UnicodeScalarView(scalars))
            let line = WireWriter.line([string])
            #expect(line.dropLast().allSatisfy { $0 >= 0x20 })
            #expect(try JSONDecoder().decode([String].self, from: Data(line)) == [string])
        }
    }
}

struct OpenRPCTests {
    @Test("The description lists the daemon's notifications and errors")
    func descriptionListsWhatTheDaemon() {
        let document = OpenRPC.document(
            version: "1", methods: [PlayParams.self], pattern: ["type": "object"], patternPart: ["type": "object"])
        guard case .array(let notices) = document.notifications else {
            Issue.record("no notifications")
            return
        }
        #expect(
            notices.map { $0["name"] } == [
                "decision", "playback", "interruption", "actuation", "actuator", "hold", "settings", "missed",
            ])
        let quota = document.components["errors"]?["quota"]
        #expect(quota?["code"] == .number(-32000))
    }
}
