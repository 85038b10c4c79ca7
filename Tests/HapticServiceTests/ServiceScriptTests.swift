// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticJSON
import HapticWire
import TestSupport
import Testing

@testable import HapticService

/// `Tests/fixtures/scripts/service.txt`: what clients send, and all that the service answers, says and wants done.
@Suite("Scripts of the service") struct ServiceScriptTests {
    @Test("Each script comes to what is written below it")
    func scripts() throws {
        #expect(try TextCases.differences(in: "scripts/service") { try ServiceScript($0).perform() } == [])
    }
}

/// A bench, the clients of a script, and what has been said.
private final class ServiceScript {
    private let lines: [String]
    private let bench: Bench
    private var clients: [String: Client] = [:]
    private var tickets: [Ticket] = []
    private var said: [String] = []
    /// Of one line: a transaction.
    private var batch: (speaker: String, items: [String])?

    init(_ text: String) throws {
        lines = text.split(separator: "\n").map(String.init)
        let options = lines.filter { $0.hasPrefix("with ") }.map { $0.dropFirst(5).split(separator: " ").map(String.init) }
        bench = try Bench { configuration in
            for option in options { try Self.set(option, in: &configuration) }
        }
        bench.service.keepsSettings = options.contains(["store"])
    }

    private static func set(_ option: [String], in configuration: inout ServiceConfiguration) throws {
        let soft = RuleFeedback(pattern: "soft", feedbackClass: .alarm)
        switch option[0] {
        case "access":
            // Ada and the group `desk` alone may do it.
            let admins = AccessList(users: [Account(name: "ada", id: 1001)], groups: [Account(name: "desk", id: 50)])
            configuration.access[try #require(Privilege(rawValue: option[1]))] = admins
        case "rate": configuration.clientBounds.requestsPerClient = Int(option[1])
        case "holds": try configuration.addHolds()
        case "collections":
            let rule = CollectionRule(match: Glob("*"), patterns: ThingPatterns(inserted: "soft"), feedback: soft)
            try configuration.change(collections: [rule])
        case "resume":
            let minute = RuleFeedback(pattern: "minute", feedbackClass: .notification)
            try configuration.change(events: [EventRule(match: Glob("call"), feedback: minute, resumes: true)])
        case "profile":
            let configured = Settings(
                profile: Profile(rawValue: option[1]), strength: Strength(0.5), classes: [.alarm: .most],
                apps: ["a": Strength(0.5)!, "b": Strength(0.5)!])
            try configuration.change(settings: configured)
        default: break
        }
    }

    func perform() throws -> [String] {
        for line in lines where !line.hasPrefix("with ") {
            if line.hasPrefix("+ ") {
                batch?.items.append(String(line.dropFirst(2)))
                continue
            }
            try sendBatch()
            if let colon = line.firstIndex(of: ":"), line[..<colon].allSatisfy({ $0.isLetter || $0.isNumber }) {
                batch = (String(line[..<colon]), [String(line[colon...].dropFirst(2))])
            } else {
                try happen(line.split(separator: " ").map(String.init))
                sayOutputs()
            }
        }
        try sendBatch()
        return said
    }

    /// A method, with `!` in front a notification, and its params.
    private func request(_ text: String) -> String {
        let words = text.split(separator: " ", maxSplits: 1)
        let id = words[0].hasPrefix("!") ? "" : #""id":1,"#
        let params = words.count > 1 ? #","params":\#(words[1])"# : ""
        return #"{"jsonrpc":"2.0",\#(id)"method":"\#(words[0].drop { $0 == "!" })"\#(params)}"#
    }

    private func client(_ name: String) throws -> Client {
        if let client = clients[name] { return client }
        let user: UInt32 = ["root": 0, "daemon": 900, "bob": 1002, "desk": 1003][name] ?? 1001
        let client = try bench.connect(user: user, groups: name == "desk" ? [50] : [])
        clients[name] = client
        return client
    }

    private func sendBatch() throws {
        guard let (speaker, items) = batch else { return }
        batch = nil
        let messages =
            switch ClientLine(Array("[\(items.map(request).joined(separator: ","))]".utf8)) {
            case .batch(let messages): messages
            case .single(let message): [message]
            case .unusable(let error): throw error
            }
        for reply in bench.say(messages.map { Request($0) }, of: try client(speaker)) {
            said.append("\(speaker): \(reply.map(words) ?? "no reply")")
        }
        sayOutputs()
    }

    private func happen(_ words: [String]) throws {
        func time() throws -> Nanoseconds { try #require(Nanoseconds(unitText: words[1])) }
        switch words[0] {
        case "pass": bench.pass(try time())
        case "stall": bench.stall(try time())
        case "clock":
            let second = try #require(TimeOfDay(words[2])).minutes * 60
            bench.service.setClock(LocalTime(try #require(Weekday(rawValue: words[1])), second: second), at: bench.now)
        case "slept": bench.service.slept(try time(), at: bench.now)
        case "stored": bench.service.stored(.success(()), at: bench.now)
        case "unstored": bench.service.stored(.failure(SettingsFailure("the disk is full; make room")), at: bench.now)
        case "damaged": bench.service.startSettings(damage: "one was damaged", obstacle: nil)
        case "lost": bench.service.setActuator(ActuatorIndex(0), ActuatorFault("unplugged"), at: bench.now)
        case "gone": bench.service.disconnect(try client(words[1]), at: bench.now)
        case "garbage":
            said.append("\(words[1]): \(bench.service.chargeUnusable(try client(words[1]), at: bench.now)?.message ?? "charged")")
        case "reloaded": bench.reload(try Bench.configuration(actuators: words[1].split(separator: ",").map(String.init)))
        case "broken": bench.service.reloaded(.failure(WireError(.invalidConfiguration, "it is bad")), at: bench.now)
        case "daemon": said.append("daemon: later \(number(bench.service.requestReload()))")
        case "stop": bench.service.shutDown(at: bench.now)
        default: throw WireError(.internalError, "nothing is called `\(words[0])`")
        }
    }

    // MARK: What is said

    private func sayOutputs() { for output in bench.outputs() { said.append("  \(words(output))") } }

    private func number(_ ticket: Ticket) -> String {
        if !tickets.contains(ticket) { tickets.append(ticket) }
        return "#\((tickets.firstIndex(of: ticket) ?? 0) + 1)"
    }

    /// Without what is null.
    private func json(_ value: some Encodable) -> String {
        String(decoding: WireWriter.line(value).dropLast(), as: UTF8.self)
            .replacing(/"[a-zA-Z]+":null,?/, with: "").replacing(",}", with: "}")
    }

    private func words(_ decision: DecisionResult) -> String {
        let what: [String?] = [decision.input, decision.name, decision.source.map { "@\($0)" }, decision.app.map { "of \($0)" }]
        let things = [("+", decision.inserted), ("-", decision.removed), ("=", decision.kept)].compactMap { sign, count in
            count.map { "\(sign)\($0)" }
        }
        let felt = decision.playback.map { playback in
            "\(decision.pattern ?? "") \(decision.intensity ?? 0) on \(decision.actuators.joined(separator: "+")) #\(playback)"
        }
        let parts: [String?] = [decision.outcome, decision.reason, felt, things.isEmpty ? nil : things.joined(separator: " ")]
        return what.compactMap(\.self).joined(separator: " ") + ": " + parts.compactMap(\.self).joined(separator: ", ")
    }

    private func words(_ reply: Reply) -> String {
        switch reply {
        case .decision(let decision): words(decision)
        case .play(let result): words(result.decision) + (result.ending.map { "; \($0.ended) \($0.reason ?? "")" } ?? "")
        case .cancel(let result): json(result)
        case .transaction(let result): json(result)
        case .profile(let result): json(result)
        case .settings(let result): json(result)
        case .prepare(let result): json(result)
        case .patterns(let result), .pattern(let result): json(result)
        case .actuators(let result): json(result)
        case .subscribe(let result): json(result)
        case .status(let result): json(result)
        case .history(let result): json(result)
        case .reload(let result): json(result)
        case .discover: "the document"
        case .error(let error): "\(error.code) \(error.message)"
        case .later(let ticket): "later, ticket \(number(ticket))"
        case .onceStored(let reply, let ticket): "once stored, ticket \(number(ticket)): \(words(reply))"
        }
    }

    private func words(_ output: Output) -> String {
        switch output {
        case .notice(.decision(let decision)): "decision \(words(decision))"
        case .notice(.playback(let ending)): "playback #\(ending.playback) \(ending.ended) \(ending.reason ?? "")"
        case .notice(let notice): json(notice)
        case .reply(let reply, let ticket): "ticket \(number(ticket)): \(words(reply))"
        case .refusal(let notice): "refusal of user \(notice.user.map(String.init) ?? "any"), \(notice.more) more"
        case .store(let settings): "store \(Self.words(settings))"
        case .settled(let ticket, let error): "settled, ticket \(number(ticket))\(error.map { ": \($0.message)" } ?? "")"
        case .prepare(let timelines, _, let ticket): "prepare \(timelines.count) patterns, ticket \(number(ticket))"
        case .rest(let ticket): "rest, ticket \(number(ticket))"
        case .record, .shifted, .reload, .readPendingInput: output.name
        }
    }

    private static func words(_ settings: Settings) -> String {
        let parts = [
            settings.profile.map { "profile \($0.rawValue)" }, settings.strength.map { "strength \($0.value)" },
            settings.apps.isEmpty ? nil : "apps \(settings.apps.keys.map(\.string).sorted().joined(separator: " "))",
            settings.quietHours.map { "quiet hours from \($0.map { "\($0.from)" }.joined(separator: " "))" },
            settings.off.map { "off \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
