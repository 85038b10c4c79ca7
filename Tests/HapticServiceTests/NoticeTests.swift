// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticMotors
import HapticPlanning
import HapticWire
import Testing

@testable import HapticService

@Suite("Notices") struct NoticeTests {
    @Test("A notice is made once, whoever has subscribed; it says what happened, in its order")
    func once() throws {
        let bench = try Bench()
        let clients = try (0..<3).map { _ in try bench.connect() }
        _ = bench.ask(.subscribe(.playbacks, .actuations), of: clients[0])
        _ = bench.ask(.subscribe(.playbacks), of: clients[1])
        _ = bench.ask(.play("soft"), of: clients[2])
        bench.service.applied(bench.sink.actuations.map { AppliedActuation($0, at: $0.planned + .microseconds(5)) })
        bench.pass(.seconds(1))
        #expect(bench.outputs().map(\.name) == ["actuation", "actuation", "playback"])
        #expect(bench.service.subscribers.map(\.connection) == [clients[0].connection, clients[1].connection])
        let status = bench.ask(.status, of: clients[2])?.status
        #expect((status?.lateness.first?.count, status?.lateness.first?.maxNs) == (2, 5000))
    }

    @Test("An actuation says what its motor makes of the drives so far, if the motor is known")
    func felt() throws {
        for motor in [MotorLibrary.coin.model, nil] {
            let bench = try Bench { configuration in
                configuration.engine = try EngineConfiguration(
                    actuators: [EngineActuator(name: "main", motor: motor)], patterns: configuration.engine.patterns,
                    bounds: configuration.engine.bounds)
            }
            let client = try bench.connect()
            _ = bench.ask(.subscribe(.actuations), of: client)
            _ = bench.ask(.play("tick"), of: client)
            bench.service.applied(bench.sink.actuations.map { AppliedActuation($0, at: $0.planned) })
            let notices = bench.notices().compactMap(\.actuation)
            #expect(notices.count > 1)
            guard motor != nil else {
                #expect(notices.allSatisfy { $0.felt == nil })
                continue
            }
            #expect(notices.first?.felt == 0)
            #expect(notices.last?.drive == 0)
            #expect(try #require(notices.last?.felt) > 0.3)
            // A device that has come again has a motor at rest.
            bench.service.setActuator(ActuatorIndex(0), .missing(ActuatorFault("unplugged")), at: bench.now)
            bench.service.setActuator(ActuatorIndex(0), .there(), at: bench.now)
            bench.service.removeOutputs()
            let index = bench.sink.actuations.count
            _ = bench.ask(.play("tick"), of: client)
            let again = try #require(bench.sink.actuations.dropFirst(index).first)
            bench.service.applied([AppliedActuation(again, at: again.planned)])
            #expect(bench.notices().compactMap(\.actuation).map(\.felt) == [0])
        }
    }

    @Test("A client that subscribes in a line is notified of the line's decisions, and one that has gone of nothing")
    func comeAndGo() throws {
        let bench = try Bench()
        let client = try bench.connect()
        _ = bench.say([Request(.play("soft")), Request(.subscribe(.decisions))], of: client)
        #expect(bench.outputs().map(\.name) == ["decision"])
        bench.service.disconnect(client, at: bench.now)
        #expect(bench.service.subscribers.isEmpty)
        _ = bench.ask(.play("soft"), of: try bench.connect())
        bench.service.applied(bench.sink.actuations.map { AppliedActuation($0, at: $0.planned) })
        bench.pass(.seconds(1))
        bench.service.setActuator(ActuatorIndex(0), .missing(ActuatorFault("unplugged")), at: bench.now)
        #expect(bench.outputs().isEmpty)
    }

    @Test("The loss of an actuator is notified once, with its reason, as is the end of what it played; the list has it then")
    func actuator() throws {
        let bench = try Bench()
        let client = try bench.connect()
        _ = bench.ask(.subscribe(.actuators, .playbacks), of: client)
        _ = bench.ask(.play("minute"), of: client)
        #expect(bench.ask(.actuators, of: client)?.actuators?.map(\.isAvailable) == [true])
        for _ in 0..<2 { bench.service.setActuator(ActuatorIndex(0), .missing(ActuatorFault("unplugged")), at: bench.now) }
        let notices = bench.notices()
        #expect(notices.map(\.name) == ["actuator", "playback"])
        #expect(notices.first == .actuator(ActuatorNotice(actuator: "main", isAvailable: false, error: "unplugged")))
        #expect(bench.status(of: client)?.unavailable == [.init(actuator: "main", error: "unplugged")])
        #expect(bench.ask(.actuators, of: client)?.actuators?.map(\.error) == ["unplugged"])
        #expect(bench.ask(.play("soft"), of: client)?.decision?.reason == .deviceLost)
        bench.service.setActuator(ActuatorIndex(7), .missing(ActuatorFault("there is none")), at: bench.now)
        #expect(bench.outputs().isEmpty)
    }

    @Test("For a resumable playback, `playbacks` has its interruption, its continuation and its end")
    func interruption() throws {
        let bench = try Bench { configuration in
            let minute = RuleFeedback(pattern: "minute", feedbackClass: .notification)
            try configuration.change(events: [EventRule(match: Glob("call"), feedback: minute, resumes: true)])
        }
        let client = try bench.connect()
        _ = bench.ask(.subscribe(.playbacks), of: client)
        let call = try #require(bench.ask(.event(EventParams(name: "call")), of: client)?.decision?.playback)
        bench.pass(.seconds(1))
        let from = bench.now
        _ = bench.ask(.play(as: .alarm), of: client)
        bench.pass(.seconds(60))
        let notices = bench.notices()
        #expect(notices.map(\.name) == ["interruption", "playback", "interruption", "playback"])
        func interruption(_ state: PlaybackInterruption.State, at: MonotonicInstant) -> Notice {
            .interruption(InterruptionNotice(PlaybackInterruption(playback: PlaybackID(call), state: state, at: at)))
        }
        guard notices.count == 4, case .playback(let over) = notices[1] else { return }
        #expect(notices[0] == interruption(.interrupted, at: from))
        #expect(notices[2] == interruption(.resumed, at: MonotonicInstant(nanoseconds: over.atNs)))
    }

    @Test("Records of every decision and ending are kept on request")
    func records() throws {
        let bench = try Bench()
        let client = try bench.connect()
        _ = bench.ask(.play("soft"), of: client)
        bench.service.keepsRecords = true
        _ = bench.say([Request(.play("minute")), Request(.play("sotf"), wantsReply: false)], of: client)
        _ = bench.ask(.cancelAll(), of: client)
        #expect(
            bench.outputs().map(\.name).sorted() == [
                "decision record", "decision record", "ending record", "ending record",
            ])
    }

    @Test("A change of the service's state is noted, an event is not")
    func state() throws {
        let bench = try Bench()
        func hasChanged(_ body: () throws -> Void) rethrows -> Bool {
            bench.service.removeOutputs()
            try body()
            return bench.service.outputs.hasStateChanged
        }
        let client = try bench.connect()
        #expect(bench.service.outputs.hasStateChanged)
        _ = bench.ask(.play("soft"), of: client)
        #expect(!hasChanged { _ = bench.ask(.play("soft"), of: client) })
        #expect(hasChanged { _ = bench.ask(.set(.quiet), of: client) })
        #expect(!hasChanged { _ = bench.ask(.set(.quiet), of: client) })
        #expect(hasChanged { bench.service.setActuator(ActuatorIndex(0), .missing(ActuatorFault("unplugged")), at: bench.now) })
        #expect(hasChanged { bench.service.disconnect(client, at: bench.now) })
        #expect(!hasChanged { bench.service.disconnect(client, at: bench.now) })
        #expect("\(ServiceState(of: bench.service))" == "1 actuator, 1 missing (main); 0 clients; profile quiet")
    }
}
