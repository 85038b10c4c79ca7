// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticPatterns
import HapticPlanning
import Testing

@testable import HapticService
@testable import HapticWire

/// What one line may have worked out before anything is decided.
@Suite("The cost of a line's names and patterns") struct LineCostTests {
    private static let client = ClientIdentity(connection: 1, user: 1000)
    /// Those that need no pattern.
    private static let classes = {
        var classes = ClassTable.standard
        (classes.notification.reduced, classes.interaction.reduced) = (.half, .half)
        return classes
    }()

    /// The errors of the line's items, nil where one can be decided; and what is left of its budget.
    private static func resolve(_ line: String, patterns: Int = 1) throws -> (errors: [WireError?], left: Int) {
        let pulse = Pattern.Track.keyframes([
            Keyframe(at: .zero, intensity: .one, sharpness: .zero),
            Keyframe(at: .milliseconds(8), intensity: .zero, sharpness: .zero, curve: .step),
        ])
        let names = (0..<patterns).map { "pattern-number-\($0)" }
        let library = Dictionary(
            uniqueKeysWithValues: try names.map { (Text($0), try Pattern(name: $0, tracks: [pulse])) })
        let configuration = try EngineConfiguration(
            classes: classes, actuators: [EngineActuator(name: "main")], patterns: library.mapValues { PlayablePattern($0) })
        var resolver = CallResolver(configuration, library: library)
        #expect(line.utf8.count <= WireLimit.clientLine)
        let messages: [Message]
        switch ClientLine(Array(line.utf8)) {
        case .single(let message): messages = [message]
        case .batch(let batch): messages = batch
        case .unusable(let error): throw error
        }
        resolver.beginLine(bytes: line.utf8.count, messages: messages.count)
        let errors = messages.map { message -> WireError? in
            do throws(WireError) {
                let call = try Request(message).call.get()
                if let params = call as? TransactionParams {
                    _ = try resolver.begin(params)
                } else {
                    _ = try call.item(&resolver, of: client, readAt: .zero)
                }
                return nil
            } catch {
                return error
            }
        }
        return (errors, resolver.work.left)
    }

    @Test("A line asserts as many conditions as it can pay for, rule by rule, and a release costs nothing")
    func conditions() throws {
        var resolver = CallResolver(
            try EngineConfiguration(
                classes: Self.classes, actuators: [EngineActuator(name: "main")],
                conditionRules: (0..<64).map { ConditionRule(name: "c\($0)", profile: .quiet) }, patterns: [:]),
            library: [:])
        let most = WorkBudget.line / (64 * WorkBudget.Cost.conditionRule)
        func take(_ isOn: Bool) throws { _ = try ConditionParams("c1", on: isOn).item(&resolver, of: Self.client, readAt: .zero) }
        for _ in 0..<most { try take(true) }
        #expect(throws: WireError.self) { try take(true) }
        try take(false)
    }

    private static func batch(_ count: Int, _ params: (Int) -> String) -> String {
        let items = (0..<count).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"play","params":{"pattern":\#(params($0))}}"# }
        return "[" + items.joined(separator: ",") + "]"
    }

    private static func glide(ms: Int, curves: Int = 0) -> String {
        let points = (0..<curves).map { #"{"parameter":"intensity","points":[{"atMs":\#($0 % 9),"value":1}]}"# }
        return #"{"tracks":[{"keyframes":[{"atMs":0,"intensity":0},{"atMs":\#(ms),"intensity":1}]}],"#
            + #""parameterCurves":[\#(points.joined(separator: ","))]}"#
    }

    @Test("The outlines of a line are made as far as its budget goes, and the rest is refused")
    func outlines() throws {
        let taps = (0..<1024).map {
            HapticEvent(at: .milliseconds(Int64($0) * 20), kind: .transient, intensity: .one, sharpness: .one)
        }
        let pattern = PlayablePattern(try Pattern(name: "taps", tracks: [.events(taps)]))
        #expect(pattern.timeline.frames.count == 2048)
        var resolver = CallResolver(
            try EngineConfiguration(
                classes: Self.classes, actuators: [EngineActuator(name: "main")], patterns: ["taps": pattern]))
        resolver.beginLine(bytes: 1000, messages: 20)
        let refusals = (0..<20).map { _ -> WireError? in
            do throws(WireError) {
                #expect(try resolver.outlined("taps").outline.points.count <= Outline.mostPoints)
                return nil
            } catch {
                return error
            }
        }
        // Of 600,000 units reading takes 14,000, and each outline 4 for a frame and 100 for a point.
        #expect(refusals.count { $0 == nil } == 586_000 / (2048 * 4 + 512 * 100))
        #expect(Set(refusals.suffix(11).map { $0?.code }) == [ErrorCode.quota.rawValue])
        #expect(Set(refusals.suffix(11).map { $0?.data?.path }) == ["name"])
    }

    @Test(
        "The worst lines are rendered as far as they fit, and the rest is refused before it is done",
        arguments: [
            (batch(8) { _ in glide(ms: 60_000, curves: 120) }, 2), (batch(256) { _ in glide(ms: 60_000) }, 2),
            (batch(256) { _ in glide(ms: 1500) }, 80), (batch(256) { _ in glide(ms: 100) }, 256),
        ])
    func rendered(line: String, accepted: Int) throws {
        let (errors, left) = try Self.resolve(line)
        #expect(errors.prefix { $0 == nil }.count == accepted)
        #expect(errors.dropFirst(accepted).allSatisfy { $0?.code == ErrorCode.quota.rawValue })
        #expect(left >= 0)
    }

    @Test("The parts of inline patterns are charged before they are put together")
    func inlinePatterns() throws {
        let composed = { (count: Int) in #"{"compose":[{"use":"pattern-number-0","repeat":\#(count),"everyMs":10}]}"# }
        let (errors, left) = try Self.resolve(Self.batch(20) { _ in composed(1024) })
        // 2 × 1024 entries are 81,920 of the 600,000, and rendering them 1024 × (18 + 8), less reading the line.
        #expect(errors.prefix { $0 == nil }.count == 5)
        #expect(errors.dropFirst(5).allSatisfy { $0?.code == ErrorCode.quota.rawValue })
        #expect(left >= 0)
        let line = #"{"use":"pattern-number-0","everyMs":10,"repeat":"#
        let twice = #"{"compose":[\#(line)1024},\#(line)1025}]}"#
        let more = #"{"phases":[\#(composed(1024)),\#(composed(1024)),\#(composed(1))]}"#
        let refused = try Self.resolve(Self.batch(2) { $0 == 0 ? twice : more })
        #expect(refused.errors.map { $0?.code } == [ErrorCode.invalidParams.rawValue, ErrorCode.invalidParams.rawValue])
        let tooMuch = "`: what the pattern is composed of has 4098 entries, repetitions included; at most 4096 are allowed"
        #expect(refused.errors[1]?.message.contains(tooMuch) == true)
        #expect(refused.left > WorkBudget.line - 30_000 - 4096 * 40)
    }

    @Test("A pattern of a transaction is rendered and charged once, however many items are felt as it")
    func transaction() throws {
        let items = (1..<256).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"event","params":{"name":"a"}}"# }
        /// Beside reading and answering.
        func cost(of pattern: String, _ items: [String]) throws -> Int {
            let first = #"{"jsonrpc":"2.0","method":"transaction","params":{"feedback":\#(pattern)}}"#
            let line = "[" + ([first] + items).joined(separator: ",") + "]"
            let (errors, left) = try Self.resolve(line)
            #expect(errors.count == items.count + 1)
            #expect(errors.allSatisfy { $0 == nil })
            return WorkBudget(lineOf: line.utf8.count, messages: errors.count).left - left
        }
        #expect(try cost(of: #""pattern-number-0""#, items) == 0)
        let glide = Self.glide(ms: 60_000)
        #expect(try (120_000..<121_000).contains(cost(of: glide, [])))
        #expect(try cost(of: glide, items) == cost(of: glide, []))
        // It has no more than any other pattern.
        let springs = (0..<25).map { #"{"atMs":\#($0 * 2400),"intensity":\#($0 % 2),"curve":"bouncy"}"# }.joined(separator: ",")
        let pattern = #"{"tracks":[{"keyframes":[\#(springs)]}]}"#
        let line = #"[{"jsonrpc":"2.0","method":"transaction","params":{"feedback":\#(pattern)}}]"#
        #expect(try Self.resolve(line).errors[0]?.data?.path == "feedback")
    }

    @Test("A pattern that can never fit is refused by itself, and costs nothing; a smaller one still fits")
    func tooMuch() throws {
        let keyframes = (0..<25).map { #"{"atMs":\#($0 * 2400),"intensity":\#($0 % 2),"curve":"bouncy"}"# }.joined(separator: ",")
        let springs = #"{"tracks":[{"keyframes":[\#(keyframes)]}]}"#
        let (errors, left) = try Self.resolve(Self.batch(2) { $0 == 0 ? springs : Self.glide(ms: 100) })
        #expect(errors[0]?.code == ErrorCode.invalidParams.rawValue)
        #expect(errors[0]?.message.hasPrefix("`pattern` is too long for what sounds in it at once") == true)
        #expect(errors[1] == nil)
        #expect(left > WorkBudget.line / 2)
    }

    @Test("Suggestions for 256 unknown names are searched as far as the line's budget goes")
    func unknownNames() throws {
        let (errors, left) = try Self.resolve(Self.batch(256) { #""patern-number-\#($0)""# }, patterns: 256)
        #expect(errors.allSatisfy { $0?.code == ErrorCode.invalidParams.rawValue })
        let searched = errors.prefix { $0?.data?.didYouMean != nil }.count
        #expect((1...20).contains(searched))
        #expect(errors.last??.message == "`pattern`: unknown pattern `patern-number-255`; `patterns` lists them")
        #expect(left >= 0)
    }
}
