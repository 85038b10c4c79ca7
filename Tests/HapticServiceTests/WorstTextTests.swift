// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import HapticEngine
import HapticFormats
import HapticPatterns
import HapticPlanning
import HapticText
import TestSupport
import Testing

@testable import HapticService
@testable import HapticWire

/// Inline patterns of `Tests/fixtures/inline`, as one line.
private enum Inline {
    /// Everything that an inline pattern of ours may have.
    static let ours = text("ours")
    /// Everything that is read of an inline AHAP and `.haptic`.
    static let (ahap, haptic) = (text("ahap"), text("haptic"))

    private static func text(_ name: String) -> String {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../fixtures/inline/\(name).json").standardized
        return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n").joined()
    }
}

/// A request with all that its method takes, but for what excludes the rest of it.
struct WorstLine: CustomTestStringConvertible, Sendable {
    let method: String
    let without: [String]
    let isForeign: Bool
    let text: String

    private init(_ call: any WireCall.Type, _ pattern: String = Inline.ours, without: [String] = []) {
        (method, self.without, isForeign) = (call.method, without, pattern != Inline.ours)
        let given = call.description.filter { !without.contains($0.name) }
        let members = given.map { "\"\($0.name)\":\($0.kind.example(pattern: pattern))" }.joined(separator: ",")
        let request = "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"\(method)\",\"params\":{\(members)}}"
        text = method == TransactionParams.method ? "[\(request)]" : request
    }

    var testDescription: String { "\(method) without \(without)" }

    static func all(of call: any WireCall.Type) -> [Self] {
        switch call.method {
        case PlayParams.method:
            let spread: Set = ["staggerMs", "from"]
            return [
                // Phases that wait do not go with steps.
                Self(call, without: ["handOver", "steps", "durationMs", "curve", "repeat", "more"]),
                Self(call, Inline.ahap, without: spread + ["actuators", "more"]),
                Self(call, Inline.haptic, without: spread + ["handOver", "more"]),
                // A part of a pattern.
                Self(call, without: call.description.map(\.name).filter { $0 != "pattern" && $0 != "more" }),
            ]
        case CancelParams.method:
            return [["playback", "all", "untilResumed"], ["id", "all", "untilResumed"], ["id", "playback"]].map {
                Self(call, without: $0)
            }
        case HistoryParams.method: return [Self(call, without: ["seq"]), Self(call, without: ["last", "before"])]
        default: return [Self(call)]
        }
    }
}

/// A line is at most 64 KiB; none may hold the daemon up, whatever stands where in it.
@Suite("The worst text in a line of a client")
struct WorstTextTests {
    private static func resolver() throws -> CallResolver {
        var classes = ClassTable.standard
        (classes.notification.reduced, classes.interaction.reduced) = (.half, .half)
        let tap = HapticEvent(at: .zero, kind: .transient, intensity: .one, sharpness: .one)
        return CallResolver(
            try EngineConfiguration(
                classes: classes, actuators: [EngineActuator(name: "a")], conditionRules: [ConditionRule(name: "a")],
                patterns: [:]),
            library: ["soft": try Pattern(name: "soft", tracks: [.events([tap])])])
    }

    private static func read(_ text: String, by resolver: inout CallResolver) throws(WireError) {
        switch ClientLine(Array(text.utf8)) {
        case .single(let message):
            resolver.beginLine(bytes: text.utf8.count)
            _ = try Request(message).call.get().item(&resolver, of: ClientIdentity(connection: 1, user: 1000), readAt: .zero)
        case .unusable(let error): throw error
        case .batch(let messages):
            resolver.beginLine(bytes: text.utf8.count)
            guard let params = try Request(messages[0]).call.get() as? TransactionParams else {
                throw WireError(.invalidRequest, "another batch")
            }
            _ = try resolver.begin(params)
        }
    }

    @Test("The unchanged lines are accepted, and have every member", arguments: Methods.all.map { $0.method })
    func lines(method: String) throws {
        let call = try #require(Methods.named(Text(method)))
        let lines = WorstLine.all(of: call)
        var resolver = try Self.resolver()
        for line in lines { try Self.read(line.text, by: &resolver) }
        let left = call.description.map(\.name).filter { name in lines.allSatisfy { $0.without.contains(name) } }
        #expect(left == [])
    }

    @Test("The inline pattern has every key of patterns")
    func inlinePattern() {
        let names = Set(Member.Kind.object(PatternReader.members).members.map(\.wireName))
        #expect(names.count > 20)
        #expect(names.filter { !Inline.ours.contains("\"\($0)\":") } == [])
    }

    /// A reader that compares characters takes seconds for a single place, and minutes for all of them.
    @Test(
        "A line is read or refused without delay, wherever such text stands in it", .timeLimit(.minutes(20)),
        arguments: Methods.all.flatMap { WorstLine.all(of: $0) })
    func everywhere(line: WorstLine) throws {
        var resolver = try Self.resolver()
        // Only descriptions may contain any text; other formats also have unknown keys with any text.
        let descriptions = WorstText.all.map { Array("\"description\":\"\($0)\"".utf8) }
        for hostile in WorstText.everywhere(in: line.text) {
            do throws(WireError) { try Self.read(hostile, by: &resolver) } catch { continue }
            if !line.isForeign { #expect(descriptions.contains { hostile.utf8.firstRange(of: $0) != nil }) }
        }
    }
}
