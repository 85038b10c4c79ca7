// SPDX-License-Identifier: MIT
import FoundationEssentials
import HapticCore
import HapticPatterns
import HapticPlanning
import HapticText
import HapticWire
import NIOCore
import NIOEmbedded
import Testing

@testable import HapticEngine
@testable import HapticServer
@testable import HapticService

@Suite("The bounds of all that is kept")
struct KeptTests {
    @Test("docs/bounds.md has the table of bounds")
    func page() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/bounds.md"), encoding: .utf8)
        #expect(page.contains("\n\(Kept.table)\n"), "the table of the page is to be:\n\(Kept.table)")
    }

    @Test("Another user's alarm, and root's, is felt within 20 ms, whichever bound one user has filled", arguments: Kept.allCases)
    func alarm(kept: Kept) throws {
        let filler = try Filler(kept)
        let rig = filler.rig
        let others = [1002, 0] as [UInt32]
        let early = kept == .lingering ? try others.map { try rig.visit(user: $0) } : []
        if let reached = try filler.fill(kept), let most = kept.row(filler.bounds, filler.clients).most {
            #expect(reached == most)
        }
        for (number, user) in others.enumerated() {
            let visitor = try early.isEmpty ? rig.visit(user: user) : early[number]
            let said = rig.server.now()
            let answer = visitor.ask("play", #"{"pattern":"soft","class":"alarm"}"#)
            #expect(answer?["result"]?["decision"]?["outcome"] == "played", "\(String(describing: answer))")
            let playback = answer?["result"]?["playback"]
            let felt = rig.sink.actuations.first {
                $0.planned >= said && $0.isOn && playback == .number(Double($0.playback.value))
            }
            #expect(try #require(felt).planned - said <= .milliseconds(20))
            rig.advance(.milliseconds(100))
        }
    }
}

/// User 1001, who takes as much of everything as one can.
private struct Filler {
    let rig: Rig
    /// A bound that can be configured is a low one: the test is of the bound, not of its number.
    let bounds: EngineBounds
    let clients: ClientBounds
    private let ada: Visitor

    init(_ kept: Kept) throws {
        var bounds = EngineBounds.standard
        (bounds.sources, bounds.sourcesPerUser) = (400, 200)
        (bounds.things, bounds.thingsPerUser) = (8000, 3000)
        // Two motors have no more than 18 that play or wait.
        if kept == .playbacks { (bounds.playbacks, bounds.playbacksPerUser) = (40, EngineBounds.share(of: 40)) }
        var clients = ClientBounds.standard
        if kept == .lingering { clients.clients = 3 }
        if kept == .requests || kept == .formerUsers { clients.requestsPerUser = 100 }
        (self.bounds, self.clients) = (bounds, clients)
        rig = try Rig(Self.configuration(bounds, clients))
        ada = try rig.visit()
    }

    private static func configuration(_ bounds: EngineBounds, _ clients: ClientBounds) throws -> ServiceConfiguration {
        let plain = try Rig.configuration(actuators: ["main", "side"])
        let frames = [Int64(0), 100].map {
            Keyframe(at: .milliseconds($0), intensity: Intensity(0.6)!, sharpness: .zero, curve: .step)
        }
        let hum = try Pattern(name: "hum", tracks: [.keyframes(frames)])
        let ring = PlayablePattern(try Pattern(name: "ring", phases: [.init(hum, until: .released, upTo: .seconds(600))]))
        func feedback(_ pattern: String, _ feedbackClass: FeedbackClass, on actuator: Int? = nil) -> RuleFeedback {
            RuleFeedback(pattern: pattern, feedbackClass: feedbackClass, actuators: actuator.map { [ActuatorIndex($0)] })
        }
        let devices = (0..<HoldTable.mostOfDevices).map { HoldRule.Match.device("device-\($0)") }
        let engine = try EngineConfiguration(
            actuators: plain.engine.actuators,
            progressRules: [
                ProgressRule(
                    match: Glob("lever-*"), gate: GateConfiguration(step: 0.01), follow: FollowShape(),
                    feedback: feedback("soft", .texture))
            ],
            eventRules: [
                EventRule(match: Glob("call.both"), feedback: feedback("ring", .notification), resumes: true),
                EventRule(match: Glob("call.side"), feedback: feedback("ring", .notification, on: 1), resumes: true),
                EventRule(match: Glob("note"), feedback: feedback("tick", .interaction)),
            ],
            collectionRules: [
                CollectionRule(
                    match: Glob("*"), patterns: ThingPatterns(inserted: "tick"), feedback: feedback("tick", .texture))
            ],
            holdRules: (devices + [.clients(Glob("*"))]).map {
                HoldRule(match: $0, feedback: feedback("tick", .texture), complete: "tick")
            }, taskRules: [TaskRule(match: Glob("*"))],
            conditionRules: (0...ConditionRule.mostPerUser).map { ConditionRule(name: "c\($0)", profile: .silent) },
            patterns: plain.engine.patterns.merging([(Text("ring"), ring)]) { $1 },
            bounds: bounds)
        var access = AccessRules()
        let ada = AccessList(users: [Account(name: "ada", id: 1001)])
        (access[.conditions], access[.speakFor]) = (ada, ada)
        return ServiceConfiguration(
            engine: engine, library: plain.library, backends: plain.backends, clientBounds: clients, access: access)
    }

    /// Asks until it is refused: how often it was not.
    private func ask(_ method: String, atMost most: Int = 20_000, _ params: (Int) -> String) -> Int {
        for number in 0..<most {
            let answer = ada.ask(method, params(number))
            let result = answer?["result"]
            let reason = result?["reason"] ?? result?["decision"]?["reason"]
            if answer?["error"] != nil || reason == "quota" || reason == "rateLimited" { return number }
        }
        return most
    }

    private func call(_ name: String, _ count: Int) {
        for number in 0..<count {
            _ = ada.ask("event", #"{"name":"\#(name)","id":"\#(name) \#(number)"}"#)
            rig.advance(.milliseconds(110))
        }
    }

    /// Returns how much there is then; nil: nobody can see it.
    func fill(_ kept: Kept) throws -> Int? {
        let service = rig.server.service
        switch kept {
        case .connections:
            var visitors: [Visitor] = []
            while let visitor = try? rig.visit() { visitors.append(visitor) }
            return visitors.count + 1
        case .requests: return ask("status") { _ in "{}" }
        case .sources: return ask("progress") { #"{"id":"source \#($0)","value":0.5}"# }
        case .things:
            let ids = (0..<1000).map { "\"\($0)\"" }.joined(separator: ",")
            return 1000 * ask("present") { #"{"name":"set \#($0)","ids":[\#(ids)]}"# }
        case .playbacks:
            call("call.both", 20)
            call("call.side", 20)
            #expect(service.loop.engine.playbackCount == EngineBounds.share(of: 40))
            return nil
        case .waitingPlaybacks:
            call("call.both", 20)
            return service.loop.engine.arbiter.scheduler.waiting[ActuatorIndex(0)].count
        case .followedValues:
            _ = ask("progress", atMost: 5) { #"{"id":"lever-\#($0)","value":0.\#($0 + 1)}"# }
            return service.loop.engine.followCount
        case .holds: return ask("hold") { #"{"id":"hold \#($0)","state":"down"}"# }
        case .deviceHolds:
            let now = rig.server.now()
            let names = (0..<HoldTable.mostOfDevices).map { "device-\($0)" }
            rig.server.take(.inputs(names.map { DeviceChange(.hold(Text($0)), isDown: true, at: now) }))
            return service.loop.engine.inputs.holds.hasRoom(for: nil) ? 0 : names.count
        case .tasks: return ask("task") { #"{"id":"task \#($0)","state":"began"}"# }
        case .conditions: return ask("condition") { #"{"name":"c\#($0)","on":true}"# }
        case .rates: return ask("event") { _ in #"{"name":"note"}"# }
        case .settings:
            // 64 at a time, because each call sorts and notifies all of them.
            return 64
                * ask("settings") { call in
                    let apps = (0..<64).map { "\"app \(64 * call + $0)\":0.5" }.joined(separator: ",")
                    return #"{"set":{"apps":{\#(apps)}}}"#
                }
        case .storedSettings:
            service.keepsSettings = true
            var asked = 0
            // The server stops reading a connection with too many unread replies.
            while let visitor = try? rig.visit(), !service.settings.storing.isFull {
                for _ in 0..<32 where !service.settings.storing.isFull {
                    _ = visitor.ask("settings", #"{"set":{"strength":0.\#(asked % 2 + 5)}}"#)
                    asked += 1
                }
            }
            // The first one is being stored.
            return asked - 1
        default: return fillMore(kept)
        }
    }

    private func fillMore(_ kept: Kept) -> Int? {
        let service = rig.server.service
        switch kept {
        case .repeatedEvents:
            let hours = #"[{"from":"00:00","to":"24:00","except":{"classes":["alarm"],"repeated":true}}]"#
            _ = ada.ask("settings", #"{"set":{"quietHours":\#(hours)}}"#)
            service.setClock(LocalTime(.mon, second: 43_200), at: rig.server.now())
            _ = ask("event", atMost: 600) { #"{"name":"note","id":"note \#($0)"}"# }
            return nil
        case .decisions:
            for _ in 0..<1100 { _ = ada.ask("play", #"{"pattern":"light","class":"alarm"}"#) }
            return service.statistics.history.count
        case .waits:
            _ = ask("play", atMost: 20) { _ in #"{"pattern":"minute","wait":true}"# }
            return nil
        case .preparations:
            rig.sink.holdsPreparations = true
            return ask("prepare") { _ in #"{"patterns":["soft"]}"# }
        case .rests: return ask("cancel") { _ in #"{"all":true,"untilResumed":true}"# }
        case .playParts: return fillPlayParts() ? nil : 0
        // The first one is under way.
        case .reloads: return ask("reload") { _ in "{}" } - 1
        case .subscriptions:
            let topics = Topic.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
            return ask("subscribe", atMost: 1) { _ in #"{"topics":[\#(topics)]}"# } * Topic.allCases.count
        case .formerUsers, .refusals:
            for user in 2000..<2300 as Range<UInt32> {
                let visitor = try? rig.visit(user: user)
                _ = visitor?.ask("cancel", #"{"all":true,"untilResumed":true}"#)
                visitor?.close()
            }
            return nil
        case .scopes:
            for number in 0..<1100 {
                let visitor = try? rig.visit()
                _ = visitor?.ask("hello", #"{"app":"page","scope":"\#(number)","methods":["event"]}"#)
                visitor?.close()
            }
            return service.clients.scopes.count
        default: return fillRest(kept)
        }
    }

    private func fillRest(_ kept: Kept) -> Int? {
        switch kept {
        case .shiftedSets:
            for set in 0..<20 {
                for first in 1...3 {
                    let ids = (first...first + 9).map { "\"\($0)\"" }.joined(separator: ",")
                    _ = ada.ask("present", #"{"name":"set \#(set)","ids":[\#(ids)]}"#)
                }
            }
            return nil
        case .endedPlaybacks:
            for _ in 0..<300 {
                _ = ada.ask("play", #"{"pattern":"minute","class":"alarm","id":"a"}"#)
                _ = ada.ask("cancel", #"{"id":"a","mode":"immediate"}"#)
                _ = ada.ask("progress", #"{"id":"lever-0","value":0.5}"#)
                _ = ada.ask("cancel", #"{"id":"lever-0","mode":"immediate"}"#)
            }
            return nil
        case .unread:
            for _ in 0..<200 where rig.server.backlog.bytes < Backlog.mostOfUser - Backlog.mostOfOne {
                guard let session = try? rig.server.open(Peer(user: 1001, groups: []), output: Deaf()) else { break }
                session.write([UInt8](repeating: 32, count: Backlog.mostOfOne - 1))
                rig.server.linesArrived(of: session)
                rig.advance(.milliseconds(1))
            }
            return rig.server.backlog.bytes >= Backlog.mostOfUser - Backlog.mostOfOne ? nil : 0
        case .lingering:
            // An embedded channel closes both halves together, so none of them lingers, and this does not reach the bound.
            for _ in 0..<100 { _ = try? rig.connect(user: 1001) }
            return nil
        default: preconditionFailure("nobody fills \(kept)")
        }
    }

    /// Sends 17 parts of 60,000 bytes on each of two connections: the user has no room for one more on any. False: one is refused.
    private func fillPlayParts() -> Bool {
        for _ in 0..<2 {
            guard let visitor = try? rig.visit() else { return false }
            for number in 0..<17 {
                let continued = number > 0 ? #","continued":true"# : ""
                let track = #"{"keyframes":[{"atMs":\#(number),"intensity":1}]\#(continued)}"#
                let room = String(repeating: " ", count: 60_000)
                let answer = visitor.ask("play", #"{"pattern":{"tracks":[\#(track)]},"more":true\#(room)}"#)
                guard answer?["result"]?["bytes"] != nil else { return false }
            }
        }
        return true
    }
}
